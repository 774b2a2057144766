#!/usr/bin/env bash
# What `syncline stress` says to mistakes: stress_mistakes.sh SYNCLINE
set -u
syncline=$1
failed=0
# expect STATUS TEXT ARGUMENTS...
expect() {
  local want=$1 text=$2 status=0 out
  shift 2
  out=$("$syncline" stress "$@" 2>&1) || status=$?
  if [ "$status" -ne "$want" ] || ! grep -qF -- "$text" <<<"$out"; then
    echo "syncline stress $*: status $status, expected $want and \`$text\`"
    echo "$out"
    failed=1
  fi
}
expect 2 'unknown coherence policy `rc`; did you mean `rcc`?' rc
expect 2 'POLICY is required'
expect 2 'coherence.rcc.lease_mim' rcc --set coherence.rcc.lease_mim=3
expect 2 'weakly ordered by its nature' tc_weak --set coherence.consistency=sc
expect 2 'unknown format `jsn`; did you mean `json`?' rcc --format jsn
expect 2 'not in range' rcc --operations 0
expect 2 'not in range' rcc --l1s 0
expect 2 'not in range' rcc --homes 9
expect 2 'not in range' rcc --lines 17
expect 2 'not in range' rcc --jobs 0
expect 2 '--replay' rcc --replay first
expect 2 'did you mean `--operations`?' rcc --operation 5
expect 0 '"passed": true' rcc --operations 100 --format json
expect 0 '1 batches' rcc --replay 3
expect 0 'no violation' gpu_vi --operations 100 --l1s 1 --homes 1 --lines 1
expect 0 'no violation' mesi --operations 100 --l1s 8 --homes 8 --lines 16
exit $failed
