#!/usr/bin/env bash
# `observe.consistency=check` finds machines that break their consistency model while they run, tells the cycle, says nothing against
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
  out=$("$syncline" litmus rcc16 --iterations 4000 $check "$@" 2>&1) || status=$?
  [ "$status" -eq 4 ] || { echo "litmus $*: status $status, expected 4"; echo "$out" | tail -5; exit 1; }
  for text in "${texts[@]}"; do
    grep -qF -- "$text" <<<"$out" || { echo "litmus $*: missing: $text"; echo "$out"; exit 1; }
  done
}

# The rule of the RCC thesis for lines that leave the L2: old data behind a new flag.
rcc="--set coherence.policy=rcc --set l2.size=1KiB --set perturbation.network_jitter=0"
must_break 'breaks sequential consistency' 'of these 4 accesses' 'before, by reads-from' 'before, by from-reads' 'st.relaxed.gpu.global.s32 [%a1], 1' \
  -- "$suite/MP-acq.litmus" $rcc --set coherence.rcc.mnow_rule=thesis
# The same where only fences order.
wo="--set coherence.policy=rcc_wo --set l2.size=1KiB --set perturbation.network_jitter=0"
must_break 'breaks weak ordering' 'before, by fence' \
  -- "$suite/MP-fence-sc.litmus" $wo --set coherence.rcc.mnow_rule=thesis
# L1s that nobody keeps coherent.
none="--set coherence.policy=none --set coherence.consistency=sc"
must_break 'breaks sequential consistency' 'before, by program order' -- "$suite/MP-weak.litmus" $none
must_break 'breaks sequential consistency' 'before, by from-reads' -- "$suite/SB-weak.litmus" $none

"$syncline" litmus rcc16 --iterations 2000 $check "$suite/MP-acq.litmus" $rcc | grep -q '0 failed'
"$syncline" litmus rcc16 --iterations 2000 $check "$suite/MP-fence-sc.litmus" $wo | grep -q '0 failed'
cumulative="--set coherence.policy=tc_weak --set coherence.tc.fence=cumulative"
"$syncline" litmus rcc16 --iterations 500 $check "$suite"/{IRIW,WRC,MP}-fence-sc*.litmus $cumulative | grep -q ' 0 failed'

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

# What is not judged is said.
watched() { "$syncline" run tiny vector_add --no-progress $check --set "coherence.policy=$1" | sed -n 's/^ *consistency *//p'; }
[ "$(watched none)" = 'not judged: the policy keeps no copies coherent' ]
grep -q '^wo, fences left out: [0-9]* accesses judged, 0 not' <<<"$(watched tc_weak)"
grep -q '^wo: [0-9]* accesses judged, 0 not' <<<"$(watched rcc_wo)"

# A small window remembers no more, and says what it could not judge.
out=$("$syncline" run tiny stencil --no-progress --set coherence.policy=rcc $check --set observe.consistency_window=100)
grep -qE 'at most 10[0-9] remembered' <<<"$out"
