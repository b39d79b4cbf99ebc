# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Root file systems with a compiler and a Kokkos, for machines whose distribution has none, and the way into them.
# Debian's libkokkos-dev has OpenMP only, Trilinos' Kokkos has Serial only, and the two conflict: hence two roots.

common_packages=(g++ cmake ninja-build ccache git ca-certificates pkgconf libopenblas-openmp-dev libgtest-dev libgmock-dev
  libbenchmark-dev nlohmann-json3-dev libcli11-dev python3 python3-numpy)

# root_spec NAME: sets spec_base (release), spec_extra (suite that one group of packages comes from), spec_pinned (that group), spec_packages.
root_spec() {
  spec_extra='' spec_pinned=''
  case $1 in
    openmp)
      spec_base=trixie spec_extra=unstable spec_pinned='libkokkos*'
      spec_packages=(libkokkos-dev "${common_packages[@]}" clang-format clang-tidy libopenmpi-dev openmpi-bin
        libeigen3-dev libxtensor-dev libxsimd-dev)
      ;;
    serial)
      spec_base=trixie spec_extra=experimental spec_pinned='libtrilinos* trilinos*'
      spec_packages=(libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev "${common_packages[@]}")
      ;;
    hip)
      # Newer than the base of the others: trixie's hipcc is clang 17 with ROCm 5.7.
      spec_base=forky
      spec_packages=(hipcc ccache)
      ;;
    *) die_usage "unknown root '$1'; there are openmp, serial and hip" ;;
  esac
}

# What is done to a root after its packages are in; most need nothing.
root_hook() {
  local hook=$tree/tools/dev/hook_$1.sh
  [[ -e $hook ]] || hook=/dev/null
  printf '%s\n' "$hook"
}

# The key is what the root is made from, so a changed list makes a new root and two checkouts share equal ones.
root_path() {
  local key
  root_spec "$1"
  key=$({
    printf '%s\n' "$spec_base" "$spec_extra" "$spec_pinned" "${spec_packages[@]}"
    grep -v "^ *#" "$(root_hook "$1")" || true
  } | sha256sum | cut -c1-12)
  printf '%s/roots/%s-%s\n' "$cache" "$1" "$key"
}

root_preferences() {
  [[ -n $spec_extra ]] || return 0
  printf 'Package: *\nPin: release a=%s\nPin-Priority: 100\n\n' "$spec_extra"
  printf 'Package: %s\nPin: release a=%s\nPin-Priority: 990\n' "$spec_pinned" "$spec_extra"
}

root_sources() {
  local source=$1 suite uri keyring
  IFS=$'\t' read -r uri keyring <<<"$source"
  for suite in "$spec_base" ${spec_extra:+"$spec_extra"}; do
    printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$suite"
  done
}

# Counts from apt's and dpkg's own lines.
progress_packages() {
  awk '/newly installed/ { total += $3 } /^Get:/ { got++ } /^Unpacking / { unpacked++ } /^Setting up / { set_up++ }
    END { printf "packages: %d fetched, %d unpacked, %d set up of %d", got, unpacked, set_up, total }' "$1"
}

# bootstrap NAME DIRECTORY OPTIONS...: reads spec_*; run under `unshare -m`, so that a killed run leaves no mount behind.
bootstrap() {
  local name=$1 directory=$2 source work hook options=() more=("${@:3}")
  source=$(debian_source) || die_usage "apt's sources name no Debian mirror; set KARPOS_DEBIAN_MIRROR, or Kokkos_ROOT"
  mapfile -t options < <(apt_options)
  work=$directory.work
  mkdir -p "$work"
  root_preferences >"$work/karpos"
  root_sources "$source" >"$work/sources"
  hook=$(root_hook "$name")
  [[ $hook == /dev/null ]] || options+=("--customize-hook='$hook' \"\$1\"")
  # Documentation and translations are a fifth of the bytes, and nothing here reads them.
  unshare -m --propagation private mmdebstrap --mode=root --variant=apt --format=directory --verbose \
    --include="$(IFS=,; echo "${spec_packages[*]}")" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' "${options[@]}" "${more[@]}" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --setup-hook="mkdir -p \"\$1/etc/apt/preferences.d\" && cp '$work/karpos' \"\$1/etc/apt/preferences.d/karpos\"" \
    "$spec_base" "$directory" - <"$work/sources"
}

# make_root NAME PATH PARTIAL OPTIONS...: from the archive, with progress and a log.
make_root() {
  local name=$1 path=$2 partial=$3
  shift 3
  rm -rf --one-file-system "$partial" "$partial.work"
  with_progress "making the $name root file system from Debian $spec_base${spec_extra:+ and $spec_extra} in $path" \
    "$cache/log/$name.log" progress_packages bootstrap "$name" "$partial" "$@"
}

