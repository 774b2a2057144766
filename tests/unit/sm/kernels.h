// PTX that the tests of the SM run.
#pragma once

namespace syncline::tests {

inline constexpr const char* header = ".version 7.0\n.target sm_70\n.address_size 64\n";

/// out[i] = a * x[i] + y[i] for i < n, on integers.
inline constexpr const char* saxpy = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .u64 out, .param .u32 a, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<10>; .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [out];
  ld.param.u32 %r1, [a]; ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p, %r6, %r2;
  @%p bra done;
  mul.wide.u32 %rd4, %r6, 4;
  add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, %rd4;
  ld.global.u32 %r7, [%rd5]; ld.global.u32 %r8, [%rd6];
  mad.lo.s32 %r9, %r1, %r7, %r8;
  st.global.u32 [%rd7], %r9;
done:
  ret;
})";

/// Sixteen lanes each read one place, or their own, of global and of shared memory; two places hold what the last of
/// sixteen has stored.
inline constexpr const char* rows = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry rows(.param .u64 in, .param .u64 out, .param .u64 last) {
  .reg .b32 %r<14>; .reg .b64 %rd<14>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [last];
  mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15; shr.u32 %r3, %r1, 4;
  mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4;
  mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd1, %rd7; add.s64 %rd9, %rd3, %rd7;
  ld.global.u32 %r4, [%rd5]; ld.global.u32 %r5, [%rd8];
  shl.b32 %r6, %r1, 2; mov.u32 %r7, tile; add.s32 %r6, %r6, %r7;
  shl.b32 %r8, %r3, 2; add.s32 %r8, %r8, %r7; shl.b32 %r9, %r2, 2; add.s32 %r9, %r9, %r7;
  st.shared.u32 [%r6], %r4;
  bar.sync 0;
  ld.shared.u32 %r10, [%r8]; ld.shared.u32 %r11, [%r9];
  bar.sync 0;
  st.shared.u32 [%r8], %r4;
  bar.sync 0;
  ld.shared.u32 %r12, [%r6];
  mad.lo.u32 %r5, %r5, 3, %r10; mad.lo.u32 %r5, %r5, 3, %r11; mad.lo.u32 %r5, %r5, 3, %r12;
  st.global.u32 [%rd6], %r5;
  st.global.u32 [%rd9], %r4;
  ret;
})";

/// Each CTA of 128 threads reverses its part through shared memory; odd lanes also add their loop count (divergence).
inline constexpr const char* reverse = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry reverse(.param .u64 in, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r2, 7; add.s32 %r4, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r5, [%rd4];
  shl.b32 %r6, %r1, 2; mov.u32 %r7, tile; add.s32 %r7, %r7, %r6;
  st.shared.u32 [%r7], %r5;
  bar.sync 0;
  sub.s32 %r8, 127, %r1; shl.b32 %r8, %r8, 2; mov.u32 %r9, tile; add.s32 %r9, %r9, %r8;
  ld.shared.u32 %r10, [%r9];
  and.b32 %r11, %r1, 7;
  setp.eq.u32 %p1, %r11, 0;
  @%p1 bra store;
loop:
  mad.lo.u32 %r10, %r10, 3, %r11;
  sub.u32 %r11, %r11, 1;
  setp.ne.u32 %p2, %r11, 0;
  @%p2 bra loop;
store:
  st.global.u32 [%rd5], %r10;
  ret;
})";

/// Histogram of bytes into 16 bins: shared atomics, then global ones.
inline constexpr const char* histogram = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry histogram(.param .u64 in, .param .u64 bins, .param .u64 old) {
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<9>;
  .shared .align 4 .b8 part[64];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [bins]; ld.param.u64 %rd7, [old];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 15;
  shl.b32 %r2, %r1, 2; mov.u32 %r3, part; add.s32 %r4, %r3, %r2;
  @!%p1 st.shared.u32 [%r4], 0;
  bar.sync 0;
  mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x; mad.lo.s32 %r7, %r5, %r6, %r1;
  cvt.u64.u32 %rd3, %r7; add.s64 %rd4, %rd1, %rd3;
  ld.global.u8 %r8, [%rd4];
  and.b32 %r8, %r8, 15; shl.b32 %r8, %r8, 2; add.s32 %r9, %r3, %r8;
  red.shared.add.u32 [%r9], 1;
  bar.sync 0;
  @%p1 bra done;
  ld.shared.u32 %r10, [%r4];
  mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd2, %rd5;
  atom.global.add.u32 %r11, [%rd6], %r10;
  red.global.max.u32 [%rd7], %r10;
done:
  ret;
})";

