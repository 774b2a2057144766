#!/usr/bin/env bash
# Litmus tests under GPUDet: no outcome that the memory model forbids, and the same outcomes whatever chance does, and with warps that go
# ahead of their quantum.
set -u
syncline=$1 suite=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for seed in {1..20}; do
  overlap=none
  [ $((seed % 4)) != 0 ] || overlap=next_quantum
  "$syncline" litmus tiny "$suite" --iterations 4 --set determinism.policy=gpudet --set perturbation.chance=all \
    --set perturbation.seed=$seed --set determinism.gpudet.overlap=$overlap >"$scratch/$seed" || { tail -3 "$scratch/$seed"; exit 1; }
  cmp "$scratch/1" "$scratch/$seed" || exit 1
done
tail -1 "$scratch/1"
