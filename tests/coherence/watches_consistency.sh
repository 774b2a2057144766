#!/usr/bin/env bash
# `observe.consistency=check` finds machines that break their consistency model while they run, tells the cycle, says nothing against
# those that keep it, and changes nothing: watches_consistency.sh SYNCLINE SUITE
set -eu
. "$(dirname "$0")/../support/statistics.sh"
syncline=$1
suite=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
check='--set observe.consistency=check'

# must_break TEXT... -- ARGUMENTS...: status 4, and each of the texts, on `platform`.
platform=rcc16
must_break() {
  local texts=() status=0 out
  while [ "$1" != -- ]; do texts+=("$1"); shift; done
  shift
  out=$("$syncline" litmus $platform --iterations 4000 $check "$@" 2>&1) || status=$?
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
# What only barriers order: an L1 that keeps what a mate has overwritten, and stores that are on their way when their warp arrives.
cat > "$folder/warm-bar.litmus" <<'EOF'
PTX warm-bar
"Behind a barrier a copy has what a mate wrote"
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 ld.weak r0, x  | ld.weak r0, x  ;
 st.weak x, 1   | bar.cta.sync 0 ;
 bar.cta.sync 0 | ld.weak r1, x  ;
exists (P1:r1=0)
EOF
bars="$folder/warm-bar.litmus $suite/MP-bar.litmus $suite/SB-bar.litmus $suite/ISA2-bar.litmus"
leases='--set coherence.policy=tc_weak --set coherence.tc.predictor=fixed --set coherence.tc.lease=20000cycles'
must_break 'breaks weak ordering' 'of these 2 accesses' 'st.global.s32' 'before, by synchronization' 'before, by from-reads the first' \
  -- "$folder/warm-bar.litmus" $leases --set 'coherence.mutant=L1 S, Store: without write'
must_break 'breaks weak ordering' 'before, by synchronization' \
  -- "$suite/MP-bar.litmus" --set coherence.policy=rcc_wo --set sm.memory.barrier_drains_stores=false
for policy in rcc gpu_vi; do
  must_break 'breaks sequential consistency' 'before, by synchronization' \
    -- "$suite/ISA2-bar.litmus" --set coherence.policy=$policy --set sm.memory.barrier_drains_stores=false
done
for policy in "$leases" '--set coherence.policy=rcc_wo' '--set coherence.policy=rcc' '--set coherence.policy=gpu_vi'; do
  "$syncline" litmus rcc16 --iterations 500 $check $bars $policy | grep -q ' 0 failed'
done
# L1s that nobody keeps coherent.
none="--set coherence.policy=none --set coherence.consistency=sc"
must_break 'breaks sequential consistency' 'before, by program order' -- "$suite/MP-weak.litmus" $none
must_break 'breaks sequential consistency' 'before, by from-reads' -- "$suite/SB-weak.litmus" $none
# What releases and acquires order, where copies outlive an acquire, and where a fence waits for its own warp's stores alone.
must_break 'breaks weak ordering' 'before, by synchronization' 'before, by from-reads the first' \
  -- "$suite/MP-rel-acq.litmus" --set coherence.policy=none --set coherence.none.acquire=keep
cat > "$folder/observed.litmus" <<'EOF'
PTX observed
"A release tells of what its thread has observed"
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       | P2@cta 2,gpu 0       ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.acquire.gpu r0, y ;
                     | st.release.gpu y, 1  | ld.weak r1, x        ;
exists (P1:r0=1 /\ P2:r0=1 /\ P2:r1=0)
EOF
must_break 'breaks weak ordering' 'before, by synchronization' 'before, by reads-from the first' \
  -- "$folder/observed.litmus" --set coherence.policy=none --set coherence.none.acquire=keep

# Copies in L2s of other modules that nobody gives up, or that are old where their module acquires.
platform=hmg_tiny
for mutant in 'home V, Store: without invalidate_sharers' 'home V, Remote_Store: without invalidate_others'; do
  must_break 'breaks weak ordering' 'before, by synchronization' 'before, by from-reads the first' \
    -- "$suite"/MP-rel-acq*.litmus --set coherence.policy=nhcc --set "coherence.mutant=$mutant"
  must_break 'breaks weak ordering' 'before, by synchronization' 'before, by from-reads the first' \
    -- "$suite/MP-rel-acq.litmus" "$suite"/../families/gpus/MP-rel-acq*.litmus --set coherence.policy=hmg --set "coherence.mutant=$mutant"
done
# Homes of GPUs: one whose copy lacks what it has passed on, and one that keeps old copies where its GPU acquires.
must_break 'breaks weak ordering' 'before, by from-reads the first' \
  -- "$suite"/MP-rel-acq*.litmus --set coherence.policy=hmg --set 'coherence.mutant=GPU home V, Remote_Write: without write'
must_break 'breaks weak ordering' 'before, by synchronization' 'before, by from-reads the first' \
  -- "$suite"/../families/gpus/MP-*.litmus --set coherence.policy=sw_hierarchical --set 'coherence.mutant=home NP, Empty: without empty_GPU_home'
must_break 'breaks weak ordering' 'before, by from-reads the first' \
  -- "$suite"/MP-rel-acq*.litmus "$suite"/CoRR*.litmus --set coherence.policy=sw --set 'coherence.mutant=home NP, Fence: without empty_GPM'
# What a flag of the GPU's scope orders in its GPU, where homes are elsewhere: copies of before that nobody gives up.
cat > "$folder/warm-gpu.litmus" <<'EOF'
PTX warm-gpu
"A copy of before is given up in the GPU that is told"
{ x=0; y=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.weak x, 1        | ld.weak r2, x        ;
 st.release.gpu y, 1 | ld.acquire.gpu r0, y ;
                     | ld.weak r1, x        ;
exists (P1:r0=1 /\ P1:r1=0)
EOF
for mutant in 'GPU home V, Write: without invalidate_sharers' 'GPU home V, Write: without write' 'GPU home V, Remote_Write: without write'; do
  must_break 'breaks weak ordering' 'before, by synchronization' 'before, by from-reads the first' \
    -- "$folder/warm-gpu.litmus" --set coherence.policy=hmg --set modules.gpu_scope=gpu --set "coherence.mutant=$mutant"
done
for policy in hmg ideal_remote sw_hierarchical; do
  "$syncline" litmus hmg_tiny --iterations 1000 $check "$folder/warm-gpu.litmus" --set coherence.policy=$policy --set modules.gpu_scope=gpu |
    grep -q ' 0 failed'
done
platform=rcc16

"$syncline" litmus rcc16 --iterations 2000 $check "$suite/MP-acq.litmus" $rcc | grep -q '0 failed'
"$syncline" litmus rcc16 --iterations 2000 $check "$suite/MP-fence-sc.litmus" $wo | grep -q '0 failed'
"$syncline" litmus rcc16 --iterations 500 $check "$suite"/{IRIW,WRC,MP}-fence-sc*.litmus --set coherence.policy=tc_weak | grep -q ' 0 failed'

# Machines that lose bytes and keep the order of accesses: what an L2 slice does not write back, what the host or an atomic would have
# found there, what an L1 does not put into its frame. Whoever does not watch sees a wrong result.
# must_lose TEXT -- ARGUMENTS..., on `platform`, and `unwatched` is the status then.
unwatched=1
must_lose() {
  local text=$1 status=0 out
  shift 2
  "$syncline" run "$platform" "$@" --no-progress > "$folder/unwatched" 2>&1 || status=$?
  [ "$status" -eq $unwatched ] || { echo "run $*: status $status, expected $unwatched"; tail -5 "$folder/unwatched"; exit 1; }
  status=0
  out=$("$syncline" run "$platform" "$@" --no-progress $check 2>&1) || status=$?
  [ "$status" -eq 4 ] || { echo "run $*: status $status, expected 4"; echo "$out" | tail -5; exit 1; }
  grep -qE "the run breaks the values of memory: $text" <<<"$out" || { echo "run $*: missing: $text"; echo "$out" | tail -5; exit 1; }
}
of_warp='SM [0-9]+, slot [0-9]+ \(grid [0-9]+, CTA \([0-9]+, 0, 0\), warp [0-9]+\)'
of_bytes='of bytes 0 to 127 of line 0x[0-9a-f]+, version [0-9]+'
small='--set l2.size=4KiB'
platform=tiny
must_lose "$of_warp: read $of_bytes at .*stencil.ptx:[0-9]+: .ld.global.*: byte [0-9]+ holds 0x[0-9a-f]{2} where it leaves its home, not 0x" \
  -- stencil $small --set coherence.policy=rcc --set 'coherence.mutant=home V, Replacement [dirty]: without write_back'
must_lose "$of_warp: atomic $of_bytes at .*histogram.ptx:[0-9]+: .atom.global.add.*: byte [0-9]+ holds 0x[0-9a-f]{2} where the atomic finds it, not 0x" \
  -- histogram $small --set coherence.policy=gpu_vi --set 'coherence.mutant=home S, Replacement [dirty]: without write_back'
must_lose "the host: read $of_bytes: byte [0-9]+ holds 0x[0-9a-f]{2} where it is read, not 0x" \
  -- vector_add $small --set coherence.policy=tc_strong --set 'coherence.mutant=home E, Replacement [dirty]: without write_back'
must_lose "$of_warp: read of bytes .* its L1 has never been brought the line" \
  -- stencil --set coherence.policy=none --set 'coherence.mutant=L1 IV, Data: without fill'
# Homes that answer stores and atomics, and do not perform them.
must_lose "$of_warp: write of bytes .* at .*vector_add.ptx:[0-9]+: .st.global.*: it was answered, and no home has performed it for lane [0-9]+" \
  -- vector_add --set coherence.policy=gpu_vi --set 'coherence.mutant=home S, Store: without write'
must_lose "$of_warp: write of bytes .*: it was answered, and no home has performed it for lane [0-9]+" \
  -- vector_add --set coherence.policy=rcc --set 'coherence.mutant=home V, Store: without write'
must_lose "$of_warp: atomic of bytes .* at .*histogram.ptx:[0-9]+: .atom.global.add.*: it was answered, and no home has performed it for lane [0-9]+" \
  -- histogram --set coherence.policy=gpu_vi --set 'coherence.mutant=home S, Atomic: without write'
# L2s of other modules than the home of a line.
platform=hmg_tiny
must_lose "$of_warp: read of bytes .* the L2 of its module has never been brought the line" \
  -- stencil --set coherence.policy=nhcc --set 'coherence.mutant=GPM IV, Data: without fill'
# The home of a GPU answers an atomic that it has not performed, and others wait for it for ever.
unwatched=3
must_lose "$of_warp: atomic of bytes .* at .*rnn.ptx:[0-9]+: .red.release.gpu.*: it was answered, and no home has performed it for lane [0-9]+" \
  -- rnn_wgrad --option scope=gpu --set modules.gpu_scope=gpu --set coherence.policy=hmg \
  --set 'coherence.mutant=GPU home V, Remote_Atomic: without write'

# The same run with and without: the same cycles, bytes and statistics, but for those of the check itself.
for watch in off check; do
  "$syncline" run tiny stencil --no-progress --set coherence.policy=rcc --set observe.consistency=$watch \
    --stats "$folder/$watch.json" > "$folder/$watch.txt"
  tail -1 "$folder/$watch.txt" | sed 's/"host_seconds":[^,]*//' > "$folder/$watch.result"
  statistics_alone "$folder/$watch.json"
  grep -v '"consistency\.' "$folder/$watch.json" > "$folder/$watch.stats"
done
cmp "$folder/off.result" "$folder/check.result"
cmp <(sed 's/,$//' "$folder/off.stats") <(sed 's/,$//' "$folder/check.stats")
grep -qE 'consistency +sc: [0-9]{4,} accesses judged, 0 not; at most [0-9]+ remembered; values of [0-9]{4,} reads compared, of 0 not$' "$folder/check.txt"
grep -qE '"name":"consistency.judged","value":[0-9]{4,}' "$folder/check.json"
grep -qE '"name":"consistency.values_compared","value":[0-9]{4,}' "$folder/check.json"
grep -qE '"name":"consistency.values_not_compared","value":0\b' "$folder/check.json"

# What is not judged is said.
watched() { "$syncline" run tiny vector_add --no-progress $check --set "coherence.policy=$1" "${@:2}" | sed -n 's/^ *consistency *//p'; }
grep -qE '^wo: [0-9]* accesses judged, 0 not; .*values of [0-9]{4} reads compared, of 0 not$' <<<"$(watched none)"
grep -qE "^order and stores not judged, for they wait in logs; values of [0-9]{4,} reads compared, of 0 not$" \
  <<<"$("$syncline" run tiny racey_atomic --no-progress $check --set determinism.policy=gpudet | sed -n 's/^ *consistency *//p')"
grep -q '^wo, fences left out: [0-9]* accesses judged, 0 not' <<<"$(watched tc_weak --set coherence.tc.fence=warp)"
grep -q '^wo: [0-9]* accesses judged, 0 not' <<<"$(watched tc_weak)"
grep -q '^wo: [0-9]* accesses judged, 0 not' <<<"$(watched rcc_wo)"

# A small window remembers no more, and says what it could not judge.
out=$("$syncline" run tiny stencil --no-progress --set coherence.policy=rcc $check --set observe.consistency_window=100)
grep -qE 'at most 10[0-9] remembered' <<<"$out"
