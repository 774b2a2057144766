#!/usr/bin/env bash
# Vectors of 256 bits, with elements left out, leave the same memory behind on every machine and under every policy as
# the emulator does.
set -u
syncline=$1
ptx=$3/tests/data/ptx/wide_vectors.ptx

fail() { echo "$1"; exit 1; }
# signature PLATFORM OPTIONS...: of the memory behind the kernel
signature() {
  "$syncline" run "$@" "$ptx" --kernel wide_vectors --grid 40 --block 64 --arg 'in=buf:u32:20480:random(seed=3)' \
    --arg 'out=buf:u32:20480:random(seed=5)' --arg sums=buf:f32:4:zero --no-progress |
    tail -n 1 | sed -n 's/.*"memory_signature":"\([0-9a-f]*\)".*/\1/p'
}

expected=$(signature tiny --functional)
[ -n "$expected" ] || fail "the emulator gave no signature"
for platform in tiny gtx480 rcc16; do
  [ "$(signature $platform)" = "$expected" ] || fail "$platform leaves other memory behind than the emulator"
done
for setting in coherence.policy={mesi,rcc,rcc_wo,gpu_vi,gpu_vi_ni,tc_strong,tc_weak,ideal} determinism.policy=gpudet; do
  [ "$(signature tiny --set $setting)" = "$expected" ] || fail "$setting leaves other memory behind than the emulator"
done
echo "vectors of 256 bits agree"
