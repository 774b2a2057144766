#!/usr/bin/env bash
# Random programs find what is known to be wrong, and shrink it: stress_finds.sh SYNCLINE ROOT
set -u
syncline=$1
. "$2/tests/support/expect.sh"
report=$(mktemp)
trap 'rm -f "$report"' EXIT
# finds OPERATIONS TEXT ARGUMENTS...: status 1, the text, and a program of at most so many operations
finds() {
  local most=$1 text=$2 left
  shift 2
  output=$report expect 1 "$text" stress "$@"
  left=$(sed -n 's/^shrunk to \([0-9]*\) operations .*/\1/p' "$report")
  if [ -z "$left" ] || [ "$left" -gt "$most" ]; then
    echo "syncline stress $*: shrunk to ${left:-no} operations, expected at most $most"
    failed=1
  fi
}
# The rule of the RCC thesis for lines that leave the L2 is not sequentially consistent.
finds 8 'not allowed by sc' rcc --operations 300000 --set coherence.rcc.mnow_rule=thesis
# An L1 that keeps its copies behind an acquire, as Fermi's did.
finds 8 'not allowed by ptx75' none --operations 100000 --seed 5 --set coherence.none.acquire=keep
exit $failed
