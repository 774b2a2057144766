#!/usr/bin/env bash
# Files and kernels made to hurt: each is an error with a place, or a fault that names the kernel, or it just runs; on
# the emulator and on the timed machine, within seconds.
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$3/tests/support/expect.sh"
# ptx STATUS TEXT FILE OPTIONS...: how a run of this file ends, and what it tells
ptx() { expect "$1" "$2" run tiny "${@:3}" --no-progress; }
module() { printf '.version 7.3\n.target sm_70\n.address_size 64\n%s\n' "$1"; }
kernel() { module "${2:-}.visible .entry k() { $1 ret; }"; }

# what is no PTX text
cp "$syncline" program.ptx
ptx 2 'program.ptx:1:1: error: this is an ELF file (a cubin, a host object or a program), not PTX text' program.ptx --kernel k
{ printf '\357\273\277'; kernel ''; } >mark.ptx
ptx 2 'mark.ptx:1:1: error: the text begins with a byte order mark (UTF-8)' mark.ptx --kernel k
{ printf 'Fatbin ptx code:\n================\n'; kernel ''; } >listing.ptx
ptx 2 'listing.ptx:3:1: error: this is a listing of cuobjdump, not PTX text alone' listing.ptx --kernel k
{ kernel ''; printf '\0\n'; } >zero.ptx
ptx 0 'zero on tiny' zero.ptx --kernel k

# what does not run is told in one go
kernel 'wmma.mma.sync; tex.1d.v4 a; tex.1d.v4 b; cp.async c;' >many.ptx
ptx 2 '4 statements of this file do not run here:' many.ptx --kernel k
for line in 'line 4: `wmma.mma.sync`' 'line 4: `tex.1d.v4` (2 times): textures' 'line 4: `cp.async`: asynchronous copies'; do
  ptx 2 "$line" many.ptx --kernel k
done

calls='.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.global .align 1 .b8 text[20] = {37, 46, 50, 49, 52, 55, 52, 56, 51, 54, 52, 55, 102, 10, 0};
'
kernel 'L: bra L;' >endless.ptx
kernel '.reg .b64 p; L: { .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); ld.param.b64 p, [r]; }
  bra L;' "$calls" >taking.ptx
kernel '.reg .b64 p; .reg .pred full; L: { .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n);
  ld.param.b64 p, [r]; } setp.ne.u64 full, p, 0; @full bra L;' "$calls" >taking_all.ptx
kernel '.local .align 8 .b8 buffer[8]; .reg .b64 a<3>; mov.u64 a0, text; cvta.global.u64 a1, a0; mov.u64 a0, buffer;
  st.local.u64 [a0], 0; cvta.local.u64 a2, a0; { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], a1;
  st.param.b64 [a], a2; call (r), vprintf, (f, a); }' "$calls" >printing.ptx
kernel '.local .b8 a[1073741824]; .reg .b64 r; mov.u64 r, a; st.local.u32 [r], 1;' >gibibyte.ptx
kernel '.local .b8 a[2000000]; .reg .b64 r; mov.u64 r, a; st.local.u32 [r+4], 1;' >megabytes.ptx
sed 's/r+4/r+70000/' megabytes.ptx >beyond.ptx
for mode in --functional ''; do
  ptx 2 'gibibyte.ptx:4:34: error: `a` of 1073741824 bytes does not fit: the local memory of a thread has 234881024 bytes' \
    gibibyte.ptx --kernel k $mode
  ptx 0 'megabytes on tiny' megabytes.ptx --kernel k $mode
  ptx 3 'thread (0, 0, 0) (warp 0, lane 0) of CTA (0, 0, 0)' beyond.ptx --kernel k $mode
  ptx 3 'beyond.ptx:4' beyond.ptx --kernel k $mode
  ptx 3 '`%.2147483647f` of a printf makes 2147483647 characters, the limit is 1048576 (thread (0, 0, 0)' \
    printing.ptx --kernel k $mode
  ptx 0 'taking_all on tiny' taking_all.ptx --kernel k --set host.heap=64KiB $mode
done
for program in endless taking; do
  ptx 3 'kernel `k` did not end within 100000 warp instructions (limits.instructions); an infinite loop? thread (0, 0, 0) (warp 0, lane 0) of CTA (0, 0, 0) is at '"$program.ptx:" \
    $program.ptx --kernel k --functional --set limits.instructions=100000
  ptx 3 'did not end within 4000 warp instructions (limits.cycles, at the GPU'"'"'s greatest rate); an infinite loop?' \
    $program.ptx --kernel k --functional --set limits.cycles=1000
  ptx 3 'the run reached its limit of 100000 cycles (limits.cycles); an infinite loop?' \
    $program.ptx --kernel k --set limits.cycles=100000
  ptx 3 "$program.ptx:" $program.ptx --kernel k --set limits.cycles=100000
done
# warps that wait for each other are told of before the run ends
kernel '.global .b32 lock; .reg .u32 r; taken: atom.cas.b32 r, [lock], 1, 2; bra taken;' >waits.ptx
ptx 3 'syncline: warps run, but none has changed memory, reached a barrier or ended since cycle ' \
  waits.ptx --kernel k --set limits.cycles=100000 --set limits.spin_window=20000
ptx 3 'limits.spin_window is 20000 cycles)' waits.ptx --kernel k --set limits.cycles=100000 --set limits.spin_window=20000

# large modules on a device
perl -e 'print ".version 7.0\n.target sm_70\n.address_size 64\n"; print ".global .u32 g$_;\n" for 0 .. 99999;
  print ".visible .entry k() { .reg .u32 r;\n"; print "ld.global.u32 r, [g$_];\n" for 99000 .. 99999; print "ret; }\n"' >globals.ptx
perl -e 'print ".version 7.0\n.target sm_70\n.address_size 64\n"; print ".visible .entry k$_() { ret; }\n" for 0 .. 19999;' >kernels.ptx
ptx 0 'globals on tiny' globals.ptx --kernel k --functional
ptx 0 'kernels on tiny' kernels.ptx --kernel k19999 --functional
ptx 0 'kernels on tiny' kernels.ptx --kernel k19999
[ "$failed" -eq 0 ] && echo "hostile PTX is answered"
exit "$failed"