/// The smallest subnormal added to itself in shared and in global memory.
inline constexpr const char* subnormals = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry subnormals(.param .u64 out) {
  .reg .f32 %f<4>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  .shared .align 4 .b32 sum;
  ld.param.u64 %rd1, [out];
  mov.b32 %f1, 0f00000001;
  st.shared.f32 [sum], %f1; st.global.f32 [%rd1], %f1;
  red.shared.add.f32 [sum], %f1;
  red.global.add.f32 [%rd1], %f1;
  ld.shared.f32 %f2, [sum];
  st.global.f32 [%rd1+4], %f2;
  ret;
})";

/// Each thread adds itself to a pair of 64-bit counters by compare and swap of both together, and exchanges a slot that
/// it shares with others, in global and in shared memory.
inline constexpr const char* wide_atomics = R"(.version 8.4
.target sm_90
.address_size 64
.visible .entry wide_atomics(.param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %q<12>; .reg .b64 %rd<6>; .reg .b128 %x<6>;
  .shared .align 16 .b8 slots[64];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  cvt.u64.u32 %q1, %r1; cvt.u64.u32 %q2, %r2; mul.lo.u64 %q2, %q2, 1000003;
  ld.global.v2.b64 {%q3, %q4}, [%rd1];
AGAIN:
  add.u64 %q5, %q3, %q1; add.u64 %q6, %q4, %q2;
  mov.b128 %x1, {%q3, %q4}; mov.b128 %x2, {%q5, %q6};
  atom.global.cas.b128 %x3, [%rd1], %x1, %x2;
  mov.b128 {%q7, %q8}, %x3;
  setp.eq.u64 %p1, %q7, %q3; setp.eq.and.u64 %p1, %q8, %q4, %p1;
  mov.b64 %q3, %q7; mov.b64 %q4, %q8;
  @!%p1 bra AGAIN;
  and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 4; mov.u32 %r4, slots; add.u32 %r4, %r4, %r3;
  setp.gt.u32 %p2, %r1, 3;
  @%p2 bra FILLED;
  st.shared.v2.b64 [%r4], {%q1, %q2};
FILLED:
  bar.sync 0;
  setp.lt.u32 %p2, %r1, 4;
  @%p2 bra EXCHANGED;
  add.u64 %q9, %q1, %q2;
  mov.b128 %x4, {%q9, %q1};
  atom.shared.exch.b128 %x5, [%r4], %x4;
  mov.b128 {%q7, %q8}, %x5;
  add.u64 %q7, %q7, %q8;
  red.global.add.u64 [%rd1+16], %q7;
EXCHANGED:
  bar.sync 0;
  setp.gt.u32 %p2, %r1, 3;
  @%p2 bra END;
  ld.shared.v2.b64 {%q7, %q8}, [%r4];
  add.u64 %q7, %q7, %q8;
  red.global.add.u64 [%rd1+16], %q7;
END:
  ret;
})";

/// Vectors of 256 bits: loaded whole and with elements left out, stored whole and with holes that must keep what was
/// there, the odd threads apart from the even ones; sums of vectors; the largest of a warp's floating-point numbers.
inline constexpr const char* wide_vectors = R"(.version 9.4
.target sm_107a
.address_size 64
.visible .entry wide_vectors(.param .u64 in, .param .u64 out, .param .u64 sums) {
  .reg .pred %p<2>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %q<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [sums];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
  mul.wide.u32 %rd4, %r1, 32;
  add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd2, %rd4;
  ld.global.L1::evict_last.L2::evict_first.v8.b32 {%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9}, [%rd1];
  and.b32 %r10, %r1, 1;
  setp.eq.u32 %p1, %r10, 0;
  @%p1 st.global.v8.b32 [%rd2], {%r9,_,%r7,_,_,%r4,%r3,_};
  @!%p1 st.v8.u32 [%rd2], {%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9};
  ld.global.nc.v4.b64 {%q1,_,%q2,_}, [%rd1];
  add.u64 %q1, %q1, %q2;
  @%p1 st.global.v4.b64 [%rd2], {_,_,%q1,_};
  and.b32 %r11, %r2, 7; cvt.rn.f32.u32 %f1, %r11;
  and.b32 %r12, %r3, 7; cvt.rn.f32.u32 %f2, %r12;
  redux.sync.max.f32 %f3, %f1, -1;
  red.relaxed.gpu.global.add.noftz.v4.f32 [%rd3], {%f1, %f2, %f3, %f1};
  ret;
})";

