# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Compile gates: every header and at least one instantiation of every kernel family goes through the vendor's compiler,
# warnings as errors, on machines without a GPU and without a Kokkos for it. cmake/gates turns the configuration of an
# installed Kokkos over. Nothing is linked or run. Compiler caches stay out: they would not see what only a device pass reads.

command_gate() {
  [[ $# -eq 1 ]] || die_usage "gate: one of cuda and hip"
  case $1 in
    cuda) gate_tools=gate_tools_cuda gate_variants=(CUDA) gate_refusal='calling a __host__ function' ;;
    hip) gate_tools=gate_tools_hip gate_variants=(HIP_GFX90A HIP_GFX942 HIP_HOST) gate_refusal='reference to __host__ function' ;;
    *) die_usage "gate: unknown gate '$1'; there are cuda and hip" ;;
  esac
  gate_name=$1 gate_folder=$tree/build/gate/$1
  if ! "$gate_tools"; then
    say "gate $1: skipped: $gate_why"
    return 0
  fi
  rm -rf "$gate_folder"
  mkdir -p "$gate_folder"
  gate_libraries
  gate_write_units
  gate_compile_units
  gate_test_itself
  report_times
  say "gate $1: passed with $gate_version and the headers of Kokkos $(kokkos_version "$gate_kokkos"): compiled for" \
    "${gate_architectures}, not linked, not run; the planted host call was refused"
}

# Each gate_tools_* sets gate_command (compiler and its own flags), gate_kokkos, gate_version, gate_architectures, or
# gate_why and returns 1.
gate_tools_cuda() {
  local nvcc
  nvcc=$(command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc") || {
    gate_why='no nvcc on this machine'
    return 1
  }
  gate_kokkos_headers || return
  # all-warnings: by default nvcc only warns of a host function called from device code.
  gate_command=("$nvcc" -std=c++20 --extended-lambda -arch=sm_90 -x cu -c -Werror=all-warnings -Xcompiler=-Wall,-Wextra)
  gate_version="nvcc $("$nvcc" --version | sed -n 's/.*, V//p')" gate_architectures=sm_90
}

gate_tools_hip() {
  gate_kokkos_headers || return
  gate_command=(hipcc)
  if ! command -v hipcc >/dev/null; then
    try_root hip || {
      gate_why='no hipcc on this machine, and none could be had from the archive'
      return 1
    }
    gate_command=(enter_root hip hipcc)
  fi
  gate_version="hipcc $("${gate_command[@]}" --version | sed -n 's/^HIP version: //p')"
  gate_architectures='gfx90a and gfx942'
  gate_command+=(-std=c++20 -x hip -c -Wall -Wextra -Werror)
}

gate_kokkos_headers() {
  on_host || try_root openmp || {
    gate_why='no Kokkos headers: this machine has none, and none could be had from the archive'
    return 1
  }
  gate_kokkos=$(kokkos_headers)
}

# ensure_root for a caller that can do without. Accounts for the time itself: the subshell cannot.
try_root() {
  local begin=$SECONDS status=0
  (ensure_root "$1") || status=$?
  setup_seconds=$((setup_seconds + SECONDS - begin))
  return "$status"
}

# Vendor calls are compiled where the vendor's headers are. Sets gate_foreign: names of backend headers that cannot be.
gate_libraries() {
  local macro header
  case $gate_name in
    cuda) macro=KARPOS_HAS_CUBLAS header=cublas_v2.h gate_foreign='roc|hip|kokkos_kernels' ;;
    hip) macro=KARPOS_HAS_ROCBLAS header=rocblas/rocblas.h gate_foreign='cu|nv|kokkos_kernels' ;;
  esac
  printf '#include <%s>\n' "$header" >"$gate_folder/library.cpp"
  if "${gate_command[@]}" "$gate_folder/library.cpp" -o "$gate_folder/library.o" >"$gate_folder/library.log" 2>&1; then
    gate_command+=("-D$macro=1")
  else
    say "gate $gate_name: no $header here: the calls to that library are not compiled"
    gate_foreign='roc|hip|cu|nv|kokkos_kernels'
  fi
}

