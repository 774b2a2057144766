#!/usr/bin/env bash
# The data of docs/coherence.md: coherence.sh [SYNCLINE [PART...]], then coherence.py draws from them. Parts: paper latency causes variants.
# SEEDS are the seeds of `paper` and `variants`, by default 1 2 3.
set -eu
here=$(dirname "$0")
syncline=${1:-build/release/sc_main/syncline}
parts=${*:2}
inter=barnes_hut,bfs,cloth,load_balance,stencil,place
intra=hotspot,kmeans,lps,nw,srad,lud

# compare FILE WORKLOADS POLICIES OPTIONS...
compare() {  # TC-Weak with the fences of its paper, as the thesis has it
  "$syncline" compare rcc16 --size paper --workloads "$2" --policies "$3" --data "$here/$1.json" --show cycles --set coherence.tc.fence=warp "${@:4}"
}
wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

if wanted paper; then
  for seed in ${SEEDS:-1 2 3}; do
    compare "coherence_$seed" "$inter,$intra" mesi,ideal,ideal_free,tc_strong,tc_weak,rcc,rcc_wo --seed "$seed"
  done
fi
if wanted latency; then  # a load that hits in the L2 keeps its 340 cycles
  for latency in 180 220; do
    before=$((240 - latency))
    compare "coherence_latency_$latency" "$inter" mesi,ideal,rcc --seed 1 \
      --set l1.send_latency=${latency}cycles --set l2.latency=$((before + 4))cycles --set l2.queue_latency=${before}cycles
  done
fi
if wanted causes; then  # one change each, of what may keep a claim out of its band
  compare coherence_cause_lease "$inter,$intra" tc_strong --seed 1 --set coherence.tc.lease=400cycles
  compare coherence_cause_standing "$inter,$intra" tc_strong --seed 1 --set coherence.tc.recycle_cycles=0cycles
  compare coherence_cause_hit_latency "$inter,$intra" mesi,tc_strong --seed 1 --set l1.hit_latency=8cycles
  compare coherence_cause_released "$inter,$intra" rcc --seed 1 --set coherence.rcc.predictor=released
  compare coherence_cause_registers "$inter" mesi,tc_strong,tc_weak,rcc,rcc_wo --seed 1 --set sm.registers=131072
  # Warps of stencil and load_balance spin for minutes so: what they wait for is as old as their lease.
  compare coherence_cause_hit barnes_hut,bfs,cloth,place rcc --seed 1 --set coherence.rcc.around_l1=hit
  compare coherence_cause_l1 bfs rcc,tc_weak --seed 1 --set l1.size=1MiB
  compare coherence_cause_long_lease "$intra" rcc --seed 1 --set coherence.rcc.predictor=fixed --set coherence.rcc.lease_fixed=2048
fi
if wanted variants; then
  for seed in ${SEEDS:-1 2 3}; do
    compare "coherence_renew_off_$seed" "$inter" rcc --seed "$seed" --set coherence.rcc.renew=false
    for lease in 8 32 128 512 2048; do
      programs=$inter
      if [ $lease = 128 ]; then programs=$inter,$intra; fi  # figure 3.6 has them all
      compare "coherence_lease_${lease}_$seed" "$programs" rcc --seed "$seed" --set coherence.rcc.predictor=fixed --set coherence.rcc.lease_fixed=$lease
    done
  done
fi
