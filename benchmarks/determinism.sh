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

pin=()
command -v taskset >/dev/null && pin=(taskset -c 0)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# nanoseconds of processor time per warp-instruction: one_run PROGRAM SIZE POLICY
one_run() {
  local seconds
  seconds=$( { TIMEFORMAT=%U; time "${pin[@]}" "$syncline" run gtx480 "$1" --size "$2" --no-progress \
    --set perturbation.chance=injection --set determinism.policy="$3" >"$scratch/out"; } 2>&1)
  tail -n 1 "$scratch/out" | sed -n 's/.*"warp_instructions": *\([0-9]*\).*/\1/p' |
    awk -v s="$seconds" '{ printf "%.1f\n", 1e9 * s / $1 }'
}

row() { # SIZE PROGRAM
  : >"$scratch/none" >"$scratch/gpudet"
  local policy
  for _ in $(seq "$repetitions"); do
    for policy in none gpudet; do one_run "$2" "$1" $policy >>"$scratch/$policy"; done
  done
  for policy in none gpudet; do sort -n "$scratch/$policy" | sed -n 1p; done | paste -sd ' ' |
    awk -v l="$2 ($1)" '{ printf "| %-20s | %9.0f | %10.0f | %5.2f |\n", l, $1, $2, $2 / $1 }'
}

printf '| %-20s | %9s | %10s | %5s |\n' "processor time" "none, ns" "gpudet, ns" ratio
printf '|----------------------|----------:|-----------:|------:|\n'
for size in "${sizes[@]}"; do
  for program in "${programs[@]}"; do row "$size" "$program"; done
done
printf '| %-20s | %9s | %10s | %5s |\n' "promised, at most" "" "" 2.00
