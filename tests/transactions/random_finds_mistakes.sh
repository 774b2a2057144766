#!/usr/bin/env bash
# Random transactions find a machine that keeps none apart, judged while they run or by their end alone, and make the program small:
# random_finds_mistakes.sh RANDOM_TRANSACTIONS
set -u
random=$1
failed=0
# must_fail TEXT OPTIONS...
must_fail() {
  local text=$1 status=0 out
  shift
  out=$("$random" --programs 100 --length 60 --no-emulator --set transactions.policy=unguarded "$@" 2>/dev/null) || status=$?
  if [ "$status" -ne 1 ] || ! grep -qE "^FAILED: timed: $text" <<<"$out"; then
    printf '%s\n  status %s, expected 1; expected to read: %s\n' "$*" "$status" "$text"
    tail -5 <<<"$out"
    failed=1
  fi
  replay=$(sed -n 's/^again: //p' <<<"$out")
  size=$(grep -cE '(ld|st)\.global' <<<"$out")
}
must_fail 'the run breaks transactions: not serializable: '
[ "$size" -le 20 ] || { echo "a program of $size accesses is not small"; failed=1; }
"$random" $replay --set transactions.policy=unguarded | grep -q '^FAILED: timed: the run breaks transactions' || { echo "$replay: fails no more"; failed=1; }
"$random" $replay --set transactions.policy=global_lock | grep -q '^nothing is wrong' || { echo "$replay: fails under a lock"; failed=1; }
must_fail '(byte|there is|the marks|switches|thread) ' --set observe.transactions=off

[ "$failed" -eq 0 ] && echo "random transactions find a machine that keeps none apart"
exit "$failed"
