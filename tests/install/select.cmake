# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DWORK=... -DMODULES=... -P select.cmake: which of several Kokkos is taken, and what is said when
# none is. Only package files are made, for the choice reads nothing else.

cmake_minimum_required(VERSION 3.25)

include("${MODULES}/KarposKokkos.cmake")
file(REMOVE_RECURSE "${WORK}")
set(KARPOS_KOKKOS_NO_SYSTEM_PREFIXES ON)
foreach(name IN ITEMS Kokkos_ROOT KOKKOS_ROOT Kokkos_DIR CMAKE_PREFIX_PATH)
  unset(ENV{${name}})
endforeach()

function(make_kokkos name libdir version devices)
  set(dir "${WORK}/${name}/${libdir}/cmake/Kokkos")
  file(WRITE "${dir}/KokkosConfig.cmake" "message(FATAL_ERROR \"a package was loaded only to be looked at\")\n")
  file(WRITE "${dir}/KokkosConfigCommon.cmake" "SET(Kokkos_DEVICES ${devices})\nset(Kokkos_CXX_COMPILER \"/x/c++\")\n")
  file(WRITE "${dir}/KokkosConfigVersion.cmake" "set(PACKAGE_VERSION \"${version}\")\n")
endfunction()
make_kokkos(old lib 3.4.0 "SERIAL;CUDA")
make_kokkos(serial lib/x86_64-linux-gnu 5.0.2 SERIAL)
make_kokkos(openmp lib64 5.2.2 "OPENMP;SERIAL")
make_kokkos(cuda lib 4.7.1 "CUDA;SERIAL")

function(expect backend name)
  karpos_select_kokkos(got ${backend})
  if(name AND NOT got_PREFIX STREQUAL "${WORK}/${name}")
    message(SEND_ERROR "${backend}: expected ${name}, got '${got_PREFIX}'\n${got_REFUSAL}")
  elseif(NOT name AND got_DIR)
    message(SEND_ERROR "${backend}: expected a refusal, got ${got_DIR}")
  endif()
  foreach(text IN LISTS ARGN)
    string(FIND "${got_REFUSAL}" "${text}" at)
    if(at EQUAL -1)
      message(SEND_ERROR "${backend}: the refusal does not say '${text}':\n${got_REFUSAL}")
    endif()
  endforeach()
endfunction()

set(Kokkos_ROOT "${WORK}/old" "${WORK}/serial")
set(CMAKE_PREFIX_PATH "${WORK}/openmp")
set(ENV{CMAKE_PREFIX_PATH} "${WORK}/nowhere:${WORK}/cuda")
expect(AUTO serial)
expect(SERIAL serial)
expect(OPENMP openmp)
expect(CUDA cuda)
expect(HIP "" "${WORK}/old: Kokkos 3.4.0, devices SERIAL CUDA (too old" "${WORK}/serial: Kokkos 5.0.2, devices SERIAL\n"
  "${WORK}/openmp: Kokkos 5.2.2, devices OPENMP SERIAL" "${WORK}/cuda: Kokkos 4.7.1, devices CUDA SERIAL"
  "-DKokkos_ENABLE_HIP=ON" "-DCMAKE_CXX_COMPILER=hipcc")

# The environment's list alone, in its order.
unset(Kokkos_ROOT)
unset(CMAKE_PREFIX_PATH)
set(ENV{CMAKE_PREFIX_PATH} "")
set(ENV{Kokkos_ROOT} "${WORK}/cuda:${WORK}/serial")
expect(AUTO cuda)
expect(SERIAL cuda)
expect(OPENMP "" "-DKokkos_ENABLE_OPENMP=ON")

# A Kokkos_DIR of the user's comes first; one that an earlier run left there does not count.
set(Kokkos_DIR "${WORK}/openmp/lib64/cmake/Kokkos")
expect(AUTO openmp)
set(KARPOS_SELECTED_KOKKOS_DIR "${Kokkos_DIR}" CACHE INTERNAL "")
expect(AUTO cuda)

unset(ENV{Kokkos_ROOT})
expect(AUTO "" "no Kokkos was found" "none at all")
expect(CUDA "" "nvcc_wrapper")
