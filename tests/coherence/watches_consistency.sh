#!/usr/bin/env bash
# `observe.consistency=check` finds machines that break sequential consistency while they run, tells the cycle, says nothing against
# those that keep it, and changes nothing: watches_consistency.sh SYNCLINE SUITE
set -eu
syncline=$1
suite=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
check='--set observe.consistency=check'

# must_break TEXT... -- ARGUMENTS...: status 4, and each of the texts.
must_break() {
  local texts=() status=0 out
  while [ "$1" != -- ]; do texts+=("$1"); shift; done
  shift
  out=$("$syncline" litmus rcc16 --iterations 2000 $check "$@" 2>&1) || status=$?
  [ "$status" -eq 4 ] || { echo "litmus $*: status $status, expected 4"; echo "$out" | tail -5; exit 1; }
  for text in 'breaks sequential consistency' "${texts[@]}"; do
    grep -qF -- "$text" <<<"$out" || { echo "litmus $*: missing: $text"; echo "$out"; exit 1; }
  done
}

# The rule of the RCC thesis for lines that leave the L2: old data behind a new flag.
rcc="--set coherence.policy=rcc --set l2.size=1KiB --set perturbation.network_jitter=0"
must_break 'of these 4 accesses' 'before, by reads-from' 'before, by from-reads' 'st.relaxed.gpu.global.s32 [%a1], 1' \
  -- "$suite/MP-acq.litmus" $rcc --set coherence.rcc.mnow_rule=thesis
# L1s that nobody keeps coherent.
none="--set coherence.policy=none --set coherence.consistency=sc"
must_break 'before, by program order' -- "$suite/MP-weak.litmus" $none
must_break 'before, by from-reads' -- "$suite/SB-weak.litmus" $none

"$syncline" litmus rcc16 --iterations 2000 $check "$suite/MP-acq.litmus" $rcc | grep -q '0 failed'

# The same run with and without: the same cycles, bytes and statistics, but for those of the check itself.
for watch in off check; do
  "$syncline" run tiny stencil --no-progress --set coherence.policy=rcc --set observe.consistency=$watch \
    --stats "$folder/$watch.json" > "$folder/$watch.txt"
  tail -1 "$folder/$watch.txt" | sed 's/"host_seconds":[^,]*//' > "$folder/$watch.result"
  grep -v '"consistency\.' "$folder/$watch.json" > "$folder/$watch.stats"
done
cmp "$folder/off.result" "$folder/check.result"
cmp <(sed 's/,$//' "$folder/off.stats") <(sed 's/,$//' "$folder/check.stats")
grep -qE 'consistency +sc: [0-9]{4,} accesses judged, 0 not; at most [0-9]+ remembered' "$folder/check.txt"
grep -qE '"name":"consistency.judged","value":[0-9]{4,}' "$folder/check.json"

# A small window remembers no more, and says what it could not judge.
out=$("$syncline" run tiny stencil --no-progress --set coherence.policy=rcc $check --set observe.consistency_window=100)
grep -qE 'at most 10[0-9] remembered' <<<"$out"
