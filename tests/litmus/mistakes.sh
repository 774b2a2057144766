#!/usr/bin/env bash
# What a user can get wrong about `syncline litmus`: a message that helps, and status 2, but not before all other tests were
# judged and run. mistakes.sh SYNCLINE ROOT
set -u
syncline=$1
suite=$2/tests/litmus/suite
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/empty" "$scratch/twice" "$scratch/mixed"
cp "$suite/MP-weak.litmus" "$scratch/twice/a.litmus"
cp "$suite/MP-weak.litmus" "$scratch/twice/b.litmus"
printf 'PTX t\n{ x=0; }\n P0@cta 0 ;\n ld.aquire.gpu r0, x ;\nexists (P0:r0=1)\n' >"$scratch/wrong.litmus"
printf 'PTX two\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0=1)\n' >"$scratch/two.litmus"
cp "$suite/MP-weak.litmus" "$scratch/wrong.litmus" "$scratch/mixed"
printf 'PTX v2\n{ x=0; }\n P0@cta 0 ;\n ld.v2.weak r0, x ;\nexists (P0:r0=1)\n' >"$scratch/mixed/v2.litmus"
printf 'PTX open\n{ x=0;\n' >"$scratch/mixed/open.litmus"
printf 'PTX stuck\n{ x=0; }\n P0 | P1 ;\n bar.sync 0, 0, 3 | bar.sync 0, 0, 3 ;\nexists (x=0)\n' >"$scratch/mixed/stuck.litmus"
printf 'PTX spin\n{ x=0; }\n P0@cta 0 | P1@cta 1 ;\n LC0: ld r0, x | st x, 1 ;\n bne r0, 1, LC0 | ;\nexists (P0:r0=1)\n' >"$scratch/spin.litmus"
printf 'PTX numbers\n{ }\n P0@cta 0 | P1@cta 1 ;\n mov r0, 1 | mov r0, 2 ;\nexists (P0:r0=1 /\\ P1:r0=2)\n' >"$scratch/numbers.litmus"

. "$(dirname "$0")/../support/expect.sh"
told=anywhere  # what is not judged stands in the report
one=$suite/MP-weak.litmus
expect 2 'there is no litmus test or folder `nowhere`; expected the path of either' litmus tiny nowhere
expect 2 "empty\` holds no .litmus file" litmus tiny "$scratch/empty"
expect 2 'there is no litmus test or folder `nowhere`' litmus --judge nowhere
expect 2 'wrong.litmus:4:5: error: `ld` has no qualifier `.aquire`; did you mean `acquire`?' litmus tiny "$scratch/wrong.litmus"
expect 2 'unknown format `jsn`; did you mean `json`?' litmus tiny "$one" --format jsn
expect 2 'unknown platform `tinny`; did you mean `tiny`?' litmus tinny "$one"
expect 2 'litmus tests run on warps of 32 lanes' litmus tiny "$one" --set sm.warp_size=16 --set sm.max_threads=512
expect 2 '--iterations: must be at least 1, found `0`' litmus tiny "$one" --iterations 0
expect 2 '--unroll: must not be negative, found `-1`' litmus --judge "$one" --unroll -1
expect 2 '--seed does not apply to --judge' litmus --judge "$one" --seed 1
expect 2 'PLATFORM is required' litmus
expect 2 'FILES is required' litmus tiny
expect 2 'FILES is required' litmus --judge
expect 0 'not run: its threads are on 2 GPUs; the platform has 1' litmus tiny "$scratch/two.litmus"
# A test without a location has an end, too, and is in nobody's way.
expect 0 '2 tests, ' litmus tiny "$scratch/numbers.litmus" "$one" --iterations 10
# The limit of cycles is one of a launch of a test, however many there are.
expect 0 '1 tests, 640 iterations; 0 failed' litmus tiny "$one" --iterations 640 --set limits.cycles=1500000
expect 3 'the run reached its limit of 100000 cycles (limits.cycles)' litmus tiny "$one" --set limits.cycles=100000
# Tests of one name are told apart by their files.
expect 0 'MP-weak ('"$scratch"'/twice/b.litmus): ' litmus tiny "$scratch/twice" --iterations 10
# One test that cannot be read, one with what nobody judges, one that waits for ever: the others run.
expect 2 'mixed/open.litmus:3:1: error: expected a location or a register' litmus tiny "$scratch/mixed" --iterations 10
expect 2 'not run: a thread may wait at a barrier for ever' litmus tiny "$scratch/mixed" --iterations 10
expect 2 '5 tests, ' litmus tiny "$scratch/mixed" --iterations 10
expect 2 '    1  `ld.v2`' litmus --judge "$scratch/mixed"
expect 2 '    1  cannot be read' litmus --judge "$scratch/mixed"
expect 2 'judged 2 of 5' litmus --judge "$scratch/mixed"
expect 2 '"not_judged":{"`ld.aquire`":1,"`ld.v2`":1,"cannot be read":1}' litmus --judge "$scratch/mixed" --format json
expect 2 'no run ends: a barrier waits for ever' litmus --judge "$scratch/mixed"
expect 0 'judged 2 of 2' litmus --judge "$one" "$scratch/two.litmus"
expect 0 'sc: allowed, ptx75: allowed, bounded: loops go back at most 2 times' litmus --judge "$scratch/spin.litmus"
expect 0 'bounded: loops go back at most 5 times' litmus --judge "$scratch/spin.litmus" --unroll 5
exit "$failed"
