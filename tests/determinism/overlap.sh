#!/usr/bin/env bash
# Warps that go ahead of their quantum change times only: overlap.sh SYNCLINE PLATFORM WORKLOAD...
# Memory, instructions, quanta, why and where they end, and what is stored are those without; and in some program loads went ahead, in some
# they had to wait.
set -u
syncline=$1 platform=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

# counted WORKLOAD OVERLAP CHANCE SEED: what a run counts but cycles, and its signature
counted() {
  "$syncline" run "$platform" "$1" --no-progress --set determinism.policy=gpudet --set determinism.gpudet.overlap="$2" \
    --set perturbation.chance="$3" --set perturbation.seed="$4" --stats "$scratch/stats.json" >"$scratch/out" ||
    { echo "a run failed: $*"; exit 1; }
  tail -1 "$scratch/out" | jq '.memory_signature, .verified'
  jq -c '.statistics[] | select(.name | test("gpu\\.quanta\\.(quanta|ends_.*|quantum_instructions|sm.*log_chunks)$|\\.(warp|thread|memory)_instructions$"))' \
    "$scratch/stats.json"
  jq '[.statistics[] | select(.name | test("quanta\\.sm.*ahead_passed"))] | map(.value) | add' "$scratch/stats.json" >>"$scratch/passed.$2"
  jq '[.statistics[] | select(.name | test("quanta\\.sm.*ahead_held"))] | map(.value) | add' "$scratch/stats.json" >>"$scratch/held.$2"
}
for workload in "$@"; do
  counted "$workload" none none 1 >"$scratch/wanted"
  [ "$(wc -l <"$scratch/wanted")" -gt 10 ] || { echo "$workload: nothing is counted"; bad=1; }
  for run in 'none 1' 'all 2'; do
    # shellcheck disable=SC2086
    counted "$workload" next_quantum $run >"$scratch/found"
    diff "$scratch/wanted" "$scratch/found" || { echo "$workload, chance $run: the runs differ"; bad=1; }
  done
done
[ "$(sort -un "$scratch/passed.none" "$scratch/held.none")" = 0 ] || { echo "warps went ahead that must not"; bad=1; }
for what in passed held; do
  [ "$(sort -n "$scratch/$what.next_quantum" | tail -1)" -gt 0 ] || { echo "no load $what"; bad=1; }
done
exit $bad
