# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCASE=... -D... -P run.cmake: one consumer configured, built and run, or one configure run that
# must be refused. Every folder below WORK is made anew.

cmake_minimum_required(VERSION 3.25)

function(run_or_die what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${what} failed (${code}):\n  ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# consume(<folder of a consumer> <compiler> <cache settings>...)
function(consume folder compiler)
  file(REMOVE_RECURSE "${WORK}/${CASE}")
  run_or_die("configuring ${CASE}" "${CMAKE_COMMAND}" -S "${HERE}/${folder}" -B "${WORK}/${CASE}"
    -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${compiler}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Debug
    ${ARGN})
  string(REGEX MATCH "karpos: Kokkos [^\n]*" summary "${output}")
  message(STATUS "${summary}")
  run_or_die("building ${CASE}" "${CMAKE_COMMAND}" --build "${WORK}/${CASE}")
  run_or_die("running ${CASE}" "${WORK}/${CASE}/consumer")
  if(NOT output MATCHES " ${reused} blocks reused")
    message(FATAL_ERROR "${CASE}: not ${reused} blocks reused:\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

set(HERE "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${WORK}/prefix")
set(reused "[1-9][0-9]*")  # what the pool does unless it is off
foreach(name IN ITEMS LAUNCHER DEVICES)  # lists do not survive the command line of a test
  string(REPLACE "|" ";" ${name} "${${name}}")
endforeach()
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")
set(kokkos "-DKokkos_DIR=${KOKKOS_DIR}" "-DKARPOS_BACKEND=${BACKEND}")

if(CASE STREQUAL "install")
  # Installed in one place and moved to another: nothing in it may remember where it was made.
  file(REMOVE_RECURSE "${prefix}" "${prefix}-before")
  run_or_die("installing" "${CMAKE_COMMAND}" --install "${BINARY}" --prefix "${prefix}-before"
    --component karpos_development)
  file(RENAME "${prefix}-before" "${prefix}")
  file(GLOB_RECURSE files "${prefix}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    foreach(path IN ITEMS "${SOURCE}" "${BINARY}" "${KOKKOS_DIR}" "${prefix}-before")
      string(FIND "${text}" "${path}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} remembers ${path}")
      endif()
    endforeach()
  endforeach()

elseif(CASE STREQUAL "package")
  consume(package "${COMPILER}" "-Dkarpos_ROOT=${prefix}" ${kokkos})

elseif(CASE STREQUAL "package_second_kokkos")
  consume(package "${SECOND_COMPILER}" "-Dkarpos_ROOT=${prefix}" "-DKokkos_DIR=${SECOND_KOKKOS_DIR}"
    -DKARPOS_BACKEND=AUTO
    # Its shared libraries need each other, and a prefix off the loader's path finds only the direct ones.
    -DKARPOS_ENABLE_KOKKOS_KERNELS=OFF)

elseif(CASE STREQUAL "subdirectory")
  set(reused 0)
  consume(subdirectory "${COMPILER}" "-DKARPOS_SOURCE=${SOURCE}" -DKARPOS_ENABLE_POOL=OFF ${kokkos})

elseif(CASE STREQUAL "subdirectory_with_kokkos")
  consume(subdirectory_with_kokkos "${COMPILER}" "-DKARPOS_SOURCE=${SOURCE}"
    "-DPARENT_KOKKOS_DIR=${KOKKOS_DIR}" "-DKARPOS_BACKEND=${BACKEND}")

elseif(CASE STREQUAL "fetchcontent")
  set(archive "${WORK}/karpos.tar.gz")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${archive}"
    CMakeLists.txt LICENSE cmake include WORKING_DIRECTORY "${SOURCE}" COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${archive}" hash)
  consume(fetchcontent "${COMPILER}" "-DKARPOS_ARCHIVE=${archive}" "-DKARPOS_ARCHIVE_SHA256=${hash}" ${kokkos})

elseif(CASE STREQUAL "refusal" OR CASE STREQUAL "refusal_package")
  # A backend that the Kokkos of this build does not have, and no other Kokkos in sight.
  file(REMOVE_RECURSE "${WORK}/${CASE}")
  if(CASE STREQUAL "refusal")
    set(project "${SOURCE}")
  else()
    set(project "${HERE}/package")
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${WORK}/${CASE}" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-Dkarpos_ROOT=${prefix}"
      "-DKokkos_DIR=${KOKKOS_DIR}" -DKARPOS_BACKEND=${ABSENT_BACKEND} -DKARPOS_KOKKOS_NO_SYSTEM_PREFIXES=ON
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0)
    message(FATAL_ERROR "KARPOS_BACKEND=${ABSENT_BACKEND} was accepted:\n${output}")
  endif()
  # CMake wraps long lines of its messages.
  string(REGEX REPLACE "[ \n]+" " " flat "${output}")
  string(REPLACE ";" " " DEVICES "${DEVICES}")
  foreach(text IN ITEMS "no Kokkos with the ${ABSENT_BACKEND} backend" "${KOKKOS_PREFIX}: Kokkos "
      "devices ${DEVICES}" "cmake -S kokkos -B " "-DKokkos_ENABLE_${ABSENT_BACKEND}=ON" "-DKokkos_ROOT=")
    string(FIND "${flat}" "${text}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "the refusal does not say '${text}':\n${output}")
    endif()
  endforeach()
  message(STATUS "${output}")

else()
  message(FATAL_ERROR "unknown CASE '${CASE}'")
endif()
