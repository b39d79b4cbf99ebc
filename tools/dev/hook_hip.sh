#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mmdebstrap hook of the HIP root: only the headers of rocBLAS. The gate compiles and never links, and the library's
# dependencies are 4 GB. Argument: the root.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# The settings of the apt that fills the root, so that the package is the root's release's.
APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -o APT::Sandbox::User=root download librocblas-dev
dpkg -x librocblas-dev_*.deb unpacked
cp -r unpacked/usr/include/. "$root/usr/include/"
