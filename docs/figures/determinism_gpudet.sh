#!/usr/bin/env bash
# The data of docs/determinism.md, "GPUDet": determinism_gpudet.sh [SYNCLINE [PART...]], then determinism_gpudet.py draws from them.
# Parts: paper causes small overlap timeline. PROGRAMS and VARIANTS (a pattern) in the environment choose less, DATA another
# folder; SEEDS are those of `paper`, by default 1 2 3, and JOBS how many runs go on at once.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"aes bfs_racy bfs_plain cfd cp hotspot lib lps srad cloth cloth_opt hash_table atm"}
data=${DATA:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
common=
export syncline scratch common

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
packed store_buffer.data=packed
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

one() { # SIZE SEED WORKLOAD VARIANT SETTING...
  local size=$1 seed=$2 workload=$3 variant=$4 setting settings=(--set determinism.policy=gpudet)
  for setting in $common "${@:5}"; do
    case $setting in
      =*) settings+=(--set "${setting#=}") ;;
      *) settings+=(--set "determinism.gpudet.$setting") ;;
    esac
  done
  local run=$scratch/$workload.$variant
  "$syncline" run gtx480 "$workload" --size "$size" --seed "$seed" --no-progress --set perturbation.chance=injection "${settings[@]}" \
    --stats "$run.json" >"$run.out"
  tail -1 "$run.out" >"$run.line"
}
export -f one

simulate() { # SIZE SEED PATTERN [PROGRAM...]
  variants | { grep -E "^($3)( |\$)" | grep -E "^(${VARIANTS:-\w*})( |\$)" || true; } >"$scratch/variants"
  for workload in $programs; do
    if [ $# -gt 3 ] && [[ " ${*:4} " != *" $workload "* ]]; then continue; fi
    while read -r line; do echo "$1 $2 $workload $line"; done <"$scratch/variants"
  done | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}'
}
rows() { # FILE [STATISTIC...]
  "$here/determinism_gpudet_rows.py" "$scratch" "${@:2}" >"$1"
  rm -f "$scratch"/*.json "$scratch"/*.line "$scratch"/*.out
}
collect() { # SIZE FILE PATTERN [STATISTIC...]
  simulate "$1" 1 "$3"
  rows "$2" "${@:4}"
}

atomics="cloth_opt hash_table atm"
averaged="aes bfs_racy bfs_plain cfd cp hotspot lib lps srad $atomics"  # the thesis's means are without cloth (6.3.1)

# As the thesis has it: an entry of a log holds 128 bytes of data (4.3).
if wanted paper; then
  export common=store_buffer.data=chunk
  for seed in ${SEEDS:-1 2 3}; do
    simulate paper "$seed" 'none|gpudet|base|bta'
    simulate paper "$seed" 'base_1000' aes
    simulate paper "$seed" 'w_ser' $atomics
    simulate paper "$seed" 'quantum_1000' aes bfs_racy bfs_plain cp hotspot lib hash_table atm
    simulate paper "$seed" 'lock|packed|bloom_256|bloom_ideal|z_cache_8|z_cache_128|sync_100|sync_1000' $averaged
    rows "$data/determinism_gpudet_paper_$seed.csv"
  done
fi

cause() { # NAME PATTERN PROGRAMS [SETTING...]: one change each, of what may keep a claim out of its band
  export common="store_buffer.data=chunk ${*:4}"
  simulate "${size:-paper}" 1 "$2" $3
  rows "$data/determinism_gpudet_cause_$1.csv"
}
kernels() { # of $scratch/kernels from now on: copies of those of the suite
  mkdir -p "$scratch/kernels"
  cp -r "$here"/../../workloads/{aes,atm,cloth,hash_table} "$scratch/kernels"
  export SYNCLINE_WORKLOADS=$scratch/kernels
}
if wanted causes; then
  cause window gpudet "$atomics" store_buffer.commit_window=512
  cause l1 'none|gpudet' "$atomics" =l1.size=768KiB =l1.ways=96
  cause l2_latency 'none|gpudet' "$atomics" =l2.latency=40cycles
  cause crossbar 'none|gpudet' "$atomics" =crossbar.bandwidth=64B/cycle
  cause sms_16 'none|gpudet' "aes cp" =sms=16
  cause sms_4 'none|bta|gpudet' "bfs_racy bfs_plain" =sms=4
  cause sync 'base|bta|gpudet' "aes bfs_racy bfs_plain hotspot lps srad" sync_latency=100
  cause bloom_1000 'gpudet|quantum_1000' "bfs_racy bfs_plain" store_buffer.bloom=ideal
  size=small cause small 'none|z_cache_8|z_cache_128' "bfs_racy bfs_plain cloth cloth_opt"
  programs=hash_table_m cause hash_table_m 'lock|gpudet' hash_table_m
  kernels
  sed -i '/^\tmembar\.gl;$/d' "$scratch"/kernels/{atm,cloth,hash_table}/*.ptx
  cause fences 'none|gpudet' "$atomics"
  sed -i 's/^\t@%p4 bra \tLBB0_5;$/\tbar.sync 0;\n&/' "$scratch/kernels/aes/aes.ptx"  # behind each round
  cause rounds 'none|gpudet|base|bta|base_1000' aes
  unset SYNCLINE_WORKLOADS
fi
export common=
wanted small && collect small "$data/determinism_gpudet.csv" 'none|gpudet|quantum\w*|bloom\w*|sync_[0-9]+|bytes|shared_order'
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
