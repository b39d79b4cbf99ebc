# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which Kokkos to build against. Several Kokkos installations (CUDA, HIP, OpenMP, Serial) usually sit
# side by side and find_package takes the first, whatever it can do. This module reads what each one
# offers, without loading it, and takes the first that has the backend asked for.
#
# It is installed with the package: the same choice is made in the configure run of each consumer.
# It must not depend on project(): the top-level build uses it to find the compiler as well.

cmake_policy(VERSION 3.25)  # whatever the consumer asks for
include_guard(GLOBAL)

set(KARPOS_KOKKOS_MINIMUM_VERSION 4.6)
set(KARPOS_BACKENDS AUTO SERIAL THREADS OPENMP CUDA HIP)

# Splits a PATH-like environment variable (: on Unix) or a CMake list.
function(_karpos_env_list out name)
  set(value "$ENV{${name}}")
  if(NOT CMAKE_HOST_WIN32)
    string(REPLACE ":" ";" value "${value}")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Prefixes to look in, in the order of find_package: the package's own variables first, then
# CMAKE_PREFIX_PATH, then what PATH implies (module systems set nothing else), then the system.
function(karpos_kokkos_roots out)
  set(roots)
  # A Kokkos_DIR that an earlier run of this module left in the cache is no wish of the user's.
  if(Kokkos_DIR AND NOT Kokkos_DIR STREQUAL "$CACHE{KARPOS_SELECTED_KOKKOS_DIR}")
    list(APPEND roots "${Kokkos_DIR}")
  endif()
  list(APPEND roots ${Kokkos_ROOT} ${KOKKOS_ROOT})
  foreach(name IN ITEMS Kokkos_DIR Kokkos_ROOT KOKKOS_ROOT)
    _karpos_env_list(from_env ${name})
    list(APPEND roots ${from_env})
  endforeach()
  list(APPEND roots ${CMAKE_PREFIX_PATH})
  _karpos_env_list(from_env CMAKE_PREFIX_PATH)
  list(APPEND roots ${from_env})
  if(NOT KARPOS_KOKKOS_NO_SYSTEM_PREFIXES)
    _karpos_env_list(from_env PATH)
    foreach(dir IN LISTS from_env)
      if(dir MATCHES "^(.+)/s?bin/?$")
        list(APPEND roots "${CMAKE_MATCH_1}")
      endif()
    endforeach()
    list(APPEND roots ${CMAKE_SYSTEM_PREFIX_PATH} /usr/local /usr)
  endif()
  list(REMOVE_DUPLICATES roots)
  set(${out} "${roots}" PARENT_SCOPE)
endfunction()

# Directories that hold a KokkosConfig.cmake, each real directory once.
function(karpos_kokkos_config_dirs out)
  karpos_kokkos_roots(roots)
  set(dirs)
  set(seen)
  foreach(root IN LISTS roots)
    if(NOT IS_DIRECTORY "${root}")
      continue()
    endif()
    file(GLOB configs
      "${root}/KokkosConfig.cmake"
      "${root}/lib/cmake/Kokkos/KokkosConfig.cmake"
      "${root}/lib64/cmake/Kokkos/KokkosConfig.cmake"
      "${root}/lib/*/cmake/Kokkos/KokkosConfig.cmake"
      "${root}/share/cmake/Kokkos/KokkosConfig.cmake")
    foreach(config IN LISTS configs)
      get_filename_component(real "${config}" REALPATH)
      if(NOT real IN_LIST seen)
        list(APPEND seen "${real}")
        get_filename_component(dir "${config}" DIRECTORY)
        list(APPEND dirs "${dir}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${dirs}" PARENT_SCOPE)
endfunction()

# The value that a Kokkos package file gives to a variable, read as text: including the file would
# create targets and global state of a Kokkos that may not be the one chosen.
function(_karpos_read_set out file variable)
  set(value)
  if(EXISTS "${file}")
    file(READ "${file}" text)
    if(text MATCHES "[Ss][Ee][Tt] *\\( *${variable} +\"?([^\")]*)\"?\\)")
      set(value "${CMAKE_MATCH_1}")
      string(REGEX REPLACE "[ \t\r\n]+" ";" value "${value}")
    endif()
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# karpos_probe_kokkos(<prefix of the variables> <config directory>)
# sets <p>_PREFIX, <p>_VERSION, <p>_DEVICES, <p>_COMPILER.
function(karpos_probe_kokkos p dir)
  _karpos_read_set(version "${dir}/KokkosConfigVersion.cmake" PACKAGE_VERSION)
  foreach(name IN ITEMS DEVICES CXX_COMPILER)
    set(${name})
    foreach(file IN ITEMS KokkosConfigCommon.cmake KokkosConfig.cmake)
      if(NOT ${name})
        _karpos_read_set(${name} "${dir}/${file}" Kokkos_${name})
      endif()
    endforeach()
  endforeach()
  string(TOUPPER "${DEVICES}" DEVICES)
  string(REGEX REPLACE "/(lib|lib64|share|lib/[^/]+)/cmake/Kokkos/?$" "" root "${dir}")
  set(${p}_PREFIX "${root}" PARENT_SCOPE)
  set(${p}_VERSION "${version}" PARENT_SCOPE)
  set(${p}_DEVICES "${DEVICES}" PARENT_SCOPE)
  set(${p}_COMPILER "${CXX_COMPILER}" PARENT_SCOPE)
