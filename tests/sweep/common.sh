# Sourced by the tests of sweeps: common.sh SYNCLINE SOURCE_ROOT. They run in an empty folder.
syncline=$1
root=$2
. "$root/tests/support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# What SQL says of a database, a row a line: ask DATABASE SQL
ask() {
  python3 - "$1" "$2" <<'PYTHON'
import sqlite3, sys
for row in sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(sys.argv[2]):
    print(*row)
PYTHON
}

# is WHAT FOUND EXPECTED
is() {
  [ "$2" = "$3" ] && return
  printf '%s\n' "$1:"
  diff <(echo "$2") <(echo "$3") | sed 's/^</found/; s/^>/expected/' | head -n 10
  failed=1
}

# A kernel `none` that does nothing: empty_kernel FILE
empty_kernel() { printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry none() { ret; }\n' >"$1"; }
