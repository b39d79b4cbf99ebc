# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# clang-format over what git knows or would add.

command_format() {
  local files=() mode=(-i)
  case ${1:-} in
    '') ;;
    --check) mode=(--dry-run -Werror) ;;
    *) die_usage "format: unknown argument '$1'" ;;
  esac
  mapfile -t files < <(source_files)
  [[ ${#files[@]} -gt 0 ]] || die "format: no source files"
  prepare openmp
  in_place openmp sh -c 'command -v clang-format' >/dev/null || die_usage "format: no clang-format on this machine"
  say "clang-format ${mode[*]}: ${#files[@]} files, $(in_place openmp clang-format --version)"
  in_place openmp clang-format "${mode[@]}" "${files[@]}"
}

# A file that was deleted but not yet committed is still in git's list.
source_files() {
  git -C "$tree" ls-files -co --exclude-standard -- '*.hpp' '*.cpp' '*.h' '*.cpp.in' | sort -u | while read -r file; do
    [[ ! -f $tree/$file ]] || printf '%s\n' "$file"
  done
}
