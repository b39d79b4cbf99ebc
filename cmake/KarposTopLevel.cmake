# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Settings of the whole build, made only when Karpos is the top of it.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug Release RelWithDebInfo MinSizeRel" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
# The checks of headers, of rejected code and of compile cost take their command lines from it.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Not part of ALL: cmake --build ... --target all_verify_interface_header_sets
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

set(KARPOS_SANITIZE "" CACHE STRING "sanitizers for everything in this build: address, undefined, thread")
if(KARPOS_SANITIZE)
  set(sanitize "-fsanitize=${KARPOS_SANITIZE}" -fno-omit-frame-pointer)
  if(KARPOS_SANITIZE MATCHES "undefined")
    list(APPEND sanitize -fno-sanitize-recover=all)
  endif()
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
