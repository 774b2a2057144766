#!/usr/bin/env bash
# One program under GPUDet has one result: one_result.sh SYNCLINE PLATFORM WORKLOAD SEEDS [--set KEY=VALUE]...
# Every kind of chance, drawn from SEEDS seeds, warps that go ahead of their quantum, and every change of the machine that the argument for
# determinism allows leave the contents of device memory as they are. Each run also verifies. With one seed, one such change.
set -u
syncline=$1 platform=$2 workload=$3 seeds=$4
shift 4

# signature ARGUMENTS...: of device memory after a run that verified.
signature() {
  local line
  line=$("$syncline" run "$platform" "$workload" --no-progress --set determinism.policy=gpudet "${settings[@]}" "$@") ||
    { echo "a run failed: $workload ${settings[*]} $*" >&2; return 1; }
  sed -n 's/.*"memory_signature":"\([0-9a-f]*\)".*/\1/p' <<<"$line"
}

settings=("$@")
wanted=$(signature) || exit 1
[ -n "$wanted" ] || { echo "no signature"; exit 1; }
runs=1
same() {
  local found
  found=$(signature "$@") || exit 1
  [ "$found" = "$wanted" ] || { echo "$workload ${settings[*]}: $found with $*, and $wanted without"; exit 1; }
  runs=$((runs + 1))
}
for seed in $(seq "$seeds"); do same --set perturbation.chance=all --set perturbation.seed="$seed"; done
same --set determinism.gpudet.overlap=next_quantum --set determinism.gpudet.overlap_bloom=1024 \
  --set sm.scheduler.policy=gto --set l1.size=8KiB --set l1.ways=4 --set clocks.core=900MHz --set crossbar.latency=13
if [ "$seeds" -gt 1 ]; then
  same --set perturbation.chance=all --set perturbation.seed=$((seeds + 1)) --set determinism.gpudet.overlap=next_quantum
  same --set sm.scheduler.policy=two_level --set l2.size=32KiB --set l2.ways=8 --set crossbar.bandwidth=8 \
    --set determinism.gpudet.store_buffer.bloom=ideal --set determinism.gpudet.store_buffer.data=chunk
fi
echo "$workload: $runs runs, one result"