# One unit with every header, since Kokkos alone costs 15 s a unit, and one for each file of tests/gate.
gate_write_units() {
  all_headers "$gate_foreign" >"$gate_folder/headers.cpp"
  mapfile -t gate_units < <(find "$tree/tests/gate" -name '*.cpp' | LC_ALL=C sort)
  [[ ${#gate_units[@]} -gt 0 ]] || die "gate $gate_name: FAILED: tests/gate has no kernel instantiations to compile"
  gate_units=("$gate_folder/headers.cpp" "${gate_units[@]}")
}

# all_headers FOREIGN: a unit that includes every header but those of backends whose names begin so (a regular expression).
all_headers() {
  (cd "$tree/include" && find karpos -name '*.hpp') | grep -vE "/backend/.*/($1)[^/]*\.hpp\$" | LC_ALL=C sort | sed 's/.*/#include <&>/'
}

# gate_compile VARIANT SOURCE OBJECT
gate_compile() {
  local kokkos=$gate_kokkos target=() configuration=$1
  # The host pass is the same for each architecture; hipcc's default, -O3 in every pass, takes four times as long.
  case $1 in
    HIP_HOST) configuration=HIP_GFX90A target=(--offload-arch=gfx90a --offload-host-only -O0) ;;
    HIP_*) target=("--offload-arch=${1#HIP_}" --offload-device-only -O1) target=("${target[@],,}") ;;
  esac
  # The HIP root has them at the usual place.
  [[ ${gate_command[0]} != enter_root ]] || kokkos=/usr/include/kokkos
  "${gate_command[@]}" "${target[@]}" "-DKARPOS_GATE_$configuration" -I "$tree/cmake/gates" -I "$tree/include" -isystem "$kokkos" "$2" -o "$3"
}

# One line for each unit on stdout, the compiler's messages after the line of a unit that failed.
gate_compile_unit() {
  local variant=$1 source=$2 base=${2##*/} begin=$SECONDS log status=0
  log=$gate_folder/${base%.cpp}.$variant.log
  gate_compile "$variant" "$source" "${log%.log}.o" >"$log" 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    printf 'compiled %s for %s in %d s\n' "$base" "$variant" $((SECONDS - begin))
  else
    printf 'FAILED %s for %s\n%s\n' "$base" "$variant" "$(grep -m 5 -A 12 -E 'error' "$log" || head -n 40 "$log")"
  fi
  return "$status"
}

gate_compile_all() {
  local variant unit running=0 failed=0
  trap 'kill $(jobs -p) 2>/dev/null; exit 143' TERM
  for unit in "${gate_units[@]}"; do
    for variant in "${gate_variants[@]}"; do
      if ((running >= jobs)); then
        wait -n || failed=1
        running=$((running - 1))
      fi
      gate_compile_unit "$variant" "$unit" &
      running=$((running + 1))
    done
  done
  while ((running > 0)); do
    wait -n || failed=1
    running=$((running - 1))
  done
  return "$failed"
}

progress_units() {
  printf '%d of %d units' "$(grep -cE '^(compiled|FAILED) ' "$1")" $((${#gate_units[@]} * ${#gate_variants[@]}))
}

gate_compile_units() {
  local log=$gate_folder/units.log status=0
  with_progress "gate $gate_name: $(wc -l <"$gate_folder/headers.cpp") headers and $((${#gate_units[@]} - 1)) kernel files, ${gate_version}" \
    "$log" progress_units gate_compile_all || status=$?
  grep -E '^(compiled|FAILED) ' "$log" | sed 's/^/dev:   /' >&2
  [[ $status -eq 0 ]] || die "gate $gate_name: FAILED"
}

# A gate that accepts a host call in device code proves nothing.
gate_test_itself() {
  local planted=$gate_folder/planted.cpp log=$gate_folder/planted.log
  cp "$tree/tests/gate/planted_host_call.cpp.in" "$planted"
  say "gate $gate_name: a planted host call in device code must be refused"
  if gate_compile "${gate_variants[0]}" "$planted" "$gate_folder/planted.o" >"$log" 2>&1; then
    die "gate $gate_name: FAILED: it accepted $planted"
  fi
  grep -q "$gate_refusal" "$log" || die "gate $gate_name: FAILED: the planted call was not what was refused, see $log"
  say "  $(grep -m 1 "$gate_refusal" "$log")"
}
