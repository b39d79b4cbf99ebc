# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What karpos::karpos carries besides its headers. The same code serves the target of the source tree
# and the imported target of an installation, so an installation is tied to no Kokkos and no BLAS.

cmake_policy(VERSION 3.25)  # whatever the consumer asks for
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/KarposKokkos.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KarposLibraries.cmake")

# Properties of the source tree's target stay out of the exported one: the consumer sets them anew.
function(_karpos_add target kind)
  get_target_property(imported ${target} IMPORTED)
  foreach(item IN LISTS ARGN)
    if(NOT imported)
      set(item "$<BUILD_INTERFACE:${item}>")
    endif()
    if(kind STREQUAL "LINK")
      target_link_libraries(${target} INTERFACE "${item}")
    elseif(kind STREQUAL "DEFINE")
      target_compile_definitions(${target} INTERFACE "${item}")
    else()
      target_compile_options(${target} INTERFACE "${item}")
    endif()
  endforeach()
endfunction()

# Turns the switch of one library (AUTO, ON, OFF) and the outcome of its search into a refusal or not.
macro(_karpos_require _karpos_option _karpos_found _karpos_what _karpos_text)
  string(TOUPPER "${${_karpos_option}}" _karpos_switch)
  if(NOT _karpos_switch STREQUAL "AUTO" AND NOT ${_karpos_found})
    string(APPEND _karpos_missing
      "karpos: ${_karpos_option} is ${${_karpos_option}} but ${_karpos_what} was not found.\n${_karpos_text}")
  endif()
endmacro()

# karpos_configure_target(<target> <variable for the refusal>)
# Reads KARPOS_BACKEND, KARPOS_ENABLE_BLAS, KARPOS_ENABLE_KOKKOS_KERNELS and KARPOS_ENABLE_POOL.
macro(karpos_configure_target _karpos_target _karpos_out)
  foreach(_karpos_name IN ITEMS BLAS KOKKOS_KERNELS)
    if(NOT DEFINED KARPOS_ENABLE_${_karpos_name})
      set(KARPOS_ENABLE_${_karpos_name} AUTO)
    endif()
    string(TOUPPER "${KARPOS_ENABLE_${_karpos_name}}" _karpos_switch)
    set(_karpos_use_${_karpos_name} TRUE)
    if(NOT _karpos_switch STREQUAL "AUTO" AND NOT _karpos_switch)
      set(_karpos_use_${_karpos_name} FALSE)
    endif()
  endforeach()

  set(_karpos_missing "")
  set(_karpos_libraries)
  set(_karpos_definitions)
  set(_karpos_summary)
  set(karpos_blas_FOUND FALSE)
  set(karpos_cublas_FOUND FALSE)
  set(karpos_rocblas_FOUND FALSE)
  set(karpos_kokkos_kernels_FOUND FALSE)
  karpos_find_kokkos(_karpos_no_kokkos)
  if(_karpos_no_kokkos)
    string(APPEND _karpos_missing "${_karpos_no_kokkos}")
  else()
    list(APPEND _karpos_libraries Kokkos::kokkos)

    if(DEFINED KARPOS_ENABLE_POOL AND NOT KARPOS_ENABLE_POOL)
      list(APPEND _karpos_definitions KARPOS_USE_POOL=0)
    endif()

    if(_karpos_use_BLAS)
      karpos_find_blas()
      _karpos_require(KARPOS_ENABLE_BLAS karpos_blas_FOUND "a BLAS"
        "  Install one (OpenBLAS in its OpenMP build is the best fit) or set BLAS_LIBRARIES or BLA_VENDOR.\n")
      if(karpos_blas_FOUND)
        list(APPEND _karpos_libraries BLAS::BLAS)
        list(APPEND _karpos_definitions KARPOS_HAS_BLAS=1)
        if(KARPOS_BLAS_ILP64)
          list(APPEND _karpos_definitions KARPOS_BLAS_ILP64=1)
        endif()
      endif()
      # The vendor's BLAS goes with the same switch: OFF means the portable kernels everywhere.
      karpos_find_device_blas()
      if("CUDA" IN_LIST KARPOS_KOKKOS_DEVICES)
        _karpos_require(KARPOS_ENABLE_BLAS karpos_cublas_FOUND "cuBLAS" "  Set CUDAToolkit_ROOT.\n")
      endif()
      if("HIP" IN_LIST KARPOS_KOKKOS_DEVICES)
        _karpos_require(KARPOS_ENABLE_BLAS karpos_rocblas_FOUND "rocBLAS" "  Set ROCM_PATH or rocblas_ROOT.\n")
      endif()
      if(karpos_cublas_FOUND)
        list(APPEND _karpos_libraries CUDA::cublas)
        list(APPEND _karpos_definitions KARPOS_HAS_CUBLAS=1)
      endif()
      if(karpos_rocblas_FOUND)
        list(APPEND _karpos_libraries roc::rocblas)
        list(APPEND _karpos_definitions KARPOS_HAS_ROCBLAS=1)
      endif()
    endif()

    if(_karpos_use_KOKKOS_KERNELS)
      karpos_find_kokkos_kernels()
      _karpos_require(KARPOS_ENABLE_KOKKOS_KERNELS karpos_kokkos_kernels_FOUND
        "a Kokkos Kernels for Kokkos ${KARPOS_KOKKOS_FOUND_VERSION}" "${karpos_kokkos_kernels_NOTE}")
      if(karpos_kokkos_kernels_FOUND)
        list(APPEND _karpos_libraries Kokkos::kokkoskernels)
        list(APPEND _karpos_definitions KARPOS_HAS_KOKKOS_KERNELS=1)
      endif()
    endif()
  endif()

  set(${_karpos_out} "${_karpos_missing}")
  if(NOT _karpos_missing)
    _karpos_add(${_karpos_target} LINK ${_karpos_libraries})
    _karpos_add(${_karpos_target} DEFINE ${_karpos_definitions})
    _karpos_add_openmp_simd(${_karpos_target})
    string(REPLACE ";" " " _karpos_devices "${KARPOS_KOKKOS_DEVICES}")
    string(REPLACE ";" " " _karpos_definitions "${_karpos_definitions}")
    set(_karpos_where "${Kokkos_DIR}")
    if(NOT _karpos_where)
      set(_karpos_where "part of this build")
    endif()
    if(NOT karpos_FIND_QUIETLY)
      message(STATUS
        "karpos: Kokkos ${KARPOS_KOKKOS_FOUND_VERSION} (${_karpos_devices}), ${_karpos_where}; ${_karpos_definitions}")
      _karpos_note_default_space()
    endif()
  endif()
