#!/usr/bin/env bash
# What bad input gets: the right exit status, a located message, and no half-written result.
set -u
syncline=$1
root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
watched=$scratch
. "$root/tests/support/expect.sh"

cp "$root/tests/data/ptx/faults.ptx" spin.ptx
run_kernel() { echo run tiny spin.ptx --no-progress --kernel "$1" --arg buf:u32:16:zero; }

# a policy that cannot keep the consistency model asked for
expect 2 'the policy `tc_weak` is weakly ordered by its nature' \
  run tiny saxpy --set coherence.policy=tc_weak --set coherence.consistency=sc

# an order of messages that networks with time do not have
unordered='coherence.nhcc.order: error: `coherence.nhcc.order` must be `pair` on a machine that runs, whose networks keep that order'
expect 2 "$unordered" run hmg_tiny saxpy --set coherence.policy=hmg --set coherence.nhcc.order=none
expect 2 "$unordered" run hmg_tiny saxpy --functional --set coherence.policy=hmg --set coherence.nhcc.order=line
expect 2 'coherence.nhcc.order: error: must be `pair` under `syncline stress`' stress hmg --set coherence.nhcc.order=line
expect 0 'no violation' check nhcc --no-coverage --set coherence.nhcc.order=line --program 'st.weak x 1 @1.0'

# quanta with what they do not go with
expect 2 'determinism.policy: error: `determinism.policy` needs `coherence.policy: none`' \
  run tiny saxpy --set coherence.policy=rcc --set determinism.policy=gpudet
expect 2 '`coherence.consistency` cannot be sc with a `determinism.policy`' \
  run tiny saxpy --set coherence.consistency=sc --set determinism.policy=gpudet
expect 2 '`determinism.gpudet.depth_bits` is too small' \
  run gtx480 saxpy --set determinism.policy=gpudet --set determinism.gpudet.depth_bits=9

expect 2 'sm.reconvergence: error: `sm.reconvergence` must be ipdom with a `determinism.policy`' \
  run tiny saxpy --set sm.reconvergence=its --set determinism.policy=gpudet
expect 2 'did you mean `tf_stack`?' run tiny saxpy --set sm.reconvergence=tf_stak

# warps of 64
expect 2 'sm.ptx_warp_size: error: `sm.ptx_warp_size` must not exceed warp_size' run tiny saxpy --set sm.ptx_warp_size=64
expect 2 'reduction.ptx:' run southern_islands reduction --stats a.json
expect 2 'counts on warps of 32 lanes, and here WARP_SZ is 64 (sm.ptx_warp_size' run southern_islands reduction --functional
expect 0 '"verified"' run southern_islands reduction --no-progress --set sm.ptx_warp_size=32

# the command line
mkdir folder.vcd
expect 2 'did you mean `run`?' rnu
expect 2 'did you mean `gtx480`?' run gtx48 saxpy
expect 2 'did you mean `saxpy`?' run gtx480 saxpi
expect 2 'did you mean `--seed`?' run gtx480 saxpy --sead 3
expect 2 '--seed: must not be negative, found `-1`' run tiny saxpy --seed -1
expect 2 '`18446744073709551616` is above 18446744073709551615' stress none --seed 18446744073709551616
expect 2 'did you mean `medium`?' run gtx480 saxpy --size mediun
expect 2 'unknown size `huge`; expected one of: small, medium, large, paper' run gtx480 saxpy --size huge
expect 2 'workload `saxpy` has no size `paper`; it has: small, medium, large' run gtx480 saxpy --size paper --stats a.json
expect 2 'workload `saxpy` has no size `paper`; it has: small, medium, large' \
  compare rcc16 --workloads bfs,saxpy --size paper --data a.json
expect 2 'did you mean `paper`?' compare rcc16 --size papr --data a.json
expect 2 'workload `atm` has no option `snyc`; did you mean `sync`?' run gtx480 atm --option snyc=tx --stats a.json
expect 2 'option `sync` has no value `lock`; did you mean `locks`?' describe atm --option sync=lock
expect 2 'option `contention` is a number from 0 to 100, not `101`' run tiny vacation --option contention=101
expect 2 'workload `saxpy` has no option `sync`; it has none' compare tiny --workloads atm,saxpy --option sync=tx --data a.json
expect 2 'no program of the suite has the size and all options that are given' compare tiny --option snyc=tx --data a.json
# What would give columns the numbers of another policy than that whose name they have.
expect 2 '--set coherence.policy: error: the columns of the table differ in it, and one is of `coherence.policy=none`; --policies says' \
  compare tiny --workloads saxpy --policies none,mesi --set coherence.policy=rcc --data a.json
expect 2 '--set coherence.policy: error: the columns of the table differ in it' compare tiny --workloads saxpy --set coherence.policy=rcc
expect 2 '--set determinism.policy: error: the columns of the table differ in it, and one is of `determinism.policy=gpudet`' \
  compare tiny --workloads saxpy --policies none,none+gpudet --set determinism.policy=none
