#!/usr/bin/env bash
# The data of docs/determinism.md, "GPUDet": determinism_gpudet.sh [SYNCLINE [PART...]], then determinism_gpudet.py draws from them.
# Parts: paper causes small overlap timeline. PROGRAMS and VARIANTS (a pattern) in the environment choose less, DATA another
# folder; SEEDS are those of `paper`, by default 1 2 3, JOBS is how many runs go on at once, and LIMIT how many seconds of processor time
# one may take. RUNS is a folder that keeps the sweeps and their databases: what these have is not run again.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"aes bfs_racy bfs_plain cfd cp hotspot lib lps srad cloth cloth_opt hash_table atm"}
data=${DATA:-$here}
common=  # what all variants set
. "$here/sweeps.sh"

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

settings() { # SETTING...: as keys; of several values of one the last
  local setting
  for setting in =perturbation.chance=injection =determinism.policy=gpudet "$@"; do
    case $setting in
      =*) echo "${setting#=}" ;;
      *) echo "determinism.gpudet.$setting" ;;
    esac
  done | tac | awk -F= '!seen[$1]++'
}
cases() { # PATTERN [PROGRAM...]: of the variants, with those of the programs
  local variant own program chosen=()
  for program in $programs; do
    if [ $# -eq 1 ] || [[ " ${*:2} " == *" $program "* ]]; then chosen+=("$program"); fi
  done
  [ ${#chosen[@]} -gt 0 ] || return 0
  variants | { grep -E "^($1)( |\$)" | grep -E "^(${VARIANTS:-\w*})( |\$)" || true; } | while read -r variant own; do
    # shellcheck disable=SC2046,SC2086
    echo "  $variant: {workloads: $(list "${chosen[@]}"), set: $(pairs $(settings $common $own))}"
  done
}
collect() { # NAME SIZE SEED [STATISTIC...]: runs the cases that come in, and writes the rows; nothing where there is none
  local cases
  cases=$(cat)
  [ -n "$cases" ] || return 0
  cases_to "$1" "platforms: gtx480" "sizes: $2" "seeds: $3" "keep: gpu.quanta*" <<<"$cases"
  rows "$1" "$here/determinism_gpudet_rows.py" "$data/$1.csv" "${@:4}"
}

atomics="cloth_opt hash_table atm"
averaged="aes bfs_racy bfs_plain cfd cp hotspot lib lps srad $atomics"  # the thesis's means are without cloth (6.3.1)

# As the thesis has it: an entry of a log holds 128 bytes of data (4.3).
if wanted paper; then
  common=store_buffer.data=chunk
  for seed in ${SEEDS:-1 2 3}; do
    {
      cases 'none|gpudet|base|bta'
      cases 'base_1000' aes
      cases 'w_ser' $atomics
      cases 'quantum_1000' aes bfs_racy bfs_plain cp hotspot lib hash_table atm
      cases 'lock|packed|bloom_256|bloom_ideal|z_cache_8|z_cache_128|sync_100|sync_1000' $averaged
    } | collect "determinism_gpudet_paper_$seed" paper "$seed"
  done
fi

cause() { # NAME PATTERN PROGRAMS [SETTING...]: one change each, of what may keep a claim out of its band
  common="store_buffer.data=chunk ${*:4}"
  # shellcheck disable=SC2086
  cases "$2" $3 | collect "determinism_gpudet_cause_$1" "${size:-paper}" 1
}
kernels() { # of $runs/kernels from now on: copies of those of the suite
  mkdir -p "$runs/kernels"
  cp -r "$here"/../../workloads/{aes,atm,cloth,hash_table} "$runs/kernels"
  export SYNCLINE_WORKLOADS=$runs/kernels
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
  sed -i '/^\tmembar\.gl;$/d' "$runs"/kernels/{atm,cloth,hash_table}/*.ptx
  cause fences 'none|gpudet' "$atomics"
  sed -i 's/^\t@%p4 bra \tLBB0_5;$/\tbar.sync 0;\n&/' "$runs/kernels/aes/aes.ptx"  # behind each round
  cause rounds 'none|gpudet|base|bta|base_1000' aes
  unset SYNCLINE_WORKLOADS
fi
common=
if wanted small; then cases 'none|gpudet|quantum\w*|bloom\w*|sync_[0-9]+|bytes|shared_order' | collect determinism_gpudet small 1; fi
if wanted overlap; then
  cases 'gpudet|base|sync_100|overlap\w*' | collect determinism_gpudet_overlap small 1 ahead_instructions ahead_passed ahead_held
fi
if wanted timeline; then
  for run in aes:base:1000 aes:bta:1000 bfs_racy:base:200 bfs_racy:bta_dwp:200; do
    IFS=: read -r workload formation size <<<"$run"
    "$syncline" run gtx480 "$workload" --no-progress --set determinism.policy=gpudet \
      --set determinism.gpudet.quantum_formation="$formation" --set determinism.gpudet.quantum_size="$size" \
      --series "$data/timeline_${workload}_$formation.csv" --series-names warp_instructions quanta phase >/dev/null
  done
fi
exit 0