endmacro()

# The space that Kokkos takes by default, and with it tensors whose space is not named, is its device,
# else its parallel host space. Asking for another backend of the same Kokkos does not change that.
function(_karpos_note_default_space)
  if(KARPOS_BACKEND STREQUAL "AUTO")
    return()
  endif()
  foreach(device IN ITEMS CUDA HIP SYCL OPENACC HPX OPENMP THREADS SERIAL)
    if(device IN_LIST KARPOS_KOKKOS_DEVICES)
      string(TOUPPER "${KARPOS_BACKEND}" backend)
      if(NOT device STREQUAL backend)
        message(STATUS
          "karpos: this Kokkos has ${backend}, but its default space is ${device}: name the space of a tensor, or put a Kokkos without ${device} first")
      endif()
      return()
    endif()
  endforeach()
endfunction()

# Without OpenMP the compiler ignores `#pragma omp simd`, and loops that rely on it stay scalar. The
# flag turns on that pragma alone: no threads, no run-time library.
function(_karpos_add_openmp_simd target)
  if("OPENMP" IN_LIST KARPOS_KOKKOS_DEVICES)
    return()
  endif()
  set(host "$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang,IntelLLVM>")
  set(cuda "$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>")
  _karpos_add(${target} OPTION
    "$<${host}:-fopenmp-simd>" "$<${cuda}:-Xcompiler=-fopenmp-simd>")
  _karpos_add(${target} DEFINE "$<$<OR:${host},${cuda}>:KARPOS_OPENMP_SIMD=1>")
endfunction()
