# shellcheck shell=bash
command_setup() { ensure_root openmp; ensure_root serial; report_times; }
command_exec() {
  local root=openmp
  if [[ ${1:-} == --root ]]; then root=$2; shift 2; fi
  [[ ${1:-} != -- ]] || shift
  ensure_root "$root"
  enter_root "$root" "$@"
}
kokkos_headers() { printf '%s/usr/include/kokkos\n' "$(root_path openmp)"; }