/// Local array indexed at run time, constant table, vector loads and stores, 8-byte accesses.
inline constexpr const char* spaces = R"(.version 7.0
.target sm_70
.address_size 64
.const .align 4 .b32 table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
.global .align 4 .b32 offsets[4] = {10, 20, 30, 40};
.visible .entry spaces(.param .u64 in, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<14>;
  .local .align 8 .b8 mine[64];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 16; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd4];
  mov.u64 %rd6, mine;
  st.local.u32 [%rd6], %r5; st.local.u32 [%rd6+4], %r6; st.local.v2.u32 [%rd6+8], {%r7, %r8};
  and.b32 %r9, %r1, 3; mul.wide.u32 %rd7, %r9, 4; add.s64 %rd8, %rd6, %rd7;
  ld.local.u32 %r10, [%rd8];
  st.local.u8 [%rd6+21], %r10;
  ld.local.u64 %rd9, [%rd6+8];
  and.b32 %r11, %r5, 7; mul.wide.u32 %rd10, %r11, 4; mov.u64 %rd11, table; add.s64 %rd11, %rd11, %rd10;
  ld.const.u32 %r12, [%rd11];
  mov.u64 %rd12, offsets; add.s64 %rd12, %rd12, %rd7;
  ld.global.nc.u32 %r13, [%rd12];
  ld.local.u8 %r14, [%rd6+21];
  add.u32 %r15, %r12, %r13; add.u32 %r15, %r15, %r14;
  cvt.u32.u64 %r16, %rd9; shr.u64 %rd13, %rd9, 32; cvt.u32.u64 %r17, %rd13;
  st.global.v4.u32 [%rd5], {%r15, %r10, %r16, %r17};
  ret;
})";

/// Threads of all CTAs take a ticket lock one after the other (one thread per warp) and add to a plain counter.
inline constexpr const char* spin = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 lock, .param .u64 counter, .param .u32 rounds) {
  .reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [lock]; ld.param.u64 %rd2, [counter]; ld.param.u32 %r1, [rounds];
  mov.u32 %r2, %laneid;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra done;
round:
  atom.global.cas.b32 %r3, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra round;
  membar.gl;
  ld.volatile.global.u32 %r4, [%rd2];
  add.u32 %r4, %r4, 1;
  st.volatile.global.u32 [%rd2], %r4;
  membar.gl;
  atom.global.exch.b32 %r5, [%rd1], 0;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra round;
done:
  ret;
})";

/// CTA 0 waits on shared state of every other CTA: all CTAs must be resident and make progress (a grid barrier).
inline constexpr const char* grid_barrier = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry grid_barrier(.param .u64 arrived, .param .u64 out, .param .u32 expected) {
  .reg .pred %p<3>; .reg .b32 %r<10>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [arrived]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [expected];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra wait;
  atom.global.add.u32 %r4, [%rd1], 1;
poll:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.lt.u32 %p2, %r5, %r1;
  @%p2 bra poll;
wait:
  bar.sync 0;
  mov.u32 %r6, %ntid.x; mad.lo.s32 %r7, %r3, %r6, %r2; mul.wide.u32 %rd3, %r7, 4; add.s64 %rd4, %rd2, %rd3;
  ld.volatile.global.u32 %r8, [%rd1];
  st.global.u32 [%rd4], %r8;
  ret;
})";

/// bar.arrive / bar.sync between the halves of a CTA of 64 threads, and bar.red of all.
inline constexpr const char* barriers = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry barriers(.param .u64 out) {
  .reg .pred %p<5>; .reg .b32 %r<10>; .reg .b64 %rd<4>;
  .shared .align 4 .b8 box[128];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, box; and.b32 %r4, %r2, 127; add.s32 %r3, %r3, %r4;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra consumer;
  mul.lo.u32 %r5, %r1, 7;
  st.shared.u32 [%r3], %r5;
  bar.arrive 1, 64;
  bra join;
consumer:
  bar.sync 1, 64;
  ld.shared.u32 %r5, [%r3];
join:
  setp.gt.u32 %p2, %r1, 40;
  bar.red.popc.u32 %r6, 0, %p2;
  bar.red.or.pred %p3, 0, %p2;
  selp.u32 %r7, 1000, 0, %p3;
  add.u32 %r8, %r5, %r6; add.u32 %r8, %r8, %r7;
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r8;
  ret;
})";

}  // namespace syncline::tests
