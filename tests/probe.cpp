// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in compile_commands.json so that tests/compiler.py can read how this build compiles a
// source.
