# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -P: prints "VERSION|CONFIG-DIRECTORY|DEVICES" for every Kokkos of this machine that Karpos accepts, by the very
# search that the build makes.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/KarposKokkos.cmake")

karpos_kokkos_config_dirs(directories)
foreach(directory IN LISTS directories)
  karpos_probe_kokkos(found "${directory}")
  if(found_DEVICES AND found_VERSION VERSION_GREATER_EQUAL KARPOS_KOKKOS_MINIMUM_VERSION)
    string(REPLACE ";" " " devices "${found_DEVICES}")
    message(NOTICE "${found_VERSION}|${directory}|${devices}")
  endif()
endforeach()
