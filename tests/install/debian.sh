#!/usr/bin/env bash
# The Debian packages have what they say, need what they use, and work when they are unpacked: debian.sh CPACK BUILD_FOLDER
set -u
. "$(dirname "$0")/../support/expect.sh"
cpack=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
"$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" >log 2>&1 || { tail log; exit 1; }
program=$(echo syncline_*.deb) development=$(echo syncline-dev_*.deb)

# says PACKAGE FIELD PATTERN
says() {
  local value
  value=$(dpkg-deb -f "$1" "$2")
  grep -qE -- "$3" <<<"$value" || { printf '%s: %s is "%s", expected %s\n' "$1" "$2" "$value" "$3"; failed=1; }
}
says "$program" Package '^syncline$'
says "$program" Section '^electronics$'
says "$program" Maintainer '@'
says "$program" Description 'SystemC'
for library in libc6 libfmt libstdc++6 libsqlite3 libsystemc libyaml-cpp; do says "$program" Depends "${library//+/\\+}"; done
says "$development" Package '^syncline-dev$'
says "$development" Section '^libdevel$'
for need in 'syncline \(= ' libsystemc-dev libfmt-dev libboost-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev; do
  says "$development" Depends "$need"
done

dpkg-deb -x "$program" root
for kept in root/usr/share/doc/syncline/copyright root/usr/share/syncline/waves/gtx480.gtkw; do
  [ -s "$kept" ] || { echo "$program: no $kept"; failed=1; }
done
[ ! -e root/usr/include ] || { echo "$program has headers"; failed=1; }
syncline=root/usr/bin/syncline
expect 0 'gtx480' list platforms
expect 0 '"verified":true' run tiny saxpy --no-progress
dpkg-deb -x "$development" root
for kept in include/syncline/platform/timed/simulation.h lib/cmake/syncline/syncline-config.cmake share/doc/syncline-dev/copyright; do
  [ -s "root/usr/$kept" ] || { echo "$development: no $kept"; failed=1; }
done

[ "$failed" -eq 0 ] && echo "the Debian packages are whole"
exit "$failed"
