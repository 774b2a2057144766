#!/usr/bin/env bash
# What warps print, and where the heap lies that they are given, is one thing under GPUDet whatever chance does, and
# many things without.
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/calls.ptx" <<'PTX'
.version 6.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.global .align 1 .b8 format[9] = {37, 100, 32, 37, 108, 108, 120, 10, 0};  // "%d %llx\n"
.visible .entry calls(.param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p;
  .local .align 8 .b8 arguments[16];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  and.b32 %r5, %r1, 31;
  setp.ne.u32 %p, %r5, 0;
  @%p bra done;
  { .param .b64 n; .param .b64 r;
    st.param.b64 [n], 16;
    call (r), malloc, (n);
    ld.param.b64 %rd1, [r]; }
  mov.u64 %rd2, arguments;
  cvta.local.u64 %rd2, %rd2;
  st.u32 [%rd2], %r4;
  st.u64 [%rd2+8], %rd1;
  mov.u64 %rd3, format;
  cvta.global.u64 %rd3, %rd3;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %rd3; st.param.b64 [a], %rd2;
    call (r), vprintf, (f, a);
    ld.param.b32 %r6, [r]; }
done:
  ret;
}
PTX

# outputs POLICY: how many different ones 8 seeds give
outputs() {
  for seed in 1 2 3 4 5 6 7 8; do
    "$syncline" run tiny "$scratch/calls.ptx" --kernel calls --grid 6 --block 128 --arg buf:u64:1:zero --no-progress \
      --set determinism.policy="$1" --set perturbation.chance=all --set perturbation.seed="$seed" >"$scratch/all" || echo "a run failed"
    grep -E '^[0-9]+ [0-9a-f]+$' "$scratch/all" >"$scratch/printed"
    [ "$(wc -l <"$scratch/printed")" -eq 24 ] || echo "not every warp has printed"
    md5sum <"$scratch/printed"
  done | sort -u
}
ordered=$(outputs gpudet) unordered=$(outputs none)
echo "gpudet: $ordered"
echo "none: $unordered"
! grep -q 'run failed\|not every' <<<"$ordered$unordered" && [ "$(wc -l <<<"$ordered")" -eq 1 ] && [ "$(wc -l <<<"$unordered")" -gt 1 ]
