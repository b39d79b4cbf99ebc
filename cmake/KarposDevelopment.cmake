# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the project's own programs are built with. Nothing of it reaches users of karpos::karpos.

include_guard(GLOBAL)

# A set that header code can hold under every compiler in use; -Werror is CMAKE_COMPILE_WARNING_AS_ERROR,
# which the presets set. g++'s full -Wshadow rejects a constructor's parameter that is named as a member;
# clang's does not. What g++ guesses from the flow after inlining is shown, but is no error: at -O3 it is
# wrong about std::vector and about arrays filled in loops, each release in another place.
function(karpos_warnings target)
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:-Wall;-Wextra;-Wpedantic>"
    "$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wno-error=maybe-uninitialized;-Wno-error=free-nonheap-object>"
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds;-Wno-error=stringop-overflow>"
    "$<$<CXX_COMPILER_ID:Clang,AppleClang,IntelLLVM>:-Wshadow>")
endfunction()

# Full optimisation, for this machine's processor where KARPOS_NATIVE asks for it: for programs whose
# time is measured. Never part of karpos::karpos, where it would decide for the whole consumer.
function(karpos_optimise target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:RelWithDebInfo,MinSizeRel>:-O3>")
  if(KARPOS_NATIVE)
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-march=native>")
  endif()
endfunction()

# karpos_describe_build(): karpos_build_flags, _device_compiler and _kokkos_kernels, which go into the results of what
# measures; empty where there is none.
macro(karpos_describe_build)
  set(karpos_build_flags "${CMAKE_CXX_FLAGS}")
  if(KARPOS_NATIVE)
    string(APPEND karpos_build_flags " -march=native")
  endif()
  string(STRIP "${karpos_build_flags}" karpos_build_flags)
  set(karpos_build_device_compiler)
  if("CUDA" IN_LIST KARPOS_KOKKOS_DEVICES AND CUDAToolkit_VERSION)
    set(karpos_build_device_compiler "CUDA ${CUDAToolkit_VERSION}")
  endif()
  set(karpos_build_kokkos_kernels)
  if(karpos_kokkos_kernels_FOUND AND KokkosKernels_DIR)
    _karpos_kokkos_kernels_version(karpos_build_kokkos_kernels "${KokkosKernels_DIR}")
  endif()
endmacro()

set(KARPOS_TEST_COMPILE_OPTIONS "" CACHE STRING "further options for the tests' sources, after all others")

# Environment of every program that ctest starts. The number of threads is fixed, so that a test takes
# the same path on every machine; a pool would hide use after free from the sanitizers.
set(KARPOS_TEST_THREADS 2 CACHE STRING "host threads of one test")
set(karpos_test_environment
  OMP_NUM_THREADS=${KARPOS_TEST_THREADS} OMP_PROC_BIND=false KOKKOS_NUM_THREADS=${KARPOS_TEST_THREADS}
  OPENBLAS_NUM_THREADS=${KARPOS_TEST_THREADS})
if(KARPOS_SANITIZE)
  # An allocation that fails throws, as without the sanitizer: tests ask for more than there is. Unoptimised
  # and instrumented, random tests are some 50 times slower: fewer rounds.
  list(APPEND karpos_test_environment KARPOS_POOL=off ASAN_OPTIONS=allocator_may_return_null=1
    TSAN_OPTIONS=allocator_may_return_null=1 KARPOS_TEST_ROUNDS=0.1)
endif()

# karpos_test_properties(<test> [LABELS ...]): environment, labels, and the threads that ctest -j counts.
function(karpos_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${karpos_test_environment}" LABELS "${arg_LABELS}"
    PROCESSORS ${KARPOS_TEST_THREADS} TIMEOUT 1500)
endfunction()
