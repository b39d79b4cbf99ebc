# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# demo: the same two computations on the same files in every build that can be had, and their results side by side.

# A device build on top of the roots' two, where the caller names its Kokkos.
demo_configs() {
  local config
  {
    default_configs
    for config in cuda hip; do
      [[ -z $(kokkos_argument "$config") ]] || echo "$config"
    done
  } | awk '!seen[$0]++'
}

# The matrices are written by NumPy where there is one; karpos-compare makes its own otherwise.
write_inputs() {
  local config=$1 folder=$2
  in_place "$config" python3 -c 'import numpy' 2>/dev/null || return 0
  in_place "$config" python3 "$tree/tools/dev/demo_inputs.py" "$folder"
}

command_demo() {
  local builds=() config folder=$tree/build/demo
  [[ $# -eq 0 ]] || die_usage "demo: unknown argument '$1'"
  mapfile -t builds < <(demo_configs)
  for config in "${builds[@]}"; do prepare "$config"; done
  rm -rf "$folder"
  mkdir -p "$folder"
  for config in "${builds[@]}"; do
    describe_build "$config"
    configure "$config" -DKARPOS_ENABLE_TOOLS=ON
    build "$config" --target karpos-compare karpos-report
  done
  say "inputs: 1000 x 1000 doubles in build/demo"
  write_inputs "${builds[0]}" "$folder"
  for config in "${builds[@]}"; do
    demo_run "$config" "$folder" matmul A.npy B.npy
    demo_run "$config" "$folder" elementwise X.npy Y.npy
  done
  demo_merge "$folder" matmul "${builds[@]}"
  demo_merge "$folder" elementwise "${builds[@]}"
  report_times
}

demo_run() {
  local config=$1 folder=$2 operation=$3 inputs=("$2/$4" "$2/$5")
  [[ -e ${inputs[0]} ]] || inputs=(--n 1000 --dtype f64)
  say "$config: karpos-compare $operation ${inputs[*]#"$tree/"}"
  bound "$config" "$tree/build/$config/tools/karpos-compare" "$operation" "${inputs[@]}" --json "$folder/$operation-$config.json"
}

demo_merge() {
  local folder=$1 operation=$2 first=$3 files
  shift 2
  files=("${@/#/$folder/$operation-}")
  say "$operation, all builds:"
  in_place "$first" "$tree/build/$first/tools/karpos-report" merge "${files[@]/%/.json}"
}
