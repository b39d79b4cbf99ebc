# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Messages, timing, and the runner that keeps a long step talking. Sourced by ./dev, which sets $tree.

cache=${KARPOS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/karpos}
jobs=${KARPOS_JOBS:-$(nproc)}
started=$SECONDS
setup_seconds=0

say() { printf '%s\n' "dev: $*" >&2; }

# A failed step: exit 1. A request that cannot be carried out as asked: one line and exit 2.
die() {
  say "$*"
  exit 1
}

die_usage() {
  say "$*"
  exit 2
}

# need_value OPTION ARGUMENTS-LEFT: refuses an option that stands last without its value.
need_value() {
  [[ $2 -ge 2 ]] || die_usage "$1 needs a value"
}

# Set-up is told apart from the rest because it happens once per machine.
report_times() {
  local total=$((SECONDS - started))
  say "done: set-up ${setup_seconds} s, the rest $((total - setup_seconds)) s"
}

# with_progress TITLE LOG PROGRESS-FUNCTION CMD...: runs CMD into LOG, prints a line every few seconds; on failure the end of LOG.
with_progress() {
  local title=$1 log=$2 progress=$3 begin=$SECONDS status=0 child beat=0
  shift 3
  say "$title"
  # A process group of its own (-m), so that an interrupt ends the whole of it and nothing goes on in the background.
  set -m
  {
    set +m
    "$@"
  } >"$log" 2>&1 </dev/null &
  set +m
  child=$!
  trap 'kill -TERM -- "-$child" 2>/dev/null; wait "$child" 2>/dev/null || true; exit 130' INT TERM
  while kill -0 "$child" 2>/dev/null; do
    sleep 1
    beat=$((beat + 1))
    ((beat % 5)) || say "  $((SECONDS - begin)) s  $("$progress" "$log")"
  done
  wait "$child" || status=$?
  trap - INT TERM
  if [[ $status -ne 0 ]]; then
    tail -n 40 "$log" >&2
    say "failed after $((SECONDS - begin)) s: $title (whole log: $log)"
  else
    say "  $((SECONDS - begin)) s  done"
  fi
  return "$status"
}
