#!/usr/bin/env bash
# What keys of blocks in RTL cannot be is told, with the key to blame: refusals.sh SYNCLINE ROOT
set -u
syncline=$1
. "$2/tests/support/expect.sh"
run='run tiny saxpy --no-progress'

rtl='--set l2.atomic_unit.model=rtl'
expect 2 '`l2.atomic_unit.forwarding` must be false with `l2.atomic_unit.model: rtl`' $run $rtl
rtl="$rtl --set l2.atomic_unit.forwarding=false"
expect 2 '`l2.atomic_unit.latency` must be 3 to 18 cycles' $run $rtl --set l2.atomic_unit.latency=2
expect 2 '`l2.atomic_unit.latency` must be 3 to 18 cycles' $run $rtl --set l2.atomic_unit.latency=19
expect 2 '`l2.atomic_unit.same_address_rate` must be 1' $run $rtl --set l2.atomic_unit.same_address_rate=2
expect 2 '`l2.atomic_unit.model` has no choice `rtls`; did you mean `rtl`?' $run --set l2.atomic_unit.model=rtls

rtl='--set determinism.policy=gpudet --set z_unit.model=rtl'
expect 2 '`z_unit.requests` must be at most 16' $run $rtl --set z_unit.requests=17
expect 2 '`z_unit.ways` must be at most 4' $run $rtl --set z_unit.ways=8
expect 2 '`z_unit.cache_size` must be a power of two of sets, 32 at most' $run $rtl --set z_unit.cache_size='32 KiB'
expect 2 '`z_unit.cache_size` must be a power of two of sets, 32 at most' $run $rtl --set z_unit.cache_size='12 KiB'

rtl='--set transactions.policy=getm --set transactions.getm.stall_buffer.model=rtl'
expect 2 '`transactions.getm.stall_addresses` must be at most 16' $run $rtl --set transactions.getm.stall_addresses=17
expect 2 '`transactions.getm.stall_requests` must be at most 4' $run $rtl --set transactions.getm.stall_requests=5

# Of floating point the unit in RTL has nothing.
cat >"${TMPDIR:-/tmp}/floats.$$.ptx" <<'PTX'
.version 6.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 sum)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [sum];
  red.global.add.f32 [%rd1], 0f3f800000;
  ret;
}
PTX
trap 'rm -f "${TMPDIR:-/tmp}/floats.$$.ptx"' EXIT
expect 2 'does integers of 32 and 64 bits and no add.f32; `l2.atomic_unit.model: tlm` does' \
  run tiny "${TMPDIR:-/tmp}/floats.$$.ptx" --kernel add --block 32 --arg buf:f32:1:zero --no-progress \
  --set l2.atomic_unit.model=rtl --set l2.atomic_unit.forwarding=false
exit "$failed"
