#!/usr/bin/env bash
# The data of docs/coherence.md: coherence.sh [SYNCLINE [PART...]], then coherence.py draws from them. Parts: small medium variants.
set -eu
here=$(dirname "$0")
syncline=${1:-build/release/sc_main/syncline}
parts=${*:2}
inter=barnes_hut,bfs,cloth,load_balance,stencil,place
intra=hotspot,kmeans,lps,nw,srad,lud

# compare FILE WORKLOADS POLICIES OPTIONS...
compare() {  # TC-Weak with the fences of its paper, as the thesis has it
  "$syncline" compare rcc16 --workloads "$2" --policies "$3" --data "$here/$1.json" --show cycles --set coherence.tc.fence=warp "${@:4}"
}
wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

if wanted small; then
  compare coherence "$inter,$intra" mesi,ideal,gpu_vi,gpu_vi_ni,tc_strong,tc_weak,rcc,rcc_wo,none
fi
if wanted medium; then
  compare coherence_medium "$inter" mesi,ideal,tc_strong,tc_weak,rcc,rcc_wo --size medium
fi
if wanted variants; then
  compare coherence_renew_off "$inter" rcc --set coherence.rcc.renew=false
  for lease in 8 32 128 512 2048; do
    programs=$inter
    if [ $lease = 128 ]; then programs=$inter,$intra; fi  # figure 3.6 has them all
    compare "coherence_lease_$lease" "$programs" rcc --set coherence.rcc.predictor=fixed --set coherence.rcc.lease_fixed=$lease
  done
fi
