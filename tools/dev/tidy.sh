# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# clang-tidy 19 with the tree's .clang-tidy. Without arguments: what is shipped, that is every header in one unit and the
# kernel families that tests/gate instantiates (a minute); --all: every source (long); or the sources named.

command_tidy() {
  local sources=("$@") log=$tree/build/tidy/log status=0
  mkdir -p "$tree/build/tidy"
  if [[ $* == --all ]]; then
    # Wrong on purpose; and for MPI's compiler.
    mapfile -t sources < <(source_files | grep -E '\.cpp$' | grep -vE '^(tests/compile_fail|examples/mpi_halo)/')
  elif [[ $# -eq 0 ]]; then
    mapfile -t sources < <(cd "$tree" && printf '%s\n' tests/gate/*.cpp)
  fi
  if [[ $# -eq 0 || $* == --all ]]; then
    all_headers 'roc|hip|cu|nv|kokkos_kernels' >"$tree/build/tidy/headers.cpp"
    sources=(build/tidy/headers.cpp "${sources[@]}")
  fi
  prepare openmp
  tidy=$(in_place openmp sh -c 'command -v clang-tidy-19 || command -v clang-tidy') || tidy=none
  [[ $(in_place openmp "$tidy" --version 2>/dev/null) == *' 19.'* ]] || die_usage "tidy: no clang-tidy 19 on this machine"
  # What tools and benchmarks generate when they are configured.
  [[ -f $tree/build/openmp/CMakeCache.txt ]] || configure openmp
  tidy_flags
  with_progress "tidy: ${#sources[@]} units" "$log" tidy_progress tidy_units "${sources[@]}" || status=$?
  [[ $status -eq 0 ]] || die "tidy: FAILED: $(grep -c 'error:' "$log") findings"
}

# Sets flags: clang's own, since those of the build are g++'s. Of g++ it takes omp.h alone, whose malloc attributes name
# the function that frees: a form that clang does not know.
tidy_flags() {
  local omp
  omp=$(in_place openmp g++ -print-file-name=include/omp.h)
  flags=(-std=c++20 -fopenmp -idirafter "${omp%/*}" '-D__malloc__(...)=__malloc__' -DKARPOS_HAS_BLAS=1 -DKOKKOS_DEPENDENCE
    -Iinclude -Itests -Itools -Ibench -Ibuild/openmp/tools -isystem "$(tidy_kokkos)")
}

# The root has them at the usual place.
tidy_kokkos() {
  if on_host; then kokkos_headers; else echo /usr/include/kokkos; fi
}

# xargs: one process for each unit, as many at once as there are jobs; 123 when one of them failed.
tidy_units() {
  printf '%s\0' "$@" | in_place openmp xargs -0 -P "$jobs" -I{} sh -c '"$@" && echo "checked {}" || { echo "FAILED {}"; exit 1; }' \
    sh "$tidy" --quiet {} -- "${flags[@]}" 2>&1 | grep --line-buffered -v 'warnings generated\.$'
}

tidy_progress() {
  printf '%d units' "$(grep -cE '^(checked|FAILED) ' "$1")"
}
