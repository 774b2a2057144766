#!/usr/bin/env bash
# What GPUDet costs the host: [PROGRAMS="..."] [SIZES="..."] determinism.sh [SYNCLINE] [REPETITIONS]
#
# Processor time per warp-instruction under GPUDet over that without it on the same program, both with seeded nondeterminism: the
# least of several runs on one core, which is the one that others disturbed least. The runs alternate. Promised: at most 2.
# Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
programs=(${PROGRAMS:-aes bfs_racy bfs_plain cfd cp hotspot lib lps srad cloth cloth_opt hash_table atm})
sizes=(${SIZES:-small medium})
. "$(dirname "$0")/host_cost.sh"

row() { # SIZE PROGRAM
  local none=() gpudet=()
  for _ in $(seq "$repetitions"); do
    none+=("$(host_cost gtx480 "$2" --size "$1" --set perturbation.chance=injection --set determinism.policy=none)")
    gpudet+=("$(host_cost gtx480 "$2" --size "$1" --set perturbation.chance=injection --set determinism.policy=gpudet)")
  done
  awk -v l="$2 ($1)" -v n="$(printf '%s\n' "${none[@]}" | least)" -v g="$(printf '%s\n' "${gpudet[@]}" | least)" \
    'BEGIN { printf "| %-20s | %9.0f | %10.0f | %5.2f |\n", l, n, g, g / n }'
}

printf '| %-20s | %9s | %10s | %5s |\n' "processor time" "none, ns" "gpudet, ns" ratio
printf '|----------------------|----------:|-----------:|------:|\n'
for size in "${sizes[@]}"; do
  for program in "${programs[@]}"; do row "$size" "$program"; done
done
printf '| %-20s | %9s | %10s | %5s |\n' "promised, at most" "" "" 2.00
