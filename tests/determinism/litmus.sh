#!/usr/bin/env bash
# Litmus tests under GPUDet: no outcome that the memory model forbids, and the same outcomes whatever chance does.
set -u
syncline=$1 suite=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for seed in 1 2 3; do
  "$syncline" litmus tiny "$suite" --iterations 20 --set determinism.policy=gpudet --set perturbation.chance=all \
    --set perturbation.seed=$seed >"$scratch/$seed" || { tail -3 "$scratch/$seed"; exit 1; }
  cmp "$scratch/1" "$scratch/$seed" || exit 1
done
tail -1 "$scratch/1"