endfunction()

# The command lines that build a Kokkos with the given backend.
function(_karpos_kokkos_recipe out backend)
  set(devices "-DKokkos_ENABLE_SERIAL=ON")
  set(compiler "")
  if(backend STREQUAL "AUTO")
    set(backend OPENMP)
  endif()
  if(NOT backend STREQUAL "SERIAL")
    string(APPEND devices " -DKokkos_ENABLE_${backend}=ON")
  endif()
  if(backend STREQUAL "CUDA")
    set(compiler " -DCMAKE_CXX_COMPILER=$PWD/kokkos/bin/nvcc_wrapper -DKokkos_ARCH_NATIVE=ON")
  elseif(backend STREQUAL "HIP")
    set(compiler " -DCMAKE_CXX_COMPILER=hipcc -DKokkos_ARCH_AMD_GFX942=ON")
  endif()
  string(TOLOWER "kokkos-${backend}" name)
  set(${out}
    "  cmake -S kokkos -B build-${name} -DCMAKE_BUILD_TYPE=Release ${devices}${compiler} -DCMAKE_INSTALL_PREFIX=$HOME/${name}\n  cmake --build build-${name} --target install\n"
    PARENT_SCOPE)
endfunction()

# karpos_select_kokkos(<prefix of the variables> <backend>)
# sets <p>_DIR and what karpos_probe_kokkos sets; when none fits, <p>_DIR is empty and <p>_REFUSAL is
# the text for the user: every prefix with its devices, and how to build the one that is missing.
function(karpos_select_kokkos p backend)
  karpos_kokkos_config_dirs(dirs)
  set(listing)
  set(chosen)
  foreach(dir IN LISTS dirs)
    karpos_probe_kokkos(found "${dir}")
    set(note)
    if(found_VERSION AND found_VERSION VERSION_LESS KARPOS_KOKKOS_MINIMUM_VERSION)
      set(note " (too old: Karpos needs ${KARPOS_KOKKOS_MINIMUM_VERSION} or newer)")
    elseif(backend STREQUAL "AUTO" OR backend IN_LIST found_DEVICES)
      set(chosen "${dir}")
      break()
    endif()
    string(REPLACE ";" " " devices "${found_DEVICES}")
    string(APPEND listing "  ${found_PREFIX}: Kokkos ${found_VERSION}, devices ${devices}${note}\n")
  endforeach()

  set(${p}_DIR "${chosen}" PARENT_SCOPE)
  if(chosen)
    foreach(name IN ITEMS PREFIX VERSION DEVICES COMPILER)
      set(${p}_${name} "${found_${name}}" PARENT_SCOPE)
    endforeach()
    return()
  endif()

  if(NOT listing)
    karpos_kokkos_roots(roots)
    string(REPLACE ";" " " roots "${roots}")
    set(listing "  none at all, in ${roots}\n")
  endif()
  _karpos_kokkos_recipe(recipe ${backend})
  if(backend STREQUAL "AUTO")
    set(what "no Kokkos")
    set(backend OPENMP)
  else()
    set(what "no Kokkos with the ${backend} backend")
  endif()
  string(TOLOWER "kokkos-${backend}" name)
  set(${p}_REFUSAL
    "karpos: ${what} was found. Looked at:\n${listing}Build one from Kokkos' sources:\n${recipe}and name its prefix (the list may hold several, KARPOS_BACKEND picks):\n  -DKokkos_ROOT=$HOME/${name}\n"
    PARENT_SCOPE)
endfunction()

# Devices of a Kokkos::kokkos that already exists: a package found by the enclosing project, or a
# Kokkos built as part of it (then only its cache options tell).
function(_karpos_existing_devices out)
  set(devices "${Kokkos_DEVICES}")
  if(NOT devices)
    foreach(device IN ITEMS SERIAL THREADS OPENMP CUDA HIP SYCL HPX OPENACC)
      if(Kokkos_ENABLE_${device})
        list(APPEND devices ${device})
      endif()
    endforeach()
  endif()
  if(NOT devices AND Kokkos_DIR)
    karpos_probe_kokkos(found "${Kokkos_DIR}")
    set(devices "${found_DEVICES}")
  endif()
  string(TOUPPER "${devices}" devices)
  set(${out} "${devices}" PARENT_SCOPE)