expect 0 'saxpy' compare tiny --workloads saxpy --policies none,rcc --set determinism.policy=none --set transactions.policy=none
expect 2 '--policies has `coherence.policy=none` twice' compare tiny --workloads saxpy --policies none,mesi,coherence.policy=none
expect 2 '--policies has `coherence.policy=none+determinism.policy=gpudet` twice' \
  compare tiny --workloads saxpy --policies none+gpudet,gpudet+none
expect 2 '--workloads has `bfs` twice' compare tiny --workloads bfs,saxpy,bfs --policies none
for command in 'stress mesi' 'check mesi' 'check mesi --random 1' 'check mesi --costs'; do
  expect 2 '--set coherence.policy: error: POLICY is `mesi` already' $command --set coherence.policy=rcc
done
expect 2 '--option does not apply to `spin.ptx`, which is a PTX file' run tiny spin.ptx --kernel spin --option sync=tx
expect 2 'atm.ptx:145:2: error: kernel `atm_transactional` has transactions, which need a policy' run tiny atm --option sync=tx
# of its own accord it takes only the programs that have the size
expect 2 'cannot write `/nonexistent/a.json`' compare rcc16 --size paper --data /nonexistent/a.json
expect 2 'did you mean `policies`?' list policie
expect 2 'did you mean the policy `none`?' describe nonne
expect 2 'unknown format' describe none --format dott
expect 2 'watches the timed blocks' run gtx480 saxpy --functional --stats a.json
expect 2 'unknown wave group `smm`; did you mean `sm`?' run tiny saxpy --wave a.vcd --wave-groups smm
expect 2 'expected a file name that ends in .vcd or .fst' run tiny saxpy --wave a.txt
if "$syncline" run tiny saxpy --no-progress --wave written.fst >/dev/null 2>&1; then
  rm written.fst
  echo "skipped: a build that writes no FST (this one does)"
else
  expect 2 'this build writes no FST' run tiny saxpy --wave a.fst
fi
waves='run tiny saxpy --wave a.vcd'
expect 2 '--wave-blocks: no block or signal of these groups matches `gpu.smo*`; did you mean `gpu.sm0`?' $waves --wave-blocks 'gpu.sm*,gpu.smo*'
expect 2 '--wave-from `35 u`: expected a cycle of the SM clock (`12000`) or a time (`35 us`)' $waves --wave-from '35 u'
expect 2 '--wave-to `-1`: expected a cycle of the SM clock' $waves --wave-to=-1
expect 2 '--wave-to `1 us` is before --wave-from `10000`' $waves --wave-from 10000 --wave-to '1 us'
expect 2 'cannot write a view to `a.txt`: expected a file name that ends in .gtkw' $waves --wave-view a.txt
expect 2 '--watch-line 0xffffffffff00: device memory ends before' $waves --watch-line 0xffffffffff00
trigger() { expect 2 "--wave-trigger: \`$1\`:$2" $waves --wave-trigger "$1"; }
trigger 'gpu.sm0.active_wraps > 3' '1: no signal is called `gpu.sm0.active_wraps`; did you mean `gpu.sm0.active_warps`?'
trigger 'gpu.sm0.active_warps > ' '24: expected a number or a name, found the end'
trigger 'gpu.sm0.active_warps > many' '24: the values of gpu.sm0.active_warps are numbers, found `many`'
trigger '(gpu.sm0.active_warps' '22: expected `)`, found the end'
trigger 'gpu.sm0.active_warps 3' '22: expected `&&`, `||` or the end, found `3`'
trigger '&& gpu.sm0.active_warps' '1: expected a signal, found `&`'
trigger 'changed(gpu.sm0.activ_warps)' '9: no signal is called'
trigger "$(printf '(%.0s' {1..70})" '65: expected fewer `!` and `(` in one another'
expect 2 'cannot write `/nonexistent/a.json`' run tiny saxpy --stats /nonexistent/a.json
expect 2 'needs --kernel NAME' run tiny spin.ptx
expect 2 '--dump does not apply to `saxpy`, which is a program of the suite' run tiny saxpy --dump x=x.bin
expect 2 '--grid does not apply to `script.yaml`, which is a script' run tiny script.yaml --grid 2
expect 2 '--size does not apply to `spin.ptx`, which is a PTX file' run tiny spin.ptx --kernel spin --size large
expect 2 '--stats and --series both write `a.out`' run tiny saxpy --series a.out --stats ./a.out
expect 2 'cannot write `folder.vcd`' run tiny saxpy --wave folder.vcd
ln -s circle.json circle.json
expect 2 'cannot write `circle.json`' run tiny saxpy --stats circle.json
expect 2 '--series-names: no statistic of a block is called `nothing`; expected one of: ' run tiny saxpy --series a.csv --series-names nothing
expect 2 '--series-names: no statistic of a block is called `lods`; did you mean `loads`?' run tiny saxpy --series a.csv --series-names loads,lods
expect 2 '--series-names: `load_latency` is a distribution, and a column has one number' \
  run tiny saxpy --series a.csv --series-names loads,load_latency
