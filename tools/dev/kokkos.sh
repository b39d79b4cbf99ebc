# SPDX-FileCopyrightText: Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Does this machine have a Kokkos of its own? If so ./dev builds on the machine itself and makes no root.
