# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# setup, exec, test, bench: configurations (the presets of CMakePresets.json), where each is built, and what is run in it.

configs=(openmp serial asan ubsan tsan cuda hip release)

# place_of CONFIG: "host", or the root that has what the configuration needs. The thread sanitizer goes to the Serial
# root: Debian's libgomp is not instrumented, so each of its barriers would be reported as a race, while the
# concurrency that is Karpos' own (pool, registries, thread-local state) is driven by the tests' std::threads.
place_of() {
  case $1 in
    cuda | hip) echo host ;;
    *) if on_host; then echo host; else root_for "$1"; fi ;;
  esac
}

root_for() {
  case $1 in
    serial | tsan) echo serial ;;
    *) echo openmp ;;
  esac
}

known_config() {
  [[ " ${configs[*]} " == *" $1 "* ]] || die_usage "unknown configuration '$1'; there are ${configs[*]}"
}

# prepare CONFIG: makes the root that it is built in, or refuses what this machine cannot build.
prepare() {
  local place
  place=$(place_of "$1")
  if [[ $place != host ]]; then
    ensure_root "$place"
  elif ! on_host && [[ -z $(kokkos_argument "$1") ]]; then
    die_usage "'$1' needs a Kokkos of this machine; set Kokkos_ROOT (for cuda also KARPOS_CUDA_KOKKOS, for hip KARPOS_HIP_KOKKOS)"
  fi
}

# in_place CONFIG CMD...: CMD from the top of the tree, in the environment of the configuration.
in_place() {
  local place
  place=$(place_of "$1")
  shift
  if [[ $place == host ]]; then
    (cd "$tree" && "$@")
  else
    (cd "$tree" && enter_root "$place" "$@")
  fi
}

# Which Kokkos, where there is a choice.
kokkos_argument() {
  local directory='' variable=KARPOS_${1^^}_KOKKOS
  if [[ $1 == cuda || $1 == hip ]]; then
    directory=${!variable:-}
  fi
  if [[ -z $directory && $(place_of "$1") == host ]] && on_host; then
    directory=$(host_kokkos_for "$1")
  fi
  [[ -z $directory ]] || printf -- '-DKokkos_ROOT=%s\n' "$directory"
}

# configure CONFIG [CMAKE-ARGS...]
configure() {
  local config=$1 arguments=()
  shift
  mapfile -t arguments < <(kokkos_argument "$config")
  in_place "$config" cmake --preset "$config" "${arguments[@]}" "$@"
}

# build CONFIG [CMAKE-BUILD-ARGS...]: ninja prints its own progress.
build() {
  local config=$1
  shift
  in_place "$config" cmake --build --preset "$config" -j "$jobs" "$@"
}

describe_build() {
  local place
  place=$(place_of "$1")
  if [[ $place == host ]]; then
    say "$1: on this machine"
  else
    say "$1: in the $place root (Kokkos $(kokkos_version "$(root_path "$place")/usr/include/kokkos"))"
  fi
}

command_setup() {
  local hip=no
  while [[ $# -gt 0 ]]; do
    case $1 in
      --hip) hip=yes ;;
      *) die_usage "setup: unknown argument '$1'" ;;
    esac
    shift
  done
  if on_host; then
    say "this machine has Kokkos, nothing to set up:"
    sed 's/^/dev:   /' <<<"${host_kokkos//|/  }" >&2
  else
    ensure_root openmp
    ensure_root serial
  fi
  [[ $hip == no ]] || ensure_root hip
  report_times
}

