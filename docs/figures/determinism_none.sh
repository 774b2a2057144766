#!/usr/bin/env bash
# The data of docs/determinism.md, "Without determinism": determinism_none.sh [SYNCLINE [PART...]], then determinism_none.py draws from
# them. Parts: racey bfs bfs_gpudet. SEEDS, GRAPHS, EDGES and SOURCES in the environment choose less, DATA another folder.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
data=${DATA:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export syncline scratch

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

# distinct RUNS FILE HEADER: lines KEY,SEED,RESULT become KEY,SEEDS,DISTINCT RESULTS.
distinct() {
  local lines
  lines=$(cat)
  [ "$(grep -c . <<<"$lines")" = "$1" ] || { echo "some of the $1 runs failed" >&2; exit 1; }
  { echo "$3"; awk -F, '{ key = $1 "," $2; runs[key]++; if (!seen[key "," $4]++) results[key]++ }
      END { for (key in runs) print key "," runs[key] "," results[key] }' <<<"$lines" | LC_ALL=C sort -t, -k1,1 -k2,2n; } >"$2"
}

one_racey() { # WORKLOAD SOURCE SEED
  local settings=() setting
  for setting in ${2//+/ }; do settings+=(--set "$setting"); done
  "$syncline" run gtx480 "$1" --no-progress "${settings[@]}" --set "perturbation.seed=$3" |
    sed -n "s/.* signature \([0-9a-f]\{8\}\) .*/$1,$2,$3,\1/p"
}
one_bfs() { # EDGES GRAPH SEED POLICY
  "$syncline" run gtx480 "$scratch/$1.$2/bfs.yaml" --no-progress --set sms=2 --set perturbation.chance=injection \
    --set "perturbation.seed=$3" --set "determinism.policy=$4" | sed -n "s/.*\"memory_signature\":\"\([0-9a-f]*\)\".*/$1,$2,$3,\1/p"
}
export -f one_racey one_bfs

if wanted racey; then
  chances="chance=none network_jitter=1 random_arbitration=true dram_jitter=4 refresh_phase=true clock_phase=true arbiter_state=true slot_history=true chance=all"
  forms="gpudet.quantum_formation=bta_dwp gpudet.quantum_formation=base gpudet.quantum_formation=bta gpudet.commit=lock gpudet.serial=w_ser gpudet.overlap=next_quantum"
  sources=${SOURCES:-$(printf 'perturbation.%s ' $chances; printf 'perturbation.chance=all+determinism.policy=gpudet+determinism.%s ' $forms)}
  runs=()
  for workload in racey racey_atomic racey_cta racey_warp; do
    for source in $sources; do
      for seed in $(seq "${SEEDS:-100}"); do runs+=("$workload $source $seed"); done
    done
  done
  printf '%s\n' "${runs[@]}" | xargs -P "$(nproc)" -L 1 bash -c 'one_racey "$@"' one |
    distinct ${#runs[@]} "$data/determinism_none_racey.csv" workload,source,seeds,signatures
fi

# An eighth of the thesis's graphs, on an eighth of its SMs, so that the same share of the CTAs is resident at once.
bfs() { # POLICY FILE EDGES...
  local edges graph seed runs=()
  for edges in "${@:3}"; do
    for graph in $(seq "${GRAPHS:-10}"); do
      "$here/random_graph.py" 8192 "$edges" "$graph" "$here/../../workloads/bfs_racy/bfs_racy.ptx" "$scratch/$edges.$graph"
      for seed in $(seq "${SEEDS:-50}"); do runs+=("$edges $graph $seed $1"); done
    done
  done
  printf '%s\n' "${runs[@]}" | xargs -P "$(nproc)" -L 1 bash -c 'one_bfs "$@"' one |
    distinct ${#runs[@]} "$data/$2" edges,graph,seeds,outputs
}
if wanted bfs; then bfs none determinism_none_bfs.csv ${EDGES:-3000 3250 3500 3750 4000 4250 4500 4750 5000 5250}; fi
if wanted bfs_gpudet; then bfs gpudet determinism_gpudet_bfs.csv ${EDGES:-5250}; fi
