#!/usr/bin/env bash
# `syncline describe PROGRAM`: what it counts is what runs count, and both formats hold; mistakes are told.
set -u
syncline=$1
root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$root/tests/support/expect.sh"
fail() { echo "$*"; failed=1; }

# A kernel that can be counted by hand: two CTAs of 48 threads; all load the common word, and the second CTA stores to it.
cat >own.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry common(.param .u64 p)
{
  .reg .b64 %a; .reg .b32 %r, %c; .reg .pred %q;
  ld.param.u64 %a, [p];
  mov.u32 %c, %ctaid.x;
  setp.eq.u32 %q, %c, 1;
  ld.global.u32 %r, [%a];
  @%q st.global.u32 [%a], %r;
  exit;
}
.visible .entry says(.param .u64 p)
{
  .reg .b64 %f, %z; .reg .b32 %t; .reg .pred %q;
  mov.u32 %t, %tid.x;
  setp.ne.u32 %q, %t, 0;
  @%q exit;
  mov.u64 %f, text;
  mov.u64 %z, 0;
  { .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], %f; st.param.b64 [y], %z; call (z), vprintf, (x, y); }
  exit;
}
.visible .entry wild(.param .u64 p)
{
  .reg .b64 %a;
  ld.param.u64 %a, [p];
  st.global.u32 [%a+4096], 1;
  exit;
}
END
own='describe own.ptx --no-progress --arg x=buf:u32:16:zero --grid 2 --block 48 --kernel'

# 2 CTAs x 2 warps of 6 instructions; three of four lanes in the mean (32 and 16 of 32); the store of one CTA has none.
expect 0 'common' $own common
"$syncline" $own common >text
for row in 'common         1        1     2     48          3       0      0' 'common     2      4        4   0.6    the grid   6.0      6.0   4.0' \
  'common      1     1        1     1      4     4        4     4          0' 'common        0   0   1          1        0   2.0     2    3.0' \
  'common         6   66.7    33.3        0   0  100.0     66.7      33.3        0'; do
  grep -qF "  $row" text || { fail "the text has no row: $row"; cat text; }
done
expect 0 'own, input seed 1: nothing was checked' $own common

# JSON is JSON, also where the program prints; and a description is repeated bit for bit.
"$syncline" $own says --format json >says.json 2>said || fail 'says'
grep -qx hello said || fail 'what the kernel prints is not on standard error'
python3 -m json.tool says.json >/dev/null || fail 'a program that prints spoils the JSON'
"$syncline" describe cloth --no-progress --format json >one.json
"$syncline" describe cloth --no-progress --format json >two.json
cmp one.json two.json || fail 'the same run is described in two ways'
"$syncline" describe cloth --no-progress --format json --input-seed 2 >other.json
cmp -s one.json other.json && fail 'other inputs make no difference'

# What it counts is what the timed machine counts, where the order of accesses does not decide what is executed.
for program in saxpy transpose matmul reduction scan histogram hotspot spmv lud srad bfs_plain mandelbrot; do
  "$syncline" describe "$program" --platform rcc16 --no-progress --format json >described.json || fail "describe $program"
  "$syncline" run rcc16 "$program" --no-progress --stats statistics.json | tail -n 1 >run.json
  python3 - "$program" <<'END' || failed=1
import json, sys
described, run, statistics = (json.load(open(name)) for name in ("described.json", "run.json", "statistics.json"))
sums = {}
for one in statistics["statistics"]:
    block, _, name = one["name"].rpartition(".")
    for cache in ("_l1", "_l2"):
        if block.endswith(cache): name = cache + "." + name
    sums[name] = sums.get(name, 0) + one.get("value", one.get("sum", 0))
total = described["total"]
accesses = total["global_accesses"]
lines = {kind: sum(total["sharing"][s][kind] for s in ("private", "read_only", "read_write")) for kind in ("loads", "stores", "atomics")}
wrong = []
def same(what, ours, theirs):
    if ours != theirs: wrong.append(f"{what}: {ours} described, {theirs} in the run")
