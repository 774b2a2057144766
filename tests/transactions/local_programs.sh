#!/usr/bin/env bash
# A program whose critical sections are on the shared memory of CTAs, in every way that it can run: under each way to find
# conflicts with each selection, watched, one thread after the other, under locks however lanes meet, and with its data
# in global memory: local_programs.sh SYNCLINE PROGRAM [SEED]
set -u
syncline=$1 program=$2 seed=${3:-1}
failed=0 runs=0
# try PLATFORM TEXT OPTIONS...: verifies, and says TEXT (an extended regular expression).
try() {
  local out
  out=$("$syncline" run "$1" "$program" --no-progress --input-seed "$seed" "${@:3}" 2>&1) && [[ $out == *'"verified":true'* ]] && grep -qE "$2" <<<"$out" ||
    { echo "$program ${*:3} on $1:"; tail -n 12 <<<"$out"; failed=1; }
  runs=$((runs + 1))
}
watched='transactions +[1-9][0-9]* committed, '
for detection in serial prw_sig swo_sig dcd smdcd; do
  for selection in ascending_single descending_single ascending_multiple descending_multiple; do
    try southern_islands "$watched" --set transactions.local.policy=$detection --set transactions.local.selection=$selection \
      --set observe.transactions=check --option sync=tx
  done
done
for mechanism in ipdom its tf_stack; do
  try southern_islands 'cycles' --set sm.reconvergence=$mechanism --option sync=locks
  try tiny "$watched" --set sm.reconvergence=$mechanism --set transactions.local.policy=swo_sig --set observe.transactions=check
done
try southern_islands 'cycles' --option sync=serial
for policy in global_lock getm; do
  try gtx480 "$watched" --option memory=global --set transactions.policy=$policy --set observe.transactions=check
done
[ "$failed" -eq 0 ] && echo "$program verifies in $runs ways"
exit "$failed"
