#!/usr/bin/env bash
# The data of docs/determinism.md, "GPUDet": determinism_gpudet.sh [SYNCLINE [PART...]], then determinism_gpudet.py draws from them.
# Parts: small medium overlap timeline. PROGRAMS and VARIANTS (a pattern) in the environment choose less, DATA another folder.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"aes bfs_racy bfs_plain cfd cp hotspot lib lps srad cloth cloth_opt hash_table atm"}
data=${DATA:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export syncline scratch

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

# Each variant: its name, and what it sets below `determinism.gpudet.`, or with `=` in front anywhere.
variants() {
  cat <<'VARIANTS'
none =determinism.policy=none
gpudet
base quantum_formation=base
base_1000 quantum_formation=base quantum_size=1000
bta quantum_formation=bta
lock commit=lock
w_ser serial=w_ser
quantum_100 quantum_size=100
quantum_600 quantum_size=600
quantum_1000 quantum_size=1000
chunk store_buffer.data=chunk
bloom_128 store_buffer.bloom=128
bloom_256 store_buffer.bloom=256
bloom_512 store_buffer.bloom=512
bloom_ideal store_buffer.bloom=ideal
z_cache_8 =z_unit.cache_size=8KiB
z_cache_128 =z_unit.cache_size=128KiB
sync_1 sync_latency=1
sync_4 sync_latency=4
sync_16 sync_latency=16
sync_64 sync_latency=64
sync_100 sync_latency=100
sync_256 sync_latency=256
sync_1000 sync_latency=1000
sync_1024 sync_latency=1024
sync_2048 sync_latency=2048
bytes =z_unit.granule=1
shared_order shared_order=instructions
overlap overlap=next_quantum
overlap_base quantum_formation=base overlap=next_quantum
overlap_sync_100 sync_latency=100 overlap=next_quantum
VARIANTS
}

one() { # SIZE WORKLOAD VARIANT SETTING...
  local size=$1 workload=$2 variant=$3 setting settings=(--set determinism.policy=gpudet)
  for setting in "${@:4}"; do
    case $setting in
      =*) settings+=(--set "${setting#=}") ;;
      *) settings+=(--set "determinism.gpudet.$setting") ;;
    esac
  done
  local run=$scratch/$workload.$variant
  "$syncline" run gtx480 "$workload" --size "$size" --no-progress --set perturbation.chance=injection "${settings[@]}" \
    --stats "$run.json" >"$run.out"
  tail -1 "$run.out" >"$run.line"
}
export -f one

collect() { # SIZE FILE PATTERN [STATISTIC...]
  variants | grep -E "^(${VARIANTS:-$3})( |\$)" >"$scratch/variants"
  for workload in $programs; do
    while read -r line; do echo "$1 $workload $line"; done <"$scratch/variants"
  done | xargs -P "$(nproc)" -I{} bash -c 'one {}'
  "$here/determinism_gpudet_rows.py" "$scratch" "${@:4}" >"$2"
  rm -f "$scratch"/*.json "$scratch"/*.line "$scratch"/*.out
}

wanted small && collect small "$data/determinism_gpudet.csv" '[^o]\w*'  # all but the overlaps
wanted medium && collect medium "$data/determinism_gpudet_medium.csv" 'none|gpudet|base|bta|chunk'
wanted overlap && collect small "$data/determinism_gpudet_overlap.csv" 'gpudet|base|sync_100|overlap\w*' ahead_instructions ahead_passed ahead_held
if wanted timeline; then
  for run in aes:base:1000 aes:bta:1000 bfs_racy:base:200 bfs_racy:bta_dwp:200; do
    IFS=: read -r workload formation size <<<"$run"
    "$syncline" run gtx480 "$workload" --no-progress --set determinism.policy=gpudet \
      --set determinism.gpudet.quantum_formation="$formation" --set determinism.gpudet.quantum_size="$size" \
      --series "$data/timeline_${workload}_$formation.csv" --series-names warp_instructions quanta phase >/dev/null
  done
fi
exit 0