# A policy with a mistake: a state serves loads, and the line is not there.
expect 4 'the policy answers a load from line 0x' run tiny stencil --set coherence.policy=tc_weak --set 'coherence.mutant=L1 S, Replacement: to SM' --no-progress

# configuration
expect 2 'did you mean `sms`?' run tiny saxpy --set smss=3
expect 2 '--set sms' run tiny saxpy --set sms=0
expect 2 'power of two' run tiny saxpy --set memory.chunk=100
expect 2 '`l1.line` must equal `l2.line`' run tiny saxpy --set 'l2.line=64 B'
expect 2 'at least one line of the L2' run tiny saxpy --set 'memory.chunk=64 B'
expect 2 '`coherence.policy` has no choice `mesy`' run tiny saxpy --set coherence.policy=mesy
printf 'sm: {reconvergence: ipdon}\n' >choice.yaml
expect 2 'choice.yaml:1:21: error: `sm.reconvergence` has no choice `ipdon`; did you mean `ipdom`?' run choice.yaml saxpy
expect 2 'at most 100000 cycles' run tiny saxpy --set 'l2.latency=4294967295 cycles'
expect 2 'at most 4096' run tiny saxpy --set l1.input_queue=4294967295
expect 2 'at most 100 GHz' run tiny saxpy --set clocks.core=1000GHz
expect 2 'leaves no time between refreshes' run tiny saxpy --set 'dram.timing.t_rcd=4000 cycles'
printf 'sms: 2\nsms: 3\n' >twice.yaml
expect 2 'twice.yaml:2:1' run twice.yaml saxpy
printf 'sms: 010\n' >octal.yaml
expect 2 'octal.yaml:1:6' run octal.yaml saxpy
printf 'sm: {max_warps: yes}\n' >yes.yaml
expect 2 'yes.yaml:1' run yes.yaml saxpy
printf 'sms: [1' >cut.yaml
expect 2 'cut.yaml' run cut.yaml saxpy
head -c 4096 /dev/urandom >binary.yaml
expect 2 'binary.yaml' run binary.yaml saxpy

# PTX
head -c 4096 /dev/urandom >binary.ptx
expect 2 'binary.ptx' run tiny binary.ptx --kernel k
head -c 400 spin.ptx >cut.ptx
expect 2 'cut.ptx:' run tiny cut.ptx --kernel spin
sed 's/setp.eq.u32/setpp.eq.u32/' spin.ptx >opcode.ptx
expect 2 'opcode.ptx:12' run tiny opcode.ptx --kernel spin
sed 's/bra again/bra agian/' spin.ptx >label.ptx
expect 2 'agian' run tiny label.ptx --kernel spin
mkdir folder
expect 2 'folder: error: the PTX file cannot be read: it is a folder' run tiny folder --kernel spin
mkfifo pipe.ptx
expect 2 'pipe.ptx: error: the PTX file cannot be read: it is not a regular file' run tiny pipe.ptx --kernel spin

# launches
expect 2 'did you mean `spin`?' run tiny spin.ptx --kernel spln --arg buf:u32:16:zero
expect 2 'argument' run tiny spin.ptx --kernel spin
expect 2 'argument' run tiny spin.ptx --kernel spin --arg f32:1
expect 2 'threads' run tiny spin.ptx --kernel spin --block 2048 --arg buf:u32:16:zero
expect 2 'shared' $(run_kernel big_shared)

# names in a script's later steps: nothing runs before they are told
cat >later.yaml <<'YAML'
module: spin.ptx
buffers: {a: {type: u32, count: 16, device: 0}}
steps:
  - launch: {kernel: spin, grid: 1, block: 1, args: [{ptr: a}], device: 0}
  - LAST
YAML
sed 's/LAST/wait: {device: 7, for: 0}/' later.yaml >wait.yaml
sed 's/LAST/launch: {kernel: spln, grid: 1, block: 1, args: [{ptr: a}], device: 1}/' later.yaml >kernel.yaml
for fidelity in "" --functional; do
  expect 2 'wait.yaml:5:5: error: device(7): the machine has 2 devices' run hmg_tiny wait.yaml --no-progress $fidelity
  expect 2 'kernel.yaml:5:5: error: ' run hmg_tiny kernel.yaml --no-progress $fidelity
  expect 2 'did you mean `spin`?' run hmg_tiny kernel.yaml --no-progress $fidelity
done

# faults of the program, on both fidelity levels
for fidelity in "" --functional; do
  expect 3 'spin.ptx:20' $(run_kernel out_of_bounds) $fidelity --dump-config config.yaml --dump arg0=out.bin
  expect 3 'spin.ptx:27' $(run_kernel misaligned) $fidelity
  expect 3 'barrier deadlock' $(run_kernel deadlock) --block 64 $fidelity
done
echo before >kept.vcd
expect 3 'limits.cycles' $(run_kernel spin) --set limits.cycles=20000 --stats a.json --series a.csv --wave kept.vcd --dump arg0=out.bin
expect 3 'instruction' $(run_kernel spin) --functional --set limits.instructions=20000

[ "$failed" -eq 0 ] && echo "every mistake was told"
exit "$failed"
