#!/usr/bin/env bash
# What GPUDet does not make deterministic is told to the user with its place in the program, and nothing else is.
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
bad=0

# kernel NAME INSTRUCTION...: a kernel of two warps in NAME.ptx, whose first instruction here is in line 15
kernel() {
  local name=$1
  shift
  {
    printf '%s\n' '.version 7.0' '.target sm_70' '.address_size 64' ".visible .entry $name(.param .u64 p)" '{' \
      '  .reg .pred %p<2>;' '  .reg .b16 %h<2>;' '  .reg .b32 %r<4>;' '  .reg .b64 %rd<4>;' '  .shared .align 4 .b8 s[256];' \
      '  ld.param.u64 %rd1, [p];' '  mov.u32 %r1, %tid.x;' '  mul.wide.u32 %rd2, %r1, 4;' '  add.u64 %rd2, %rd1, %rd2;'
    printf '  %s\n' "$@" 'st.global.u32 [%rd2], %r1;' 'ret;' '}'
  } >"$name.ptx"
}
# notes NAME [--set KEY=VALUE]...: what a run says of it
notes() {
  local name=$1
  shift
  "$syncline" run tiny "$name.ptx" --no-progress --kernel "$name" --block 64 --arg buf:u32:64:zero \
    --set determinism.policy=gpudet "$@" >out.txt || { echo "$name: the run failed"; bad=1; }
  sed -n 's/^ *note *//p' out.txt
}
told() {
  local text=$1 found
  shift
  found=$(notes "$@")
  [[ $found == *"$1.ptx:15: "*"$text"*"not guaranteed"* ]] || { echo "$*: expected a note on \"$text\", got: $found"; bad=1; }
}
untold() {
  local found
  found=$(notes "$@")
  [ -z "$found" ] || { echo "$*: expected no note, got: $found"; bad=1; }
}

kernel clock 'mov.u32 %r1, %clock;'
kernel timer 'mov.u64 %rd3, %globaltimer;' 'cvt.u32.u64 %r1, %rd3;'
kernel slot 'mov.u32 %r1, %warpid;'
kernel place 'mov.u32 %r1, %smid;'
kernel bytes 'st.global.u8 [%rd2], 1;'
kernel race 'st.shared.u32 [s], %r1;'
kernel parts 'and.b32 %r2, %r1, 31;' 'shl.b32 %r2, %r2, 1;' 'shr.u32 %r3, %r1, 5;' 'add.u32 %r2, %r2, %r3;' 'mov.u32 %r3, s;' \
  'add.u32 %r2, %r2, %r3;' 'st.shared.u8 [%r2], %r1;'
kernel counts 'red.shared.add.u32 [s], 1;' 'bar.sync 0;' 'ld.shared.u32 %r1, [s];'
for one in clock timer; do told 'a special register that depends on time' "$one"; done
untold place
untold slot
told 'a store of less than a word' bytes
told 'a store of less than a word' bytes --set determinism.gpudet.commit=lock --set z_unit.granule=1
untold bytes --set z_unit.granule=1
untold bytes --set determinism.gpudet.byte_stores=serial
untold bytes --set determinism.gpudet.byte_stores=serial --set determinism.gpudet.commit=lock
told 'a data race in shared memory' race
untold race --set determinism.gpudet.shared_order=instructions
untold counts
untold parts
exit $bad
