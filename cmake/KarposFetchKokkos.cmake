# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# KARPOS_FETCH_KOKKOS: upstream's release of Kokkos as part of this build, pinned by version and hash.
# Both are given by the user. A hash written here would be one that nobody of this project has checked
# against upstream's release, and a pin that was never checked is worse than none.
#   -DKARPOS_FETCH_KOKKOS=ON -DKARPOS_BACKEND=OPENMP
#   -DKARPOS_KOKKOS_VERSION=<x.y.z> -DKARPOS_KOKKOS_URL_HASH=SHA256=<64 digits, from upstream's release page>
# The download has not been run by this project (its machines do not reach upstream). With
# FETCHCONTENT_SOURCE_DIR_KOKKOS naming a source tree, the same path builds without a download.

include(FetchContent)

set(KARPOS_KOKKOS_VERSION "" CACHE STRING "version of the Kokkos release to fetch")
set(KARPOS_KOKKOS_URL_HASH "" CACHE STRING "SHA256=... of that release")
set(KARPOS_KOKKOS_URL
  "https://github.com/kokkos/kokkos/releases/download/${KARPOS_KOKKOS_VERSION}/kokkos-${KARPOS_KOKKOS_VERSION}.tar.gz"
  CACHE STRING "where that release is")

if(TARGET Kokkos::kokkos)
  message(FATAL_ERROR "karpos: KARPOS_FETCH_KOKKOS is ON, but this build already has a Kokkos::kokkos")
endif()
if(NOT FETCHCONTENT_SOURCE_DIR_KOKKOS)
  if(NOT KARPOS_KOKKOS_VERSION MATCHES "^[0-9]+\\.[0-9]+\\.[0-9]+$"
      OR NOT KARPOS_KOKKOS_URL_HASH MATCHES "^SHA(256|512)=[0-9a-fA-F]+$")
    message(FATAL_ERROR
      "karpos: KARPOS_FETCH_KOKKOS needs the release to fetch and its hash:\n"
      "  -DKARPOS_KOKKOS_VERSION=<x.y.z> -DKARPOS_KOKKOS_URL_HASH=SHA256=<digits from the release page>\n")
  endif()
endif()

string(TOUPPER "${KARPOS_BACKEND}" backend)
set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "")
if(backend STREQUAL "AUTO")
  set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "")
else()
  set(Kokkos_ENABLE_${backend} ON CACHE BOOL "")
endif()

FetchContent_Declare(kokkos
  URL "${KARPOS_KOKKOS_URL}" URL_HASH "${KARPOS_KOKKOS_URL_HASH}" DOWNLOAD_EXTRACT_TIMESTAMP FALSE
  SYSTEM)
FetchContent_MakeAvailable(kokkos)