command_exec() {
  local root=''
  if [[ ${1:-} == --root ]]; then
    need_value --root $#
    root=$2
    shift 2
  fi
  [[ ${1:-} != -- ]] || shift
  [[ $# -gt 0 ]] || die_usage "exec: no command given"
  if [[ -z $root ]] && on_host; then
    exec "$@"
  fi
  ensure_root "${root:-openmp}"
  enter_root "${root:-openmp}" "$@"
}

# The configurations that `test` runs when none is named.
default_configs() {
  if on_host; then host_configs; else printf '%s\n' openmp serial; fi
}

expand_config() {
  if [[ $1 == all ]]; then
    default_configs
    printf '%s\n' asan tsan # asan looks for nearly all that ubsan looks for
  else
    known_config "$1"
    printf '%s\n' "$1"
  fi
}

command_test() {
  local chosen=() ctest_arguments=() failed=() config
  while [[ $# -gt 0 ]]; do
    case $1 in
      --config)
        need_value --config $#
        [[ $2 == all ]] || known_config "$2"
        mapfile -t -O "${#chosen[@]}" chosen < <(expand_config "$2")
        shift
        ;;
      --)
        shift
        ctest_arguments=("$@")
        break
        ;;
      *) die_usage "test: unknown argument '$1'" ;;
    esac
    shift
  done
  [[ ${#chosen[@]} -gt 0 ]] || mapfile -t chosen < <(default_configs)
  for config in "${chosen[@]}"; do prepare "$config"; done
  for config in "${chosen[@]}"; do
    test_one "$config" "${ctest_arguments[@]}" || failed+=("$config")
    # What looks at the sources and not at the build (layering, headers, code that must not compile,
    # compile cost) says the same in each configuration: the first one is enough.
    [[ " ${ctest_arguments[*]} " == *' -LE static '* ]] || ctest_arguments+=(-LE static)
  done
  report_times
  [[ ${#failed[@]} -eq 0 ]] || die "FAILED: ${failed[*]}"
  say "passed: ${chosen[*]}"
}

test_one() {
  local config=$1 begin=$SECONDS built second=()
  shift
  describe_build "$config"
  mapfile -t second < <(second_kokkos "$config")
  configure "$config" -DKARPOS_ENABLE_TESTS=ON "${second[@]}" || return
  build "$config" -- -k 0 || return # one run shows every error
  built=$SECONDS
  run_ctest "$config" "$@" || return
  say "$config: built in $((built - begin)) s, tested in $((SECONDS - built)) s"
}

# The other root's Kokkos, for the test that one installation serves two; the roots see each other.
second_kokkos() {
  local other
  [[ $(place_of "$1") == openmp ]] || return 0
  other=$(root_path serial)
  [[ ! -d $other/usr ]] || printf -- '-DKARPOS_SECOND_KOKKOS_ROOT=%s\n' "$other/usr"
}

run_ctest() (
  config=$1
  shift
  # Tests run side by side: threads bound to the same cores would queue behind each other.
  export OMP_PROC_BIND=${OMP_PROC_BIND:-false}
  # The pool would hide a use after free from the sanitizers.
  case $config in asan | ubsan | tsan) export KARPOS_POOL=${KARPOS_POOL:-off} ;; esac
  in_place "$config" ctest --preset "$config" -j "$jobs" --no-tests=error "$@"
)

command_bench() {
  local config='' filter=. out=''
  while [[ $# -gt 0 ]]; do
    need_value "$1" $#
    case $1 in
      --backend) config=${2,,} ;;
      --filter) filter=$2 ;;
      --out) out=$2 ;;
      *) die_usage "bench: unknown argument '$1'" ;;
    esac
    shift 2
  done
  [[ -n $config ]] || config=$(default_configs | head -n 1)
  known_config "$config"
  [[ -z $out ]] || { : >"$out"; } 2>/dev/null || die_usage "bench: cannot write $out"
  prepare "$config"
  describe_build "$config"
  configure "$config" -DKARPOS_ENABLE_BENCHMARKS=ON
  build "$config" --target bench/all
  run_benchmarks "$config" "$filter" "$out"
  report_times
}

run_benchmarks() {
  local config=$1 filter=$2 out=$3 binary name results=$tree/build/$1/bench-results files=()
  rm -rf "$results"
  mkdir -p "$results"
  for binary in "$tree/build/$config"/bench/bench_*; do
    [[ -f $binary && -x $binary ]] || continue
    name=${binary##*/}
    say "bench: $name"
    bound "$config" "$binary" --benchmark_filter="$filter" --benchmark_out="$results/$name.json" --benchmark_out_format=json
    [[ ! -s $results/$name.json ]] || files+=("$results/$name.json")
  done
  run_peers "$config" "$filter" "$results/peers.json"
  [[ ! -s $results/peers.json ]] || files+=("$results/peers.json")
  [[ ${#files[@]} -gt 0 ]] || die "no benchmark matches '$filter' in build/$config/bench"
  [[ -z $out ]] || in_place "$config" python3 "$tree/tools/dev/join_benchmarks.py" "${files[@]}" >"$out"
}

# NumPy, CuPy and PyTorch, those that are there.
run_peers() {
  local config=$1 filter=$2 out=$3 device=host
  [[ $config == cuda ]] && device=cuda
  [[ $config != hip ]] || return 0
  say "bench: NumPy, CuPy, PyTorch, where they are"
  bound "$config" python3 "$tree/bench/peers.py" --device "$device" --benchmark_filter "$filter" --benchmark_out "$out"
}

# bound CONFIG CMD...: a measurement runs with its threads bound, unless the caller has settings of their own.
bound() (
  export OMP_PROC_BIND=${OMP_PROC_BIND:-spread} OMP_PLACES=${OMP_PLACES:-cores}
  in_place "$@"
)
