#!/usr/bin/env bash
# The data of docs/determinism.md, "Without determinism": determinism_none.sh [SYNCLINE [PART...]], then determinism_none.py draws from
# them. Parts: racey bfs bfs_gpudet. SEEDS, GRAPHS, EDGES and SOURCES in the environment choose less, DATA another folder; JOBS is how many runs
# go on at once. RUNS is a folder that keeps the sweeps and their databases: what these have is not run again.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
data=${DATA:-$here}
. "$here/sweeps.sh"

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

seeds() { echo "perturbation.seed: $(list $(seq "${SEEDS:-$1}"))"; } # COUNT, by default

if wanted racey; then
  chances="chance=none network_jitter=1 random_arbitration=true dram_jitter=4 refresh_phase=true clock_phase=true arbiter_state=true slot_history=true chance=all"
  forms="gpudet.quantum_formation=bta_dwp gpudet.quantum_formation=base gpudet.quantum_formation=bta gpudet.commit=lock gpudet.serial=w_ser gpudet.overlap=next_quantum"
  read -ra sources <<<"${SOURCES:-$(printf 'perturbation.%s ' $chances; printf 'perturbation.chance=all+determinism.policy=gpudet+determinism.%s ' $forms)}"
  for number in "${!sources[@]}"; do
    # shellcheck disable=SC2086
    echo "  $number: {set: $(pairs ${sources[$number]//+/ })}"
  done | cases_to determinism_none_racey "platforms: gtx480" "workloads: [racey, racey_atomic, racey_cta, racey_warp]" "vary: {$(seeds 100)}"
  rows determinism_none_racey "$here/determinism_none_rows.py" "$data/determinism_none_racey.csv" racey "${sources[@]}"
fi

# An eighth of the thesis's graphs, on an eighth of its SMs, so that the same share of the CTAs is resident at once.
bfs() { # POLICY NAME EDGES...
  local edges graph folder
  for edges in "${@:3}"; do
    for graph in $(seq "${GRAPHS:-10}"); do
      folder=$runs/graphs/$edges.$graph
      "$here/random_graph.py" 8192 "$edges" "$graph" "$here/../../workloads/bfs_racy/bfs_racy.ptx" "$folder"
      echo "  \"$edges.$graph\": {workloads: graphs/$edges.$graph/bfs.yaml}"
    done
  done | cases_to "$2" "platforms: gtx480" "vary: {$(seeds 50)}" \
    "set: $(pairs sms=2 perturbation.chance=injection "determinism.policy=$1")"
  rows "$2" "$here/determinism_none_rows.py" "$data/$2.csv" graphs
}
# shellcheck disable=SC2086
if wanted bfs; then bfs none determinism_none_bfs ${EDGES:-3000 3250 3500 3750 4000 4250 4500 4750 5000 5250}; fi
# shellcheck disable=SC2086
if wanted bfs_gpudet; then bfs gpudet determinism_gpudet_bfs ${EDGES:-5250}; fi
