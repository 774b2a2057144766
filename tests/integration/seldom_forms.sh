#!/usr/bin/env bash
# Forms that few files use leave the same memory behind on every machine and under every policy as the emulator does;
# tests/unit/exec/seldom_forms_test.cpp says what that memory is.
set -u
syncline=$1
ptx=$3/tests/data/ptx/seldom_forms.ptx

fail() { echo "$1"; exit 1; }
# signature PLATFORM OPTIONS...: of the memory behind the kernel
signature() {
  "$syncline" run "$@" "$ptx" --kernel seldom --block 64 --arg out=buf:u32:768:zero --no-progress |
    tail -n 1 | sed -n 's/.*"memory_signature":"\([0-9a-f]*\)".*/\1/p'
}

expected=$(signature tiny --functional)
[ -n "$expected" ] || fail "the emulator gave no signature"
for platform in tiny gtx480 rcc16; do
  [ "$(signature $platform)" = "$expected" ] || fail "$platform leaves other memory behind than the emulator"
done
for setting in coherence.policy={mesi,rcc,gpu_vi,tc_weak} determinism.policy=gpudet sm.scheduler.policy=gto; do
  [ "$(signature tiny --set $setting)" = "$expected" ] || fail "$setting leaves other memory behind than the emulator"
done
echo "seldom forms agree"
