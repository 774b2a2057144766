#!/usr/bin/env bash
# What `syncline check` and `syncline compare` say to mistakes: check_mistakes.sh SYNCLINE
set -u
syncline=$1
. "$(dirname "$0")/../support/expect.sh"
expect 2 'did you mean `rcc`?' check rc
expect 2 'did you mean `small`?' check rcc --size smal
expect 2 'column 4: expected `x`, `y`, `x1` or `y1`' check rcc --program 'ld z'
expect 2 'coherence.rcc.lease_mim' check rcc --set coherence.rcc.lease_mim=3
expect 2 'weakly ordered by its nature' check tc_weak --set coherence.consistency=sc
expect 2 '--homes' check rcc --homes 3
expect 2 '--set coherence.policy: error: POLICY is `rcc` already, found `mesi`' check rcc --set coherence.policy=mesi
expect 0 'no violation' check rcc --set coherence.policy=rcc --program 'ld x'
expect 2 '--time-left does not apply to `mesi`, which has no logical time' check mesi --time-left 5
expect 0 'timestamps overflow' check rcc_wo --time-left 5 --program 'ld x'
expect 2 'caches know no `bar`' check rcc --program 'st x 1; bar @0 | bar; ld x @0'
expect 2 '`gpudet` has none' check gpudet --mutate
expect 2 'has places as `@1.0`, and `rcc` is a policy of one module' check rcc --program 'ld x @1.0'
expect 2 'must be a power of two' check nhcc --set coherence.nhcc.directory_lines=3
expect 2 '`coherence.policy` keeps L2s of several modules coherent, and there is one' run tiny saxpy --set coherence.policy=nhcc
expect 2 'knows `ld`, `st`, `add`, `fence` and `bar`' check gpudet --program 'ldv x'
expect 2 'quantum_sise' check gpudet --set determinism.gpudet.quantum_sise=3
expect 2 'quantum_size' check gpudet --set determinism.gpudet.quantum_size=0
expect 0 'no violation in what was explored' check gpudet --max-states 5
expect 0 '(only compared)' check gpudet --program 'add x 1; add y 1 | add x 1; add y 1'
expect 0 'no violation in what was explored' check rcc --program 'st x 1; st y 1 | ld y; ld x' --max-states 50
expect 2 '--seed requires --mutate or --random' check rcc --seed 3
expect 2 'found `0`' check rcc --random 0
expect 2 '--program excludes --random' check rcc --random 3 --program 'ld x'
expect 2 '--size excludes --random' check rcc --random 3 --size small
expect 2 '--mutate excludes --random' check rcc --random 3 --mutate
expect 2 '--random excludes --costs' check rcc --random 3 --costs
expect 2 '--random does not apply to `gpudet`' check gpudet --random 3
expect 0 '3 programs' check rcc --random 3 --seed 7 --no-coverage
# A program that is not explored whole is named, and counted.
expect 0 '(not finished)' check rcc --random 3 --max-states 20
expect 0 'no violation in what was explored, 6 not to the end' check mesi --random 6 --seed 2 --max-states 5
# What is found comes with the command that explores it again.
thesis=(check rcc --set coherence.rcc.mnow_rule=thesis --random 300 --no-coverage)
expect 1 "without what it does not need: syncline check rcc --set 'coherence.rcc.mnow_rule=thesis'" "${thesis[@]}"
again=$("$syncline" "${thesis[@]}" 2>&1 | sed -n "s/^without what it does not need: syncline //p")
eval "again=($again)"
expect 1 'VIOLATION: ' "${again[@]}"
survivors=$(mktemp)
trap 'rm -f "$survivors"' EXIT
program='ld x @0 | ld x @0'
# survives TEXT: mutants of one program, with a file of survivors that says TEXT.
survives() { printf '%b' "$1" > "$survivors"; }
survives 'why:\n  - "L1 I, Lod: to II"\n'
expect 2 'did you mean `L1 I, Load: to II`?' check rcc --mutate --survivors "$survivors"
survives 'why: "L1 I, Load: to II"\n'
expect 2 'expected a list of mutants, found `L1 I, Load: to II`' check rcc --mutate --survivors "$survivors"
survives 'why:\n  - "L1 I, Load: to II"\nelse:\n  - "L1 I, Load: to II"\n'
expect 2 'is explained twice' check rcc --mutate --survivors "$survivors"
survives '- why\n'
expect 2 'expected reasons, found' check rcc --mutate --survivors "$survivors"
survives 'why:\n  - "L1 I, Load: without park"\n'
expect 1 'explained, but killed: L1 I, Load: without park' check rcc --mutate --sample 30 --seed 1 --program "$program" --survivors "$survivors"
expect 0 ' survive (' check rcc --mutate --sample 30 --program "$program"
expect 2 'did you mean `rcc`?' compare rcc16 --workloads saxpy --policies rcx
expect 2 'is not among the policies' compare rcc16 --workloads saxpy --policies rcc --baseline mesi
expect 2 'did you mean `traffic`?' compare rcc16 --workloads saxpy --policies rcc --show trafic
expect 2 'did you mean `saxpy`?' compare rcc16 --workloads saxpi --policies rcc
expect 1 'nothing is compared' compare rcc16 --workloads saxpy --policies rcc --set limits.cycles=10
exit $failed
