#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mmdebstrap hook of the OpenMP root: Debian's libkokkos-dev 5.2.2-2 leaves out two static libraries that its CMake files
# name, so find_package(Kokkos) refuses the whole package. Upstream's hold one empty object each (the components are
# headers), so empty archives complete the installation. Does nothing where the package is whole. Argument: the root.
set -euo pipefail

root=$1
shopt -s nullglob
for config in "$root"/usr/lib/*/cmake/Kokkos/KokkosTargets-*.cmake; do
  libraries=${config%/cmake/*}
  grep -oE 'libkokkos(algorithms|simd)\.a' "$config" | sort -u | while read -r archive; do
    [[ -e $libraries/$archive ]] || chroot "$root" ar rcs "${libraries#"$root"}/$archive"
  done || true
done