# ensure_root NAME: makes the root unless it is there. It gets its final name only when complete.
ensure_root() {
  local name=$1 path partial lock begin=$SECONDS
  path=$(root_path "$name")
  [[ -d $path ]] && return
  ensure_mmdebstrap
  root_spec "$name"
  mkdir -p "$cache/roots" "$cache/log"
  partial=$path.partial
  exec {lock}>"$cache/roots/$name.lock"
  flock -n "$lock" || { say "waiting for another ./dev that makes the $name root"; flock "$lock"; }
  if [[ ! -d $path ]]; then
    make_root "$name" "$path" "$partial" || {
      grep -q 'Release file for .* is expired' "$cache/log/$name.log" || die "the $name root could not be made"
      say "the mirror is older than its own promise: taken as it is, its signatures are checked all the same"
      make_root "$name" "$path" "$partial" --aptopt='Acquire::Check-Valid-Until "false"' ||
        die "the $name root could not be made"
    }
    rm -rf "$partial.work"
    mv -T "$partial" "$path"
    say "$name root: $(root_versions "$path")"
  fi
  exec {lock}>&-
  setup_seconds=$((setup_seconds + SECONDS - begin))
}

# Names what the archive had on the day, since the archive moves.
root_versions() {
  chroot "$1" dpkg-query -W -f '${Package} ${Version}\n' 2>/dev/null |
    awk '$1 ~ /^(libkokkos-dev|libtrilinos-kokkos-dev|libtrilinos-kokkos-kernels-dev|trilinos-dev|g\+\+|hipcc|cmake)$/ { printf "%s%s", (n++ ? ", " : ""), $0 }'
}

# Runs inside the private mount namespace; the mounts go away with the process.
# Arguments: ROOT DIRECTORY BINDS... -- CMD...
enter_mounted() {
  local root=$1 directory=$2 pair
  shift 2
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  while [[ $1 != -- ]]; do
    pair=$1
    shift
    mkdir -p "$root${pair#*=}"
    mount --rbind "${pair%%=*}" "$root${pair#*=}"
  done
  shift
  # shellcheck disable=SC2016  # the dollars are the inner shell's
  exec chroot "$root" /bin/bash -c 'cd "$1" && shift && exec "$@"' dev "$directory" "$@"
}

# The caller's settings that mean something in the root; the rest (PATH, compiler paths, locale) is the machine's own.
root_environment() {
  env -0 | grep -zE '^(CMAKE_|KARPOS_|Kokkos_|KOKKOS_|OMP_|OPENBLAS_|GTEST_|CTEST_|BENCHMARK_|CCACHE_|([ALTU]|UB)SAN_OPTIONS|CXXFLAGS|LDFLAGS|NINJA_STATUS|VERBOSE|CI=|TERM=)' || true
}

# enter_root NAME CMD...: CMD in the root, in the present directory if the root sees it, else in the tree.
enter_root() {
  local name=$1 root environment=() binds=()
  shift
  root=$(root_path "$name")
  [[ $(id -u) -eq 0 ]] || die_usage "entering a root file system needs root"
  mkdir -p "$cache/ccache"
  mapfile -d '' -t environment < <(root_environment)
  binds=(/tmp=/tmp "$cache=$cache" "$tree=$tree")
  mapfile -t -O "${#binds[@]}" binds < <(extra_binds "$name")
  environment+=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    # Paths below the tree are hashed relative to it: a second checkout finds the first one's objects.
    "CCACHE_DIR=$cache/ccache" "CCACHE_BASEDIR=$tree" CCACHE_NOHASHDIR=1
    # The tree may belong to another user than root, and mpirun refuses root unless told twice.
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory "GIT_CONFIG_VALUE_0=$tree"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  local directory=$tree
  case $PWD/ in "$tree"/* | /tmp/* | "$cache"/*) directory=$PWD ;; esac
  unshare -m --propagation private env -i "${environment[@]}" /bin/bash -c \
    "set -e; $(declare -f enter_mounted); enter_mounted \"\$@\"" dev "$root" "$directory" "${binds[@]}" -- "$@"
}

# A git worktree keeps its repository elsewhere; the HIP root has no Kokkos of its own and borrows the OpenMP root's headers.
extra_binds() {
  local repository
  repository=$(git -C "$tree" rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || repository=$tree
  case $repository/ in "$tree"/*) ;; *) printf '%s=%s\n' "$repository" "$repository" ;; esac
  [[ $1 != hip ]] || printf '%s=/usr/include/kokkos\n' "$(kokkos_headers)"
}
