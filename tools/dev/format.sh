# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# clang-format 19 over what git knows or would add. Other versions lay out concepts differently, so they are refused.

command_format() {
  local files=() mode=(-i) formatter
  case ${1:-} in
    '') ;;
    --check) mode=(--dry-run -Werror) ;;
    *) die_usage "format: unknown argument '$1'" ;;
  esac
  mapfile -t files < <(source_files)
  [[ ${#files[@]} -gt 0 ]] || die "format: no source files"
  prepare openmp
  formatter=$(in_place openmp sh -c 'command -v clang-format-19 || command -v clang-format') || formatter=none
  [[ $(in_place openmp "$formatter" --version 2>/dev/null) == *' 19.'* ]] || die_usage "format: no clang-format 19 on this machine"
  say "clang-format ${mode[*]}: ${#files[@]} files"
  in_place openmp "$formatter" "${mode[@]}" "${files[@]}"
}

# A file that was deleted but not yet committed is still in git's list.
source_files() {
  git -C "$tree" ls-files -co --exclude-standard -- '*.hpp' '*.cpp' '*.h' '*.cpp.in' | sort -u | while read -r file; do
    [[ ! -f $tree/$file ]] || printf '%s\n' "$file"
  done
}
