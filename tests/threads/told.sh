#!/usr/bin/env bash
# What `syncline run` says of threads: how many, why not more, and of mistakes. told.sh SYNCLINE ROOT
set -u
syncline=$1
root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
watched=$scratch
. "$root/tests/support/expect.sh"

for number in 0 -1 02 65 1000 two 1.5; do
  expect 2 "--threads: error: \`host.threads\` must be a whole number from 1 to 64, or \`auto\`, found \`\"$number\"\`" \
    run tiny saxpy --threads $number
done
expect 2 '--threads: expected a name, found nothing' run tiny saxpy --threads ''
printf 'include: %s/configs/tiny.yaml\nhost:\n  threads: 0\n' "$root" >none.yaml
expect 2 'none.yaml:3:3: error: `host.threads` must be a whole number from 1 to 64' run none.yaml saxpy
expect 2 '--set host.threads: error: `host.threads` must be' run tiny saxpy --set host.threads=100

expect 0 '  threads             2' run gtx480 saxpy --threads 2 --no-progress
expect 0 '  threads             3' run gtx480 saxpy --set host.threads=3 --no-progress
expect 0 '  threads             1, not 2: waves are written' run tiny saxpy --threads 2 --wave a.vcd --no-progress
expect 0 '1, not 2: an observer follows messages' run tiny saxpy --threads 2 --trace a.json --no-progress
expect 0 '1, not 4: a policy or an observer follows warps' run tiny atm --threads 4 --set transactions.policy=getm --no-progress
expect 0 '1, not 2: pages are given to modules as they are touched' run hmg_tiny saxpy --threads 2 --no-progress
expect 0 '1, not 2: perturbation.network_jitter draws as messages come' \
  run tiny saxpy --threads 2 --set perturbation.network_jitter=3 --no-progress
# The command line wins over the file.
printf 'include: %s/configs/tiny.yaml\nhost:\n  threads: 2\n' "$root" >two.yaml
expect 0 '  threads             2' run two.yaml saxpy --no-progress
expect 0 'verified' run two.yaml saxpy --threads 1 --no-progress
expect 0 'verified' run gtx480 saxpy --threads auto --no-progress

# A kernel that calls the system has its turns in order while it runs: it prints, and takes from the heap, as on one thread.
cat >prints.ptx <<'PTX'
.version 6.0
.target sm_60
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.global .align 1 .b8 text[12] = {37, 117, 32, 37, 117, 32, 37, 120, 10, 0};
.visible .entry k(.param .u64 out) {
  .local .align 8 .b8 buffer[16];
  .reg .b64 a<6>;
  .reg .b32 r<4>;
  mov.u32 r0, %ctaid.x;
  mov.u32 r1, %tid.x;
  { .param .b64 n; .param .b64 got; st.param.b64 [n], 24; call (got), malloc, (n); ld.param.b64 a3, [got]; }
  cvt.u32.u64 r2, a3;
  mov.u64 a0, text;
  cvta.global.u64 a1, a0;
  mov.u64 a0, buffer;
  st.local.u32 [a0], r0;
  st.local.u32 [a0+4], r1;
  st.local.u32 [a0+8], r2;
  cvta.local.u64 a2, a0;
  { .param .b64 f; .param .b64 a; .param .b32 got; st.param.b64 [f], a1; st.param.b64 [a], a2; call (got), vprintf, (f, a); }
  ld.param.u64 a4, [out];
  mad.lo.u32 r3, r0, 64, r1;
  mul.wide.u32 a5, r3, 4;
  add.u64 a4, a4, a5;
  st.global.u32 [a4], r2;
  ret;
}
PTX
for number in 1 4; do
  "$syncline" run gtx480 prints.ptx --kernel k --grid 40 --block 64 --arg buf:u32:2560:zero --no-progress --threads $number \
    --stats "$number.json" >"$number.txt" || failed=1
  sed -i -E '/^  (host time|threads) /d; s/"host_seconds":[^,]*,//' "$number.txt"
done
[ "$(grep -c '^[0-9]* [0-9]* [0-9a-f]*$' 1.txt)" -eq 2560 ] || { echo 'not all threads have printed'; failed=1; }
cmp 1.txt 4.txt && cmp 1.json 4.json || failed=1

# A fault is that of the first turn.
for number in 1 3; do
  "$syncline" run gtx480 "$root/tests/data/ptx/faults.ptx" --kernel misaligned --grid 30 --block 64 --arg buf:u32:16:zero --no-progress \
    --threads $number 2>"fault$number.txt"
  [ $? -eq 3 ] || { echo "on $number threads a fault is none"; failed=1; }
done
cmp fault1.txt fault3.txt || failed=1
exit $failed