endfunction()

# karpos_find_kokkos(<variable for the refusal>)
# Makes Kokkos::kokkos exist and sets KARPOS_KOKKOS_DEVICES and KARPOS_KOKKOS_FOUND_VERSION. A macro, so that
# what Kokkos' package sets is seen by the caller, as after find_package(Kokkos).
macro(karpos_find_kokkos _karpos_refusal)
  set(${_karpos_refusal} "")
  if(NOT KARPOS_BACKEND)
    set(KARPOS_BACKEND AUTO)
  endif()
  string(TOUPPER "${KARPOS_BACKEND}" _karpos_backend)
  if(NOT _karpos_backend IN_LIST KARPOS_BACKENDS)
    string(REPLACE ";" " " _karpos_backends "${KARPOS_BACKENDS}")
    set(${_karpos_refusal}
      "karpos: KARPOS_BACKEND is '${KARPOS_BACKEND}', which is none of: ${_karpos_backends}")
  elseif(TARGET Kokkos::kokkos)
    _karpos_existing_devices(KARPOS_KOKKOS_DEVICES)
    set(KARPOS_KOKKOS_FOUND_VERSION "${Kokkos_VERSION}")
    if(NOT _karpos_backend STREQUAL "AUTO" AND NOT _karpos_backend IN_LIST KARPOS_KOKKOS_DEVICES)
      _karpos_kokkos_recipe(_karpos_recipe ${_karpos_backend})
      string(REPLACE ";" " " _karpos_devices "${KARPOS_KOKKOS_DEVICES}")
      set(${_karpos_refusal}
        "karpos: the Kokkos::kokkos of the enclosing project has no ${_karpos_backend} backend:\n  ${Kokkos_DIR}: Kokkos ${Kokkos_VERSION}, devices ${_karpos_devices}\nBuild one from Kokkos' sources:\n${_karpos_recipe}")
    endif()
  else()
    karpos_select_kokkos(_karpos_kokkos ${_karpos_backend})
    if(_karpos_kokkos_DIR)
      set(KARPOS_SELECTED_KOKKOS_DIR "${_karpos_kokkos_DIR}" CACHE INTERNAL
        "the Kokkos package that Karpos chose")
      set(Kokkos_DIR "${_karpos_kokkos_DIR}" CACHE PATH "the Kokkos package in use" FORCE)
      # No version here: Kokkos' package accepts one major version only, and the minimum was checked.
      find_package(Kokkos CONFIG REQUIRED PATHS "${_karpos_kokkos_DIR}" NO_DEFAULT_PATH)
      set(KARPOS_KOKKOS_DEVICES "${_karpos_kokkos_DEVICES}")
      set(KARPOS_KOKKOS_FOUND_VERSION "${_karpos_kokkos_VERSION}")
    else()
      set(${_karpos_refusal} "${_karpos_kokkos_REFUSAL}")
    endif()
  endif()
endmacro()

# The compiler that the chosen Kokkos needs: nvcc_wrapper for CUDA, for HIP the one it was built with.
# For the top-level build only, before project(): a consumer's compiler is the consumer's business
# (Kokkos' package then redirects the compilations of a plain host compiler to nvcc_wrapper).
function(karpos_choose_compiler)
  if(CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
    return()
  endif()
  if(NOT KARPOS_BACKEND)
    set(KARPOS_BACKEND AUTO)
  endif()
  string(TOUPPER "${KARPOS_BACKEND}" backend)
  karpos_select_kokkos(kokkos ${backend})
  if("CUDA" IN_LIST kokkos_DEVICES)
    find_program(KARPOS_NVCC_WRAPPER nvcc_wrapper HINTS "${kokkos_PREFIX}/bin")
    set(compiler "${KARPOS_NVCC_WRAPPER}")
    if(NOT compiler)
      set(compiler "${kokkos_COMPILER}")
    endif()
  elseif("HIP" IN_LIST kokkos_DEVICES)
    set(compiler "${kokkos_COMPILER}")
    if(NOT EXISTS "${compiler}")
      find_program(KARPOS_HIP_COMPILER NAMES hipcc amdclang++ HINTS ENV ROCM_PATH PATHS /opt/rocm
        PATH_SUFFIXES bin)
      set(compiler "${KARPOS_HIP_COMPILER}")
    endif()
  endif()
  if(compiler AND EXISTS "${compiler}")
    message(STATUS "karpos: C++ compiler of the Kokkos in ${kokkos_PREFIX}: ${compiler}")
    set(CMAKE_CXX_COMPILER "${compiler}" CACHE FILEPATH "C++ compiler" FORCE)
  endif()
endfunction()
