# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# clang-format 19 over what git knows or would add. Other versions lay out concepts differently, so they are refused.

command_format() {
  local files=() formatter
  [[ $# -eq 0 || $* == --check ]] || die_usage "format: unknown argument '$1'"
  mapfile -t files < <(source_files)
  [[ ${#files[@]} -gt 0 ]] || die "format: no source files"
  prepare openmp
  formatter=$(in_place openmp sh -c 'command -v clang-format-19 || command -v clang-format') || formatter=none
  [[ $(in_place openmp "$formatter" --version 2>/dev/null) == *' 19.'* ]] || die_usage "format: no clang-format 19 on this machine"
  if [[ $# -eq 0 ]]; then
    say "formatting ${#files[@]} files"
    in_place openmp "$formatter" -i "${files[@]}"
  else
    say "checking the format of ${#files[@]} files"
    check_format "$formatter" "${files[@]}"
  fi
}

check_format() {
  local formatter=$1 wrong=()
  shift
  mapfile -t wrong < <(in_place openmp "$formatter" --dry-run "$@" 2>&1 | sed -n 's/:[0-9]*:[0-9]*: .*clang-format-violations.*//p' | sort -u)
  [[ ${#wrong[@]} -gt 0 ]] || return 0
  printf '%s\n' "${wrong[@]}"
  die "format: FAILED: ${#wrong[@]} files are not as ./dev format would leave them"
}

# A file that was deleted but not yet committed is still in git's list.
source_files() {
  in_place openmp git ls-files -co --exclude-standard -- '*.hpp' '*.cpp' '*.h' '*.cpp.in' | sort -u | while read -r file; do
    [[ ! -f $tree/$file ]] || printf '%s\n' "$file"
  done
}
