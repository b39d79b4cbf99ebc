# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Does this machine have a Kokkos of its own? If so ./dev builds on the machine itself and makes no root.

# Asked for once, here and not in a function, so that every subshell knows the answer.
# Rows "VERSION|CONFIG-DIRECTORY|DEVICES", one for each Kokkos.
host_kokkos=$(command -v cmake >/dev/null && cmake -P "$tree/tools/dev/probe.cmake" 2>&1 | grep '|') || host_kokkos=''

on_host() {
  [[ -n $host_kokkos || -z ${Kokkos_ROOT:-}${KOKKOS_ROOT:-} ]] ||
    die_usage "no Kokkos that Karpos accepts in Kokkos_ROOT=${Kokkos_ROOT:-$KOKKOS_ROOT}"
  [[ -n $host_kokkos ]]
}

# config_of_devices DEVICES: the preset that makes the most of a Kokkos; a device build has the host spaces in it too.
config_of_devices() {
  case " $1 " in
    *' CUDA '*) echo cuda ;;
    *' HIP '*) echo hip ;;
    *' OPENMP '*) echo openmp ;;
    *' SERIAL '*) echo serial ;;
    *) echo release ;;
  esac
}

# The builds that the machine's Kokkos installations are good for, each once.
host_configs() {
  local devices
  while IFS='|' read -r _ _ devices; do
    config_of_devices "$devices"
  done <<<"$host_kokkos" | awk '!seen[$0]++'
}

# host_kokkos_for CONFIG: directory of the first Kokkos whose best use that is, else of the first that has the device.
host_kokkos_for() {
  local config=$1 directory devices fallback=''
  case $config in
    asan | ubsan) config=openmp ;; # through nvcc_wrapper or hipcc the sanitizers see little of the host code
    tsan) config=serial ;;
  esac
  while IFS='|' read -r _ directory devices; do
    if [[ $(config_of_devices "$devices") == "$config" ]]; then
      printf '%s\n' "$directory"
      return
    fi
    [[ " $devices " != *" ${config^^} "* || -n $fallback ]] || fallback=$directory
  done <<<"$host_kokkos"
  printf '%s\n' "$fallback"
}

# headers_above DIRECTORY: the include directory of the installation that DIRECTORY (of KokkosConfig.cmake) lies in.
headers_above() {
  local directory=$1 include
  while [[ $directory == /?* ]]; do
    directory=${directory%/*}
    for include in "$directory/include/kokkos" "$directory/include"; do
      if [[ -e $include/Kokkos_Core.hpp ]]; then
        printf '%s\n' "$include"
        return
      fi
    done
  done
  return 1
}

# The directory of Kokkos_Core.hpp: the machine's Kokkos, else the openmp root's.
kokkos_headers() {
  local directory
  if on_host; then
    while IFS='|' read -r _ directory _; do
      headers_above "$directory" && return
    done <<<"$host_kokkos"
  fi
  printf '%s/usr/include/kokkos\n' "$(root_path openmp)"
}

# kokkos_version HEADERS: 5.2.2 from "#define KOKKOS_VERSION 50202".
kokkos_version() {
  local number
  number=$(sed -n 's/^#define KOKKOS_VERSION \([0-9]*\).*/\1/p' "$1/KokkosCore_config.h")
  printf '%d.%d.%d\n' $((number / 10000)) $((number / 100 % 100)) $((number % 100))
}
