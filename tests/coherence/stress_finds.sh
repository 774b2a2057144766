#!/usr/bin/env bash
# Random programs find what is known to be wrong, and shrink it: stress_finds.sh SYNCLINE
set -u
syncline=$1
failed=0
# expect OPERATIONS TEXT ARGUMENTS...: status 1, the text, and a program of at most so many operations
expect() {
  local most=$1 text=$2 status=0 out left
  shift 2
  out=$("$syncline" stress "$@" 2>&1) || status=$?
  left=$(sed -n 's/^shrunk to \([0-9]*\) operations .*/\1/p' <<<"$out")
  if [ "$status" -ne 1 ] || [ -z "$left" ] || [ "$left" -gt "$most" ] || ! grep -qF -- "$text" <<<"$out"; then
    echo "syncline stress $*: status $status, $left operations, expected 1, at most $most and \`$text\`"
    echo "$out"
    failed=1
  fi
}
# The rule of the RCC thesis for lines that leave the L2 is not sequentially consistent.
expect 8 'not allowed by sc' rcc --operations 300000 --set coherence.rcc.mnow_rule=thesis
# An L1 that keeps its copies behind an acquire, as Fermi's did.
expect 8 'not allowed by ptx75' none --operations 100000 --seed 3 --set coherence.none.acquire=keep
exit $failed
