# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# What this machine's own apt says about Debian's archive: mirror, keyring, proxy. No host is named in this tree.

# Prints "URI<TAB>KEYRING" of the first source that is Debian's main archive. apt itself reads .list and deb822 files alike.
# Add-on suites (-updates, -security, -backports) may live at another URI, so they do not count.
debian_source() {
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  if [[ -n ${KARPOS_DEBIAN_MIRROR:-} ]]; then
    printf '%s\t%s\n' "$KARPOS_DEBIAN_MIRROR" "$keyring"
    return
  fi
  # shellcheck disable=SC2016  # the dollars are apt's
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(SIGNED_BY)' 'Created-By: Packages' 2>/dev/null |
    awk -v keyring="$keyring" '
      BEGIN { split("bookworm trixie forky sid duke stable testing unstable oldstable", names); for (i in names) debian[names[i]] = 1 }
      $1 !~ /^cdrom:/ && ($2 in debian) && $3 == "main" {
        print $1 "\t" ($4 ~ /^\// ? $4 : keyring); found = 1; exit
      }
      END { exit !found }'
}

# The machine's transport settings (proxy, time checks) as --aptopt arguments: mmdebstrap's apt does not read the machine's files.
apt_options() {
  apt-config dump 2>/dev/null |
    grep -E '^Acquire::(https?|Check-Valid-Until|Check-Date|Retries|ForceIPv4)(::[^ ]+)? "[^"]+";$' |
    sed 's/^/--aptopt=/' || true
}

ensure_mmdebstrap() {
  [[ $(id -u) -eq 0 ]] || die_usage "no Kokkos found, and making one from Debian's archive needs root; set Kokkos_ROOT or run as root"
  command -v mmdebstrap >/dev/null && command -v mount >/dev/null &&
    [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]] && return
  command -v apt-get >/dev/null || die_usage "no Kokkos found, and this machine has no apt to make one from; set Kokkos_ROOT"
  mkdir -p "$cache/log"
  with_progress "installing mmdebstrap" "$cache/log/mmdebstrap.log" progress_packages install_mmdebstrap ||
    die "mmdebstrap cannot be installed; install it, or set Kokkos_ROOT"
}

install_mmdebstrap() {
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine has no package lists, an old one has lists that name files that are gone.
  apt-get update && apt-get install -y --no-install-recommends mmdebstrap mount debian-archive-keyring gpg gpg-agent
}
