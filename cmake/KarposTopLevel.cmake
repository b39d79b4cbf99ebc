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

# Object files from ccache, where it is installed. A precompiled header needs the sloppiness: its macros
# and time stamps are inside it. (Wrappers for device compilers confuse ccache; set the launcher by hand.)
if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper|hipcc")
  find_program(KARPOS_CCACHE ccache)
  mark_as_advanced(KARPOS_CCACHE)
  if(KARPOS_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${KARPOS_CCACHE}")
  endif()
endif()

set(KARPOS_SANITIZE "" CACHE STRING "sanitizers for everything in this build: address, undefined, thread")
if(KARPOS_SANITIZE)
  set(sanitize "-fsanitize=${KARPOS_SANITIZE}" -fno-omit-frame-pointer)
  if(KARPOS_SANITIZE MATCHES "undefined")
    list(APPEND sanitize -fno-sanitize-recover=all)
    if(KARPOS_SANITIZE MATCHES "address")  # sees such pointers when they are used; these two are a fifth of the compile time
      list(APPEND sanitize -fno-sanitize=null,pointer-overflow)
    endif()
  endif()
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
