# SPDX-FileCopyrightText: Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Does this machine have a Kokkos of its own? If so ./dev builds on the machine itself and makes no root.

host_rows=unknown # rows of probe/CMakeLists.txt, asked for once

# Prints "VERSION<TAB>CONFIG-DIRECTORY<TAB>DEVICES" for each Kokkos of the machine.
host_kokkos() {
  if [[ $host_rows == unknown ]]; then
    host_rows=$(probe_host)
    [[ -n $host_rows || -z ${Kokkos_ROOT:-${KOKKOS_ROOT:-}} ]] ||
      die_usage "Kokkos_ROOT is set, but CMake finds no Kokkos 4.6 or newer in ${Kokkos_ROOT:-$KOKKOS_ROOT}"
  fi
  printf '%s' "$host_rows"
}

probe_host() {
  local scratch multiarch
  command -v cmake >/dev/null || return 0
  scratch=$(mktemp -d)
  # Debian's library directories carry the machine's triplet, which CMake only learns from a compiler.
  multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch 2>/dev/null || true)
  # CMake before 3.27 reads Kokkos_ROOT but not KOKKOS_ROOT.
  Kokkos_ROOT=${Kokkos_ROOT:-${KOKKOS_ROOT:-}} cmake -S "$tree/tools/dev/probe" -B "$scratch" -G "Unix Makefiles" \
    -DOUTPUT="$scratch/rows" -DCMAKE_LIBRARY_ARCHITECTURE="$multiarch" -DCMAKE_MAKE_PROGRAM=none >"$scratch/log" 2>&1 || true
  cat "$scratch/rows" 2>/dev/null || true
  rm -rf "$scratch"
}

on_host() { [[ -n $(host_kokkos) ]]; }

# host_offers DEVICE: is there a Kokkos of the machine with that device?
host_offers() { host_kokkos | cut -f3 | grep -qiw -- "$1"; }

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
  while IFS=$'\t' read -r _ directory _; do
    headers_above "$directory" && return
  done < <(host_kokkos)
  printf '%s/usr/include/kokkos\n' "$(root_path openmp)"
}

# kokkos_version HEADERS: 5.2.2 from "#define KOKKOS_VERSION 50202".
kokkos_version() {
  local number
  number=$(sed -n 's/^#define KOKKOS_VERSION \([0-9]*\).*/\1/p' "$1/KokkosCore_config.h" 2>/dev/null)
  [[ -n $number ]] && printf '%d.%d.%d' $((number / 10000)) $((number / 100 % 100)) $((number % 100))
}