same("warp instructions", total["warp_instructions"], run["warp_instructions"])
same("thread instructions", total["thread_instructions"], run["thread_instructions"])
same("instructions by kind", sum(k["warp"] for k in total["instructions"].values()), run["warp_instructions"])
same("threads by kind", sum(k["thread"] for k in total["instructions"].values()), run["thread_instructions"])
same("loads", accesses["loads"]["instructions"], sums["global_loads"])
same("stores", accesses["stores"]["instructions"], sums["global_stores"])
same("atomics", accesses["atomics"]["instructions"], sums["atomics"])
same("lines of loads", lines["loads"], sums["_l1.loads"])
same("lines of stores", lines["stores"], sums["_l1.stores"])
same("lines of atomics", lines["atomics"], sums["_l1.atomics"])
same("CTAs, which the distributor counts and the SMs", 2 * total["ctas"], sums["ctas"])
for kind in lines: same(f"lines of {kind}, twice", lines[kind], accesses[kind]["lines"])
for name in ("launches", "ctas", "warps", "warp_instructions"):
    same(f"{name} of the kernels", sum(k[name] for k in described["kernels"]), total[name])
for text in wrong: print(f"{sys.argv[1]}: {text}")
sys.exit(bool(wrong))
END
done

# Every program is described, on pages of 100 columns.
"$syncline" list workloads | while read -r program _; do
  "$syncline" describe "$program" --platform tiny --no-progress >text 2>errors || { echo "describe $program"; cat errors; }
  grep -q verified text || echo "$program: not verified"
  awk -v program="$program" 'length > 100 { print program ": " length ": " $0 }' text
done >complaints
[ -s complaints ] && { head complaints; failed=1; }

# The machine matters.
expect 0 '16 SMs of 48 warps' describe saxpy --platform rcc16 --no-progress
expect 0 'lines of 64 bytes' describe saxpy --no-progress --set 'l1.line=64 B' --set 'l2.line=64 B'
expect 0 'shared memory' describe matmul --no-progress --set 'sm.shared.bytes=4 KiB' --size medium

# A script that finds its result wrong, and one that would leave a file.
printf 'module: own.ptx\nbuffers: {x: {type: u32, count: 16, fill: 1}}\nsteps:\n- launch: {kernel: common, grid: [1,1,1], block: [1,1,1], shared: 0, args: [{ptr: x}]}\n- check: {buffer: x, type: u32, equals: zeros, abs: 0, rel: 0}\n' >wrong.yaml
head -c 64 /dev/zero >zeros
expect 1 'WRONG' describe wrong.yaml --no-progress
sed 's/check:.*/dump: {buffer: x, to: left}/' wrong.yaml >dumps.yaml
expect 0 'nothing was checked' describe dumps.yaml --no-progress
[ -e left ] && fail 'a description leaves a file'

# Mistakes.
watched=$scratch
expect 2 '`saxpi` is neither a policy nor a program; did you mean the program `saxpy`?' describe saxpi
expect 2 '`nonne` is neither a policy nor a program; did you mean the policy `none`?' describe nonne
expect 2 'did you mean the policy `rcc` or the program `cp`?' describe rcp
expect 2 '`what_is_this` is neither a policy nor a program; see `syncline list policies` and `syncline list workloads`' describe what_is_this
expect 2 'unknown format `jsom` of a program; did you mean `json`?' describe saxpy --format jsom
expect 2 'unknown format `dot` of a program; expected one of: text, json' describe saxpy --format dot
expect 2 'unknown format `json` of a policy; expected one of: markdown, dot' describe rcc --format json
for option in '--size small' '--input-seed 1' '--platform tiny' '--set sms=1' '--no-progress'; do
  # shellcheck disable=SC2086
  expect 2 "${option% *} does not apply to \`rcc\`, which is a policy" describe rcc $option
done
expect 2 '--grid does not apply to `rcc`, which is a policy' describe rcc --grid 2
expect 2 '--grid does not apply to `saxpy`, which is a program of the suite' describe saxpy --grid 2
expect 2 '--size does not apply to `own.ptx`, which is a PTX file' $own common --size small
expect 2 '--arg does not apply to `wrong.yaml`, which is a script' describe wrong.yaml --arg i32:5
expect 2 'did you mean `medium`?' describe saxpy --size mediun
expect 2 'did you mean `common`?' $own comon
expect 2 'needs --kernel NAME' describe own.ptx
expect 2 'none.ptx' describe none.ptx --kernel k
expect 2 'did you mean `gtx480`?' describe saxpy --platform gtx48
expect 2 'did you mean `sms`?' describe saxpy --set smss=3
expect 2 'did you mean `--format`?' describe saxpy --formt json
expect 2 '--platform: expected a name, found nothing' describe saxpy --platform ''
expect 2 'NAME: expected a name, found nothing' describe ''
expect 3 'own.ptx:31' $own wild
expect 3 'limits.instructions' describe own.ptx --no-progress --kernel common --arg buf:u32:16 --set limits.instructions=5

[ "$failed" -eq 0 ] && echo "programs are described as they run"
exit "$failed"
