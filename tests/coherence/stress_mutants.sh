#!/usr/bin/env bash
# Random tests kill a mutant that the programs of the checker do not reach: stress_mutants.sh SYNCLINE
set -u
syncline=$1
. "$(dirname "$0")/../support/expect.sh"
mutant='home SMA, Atomic: without stall'
check=(check gpu_vi --mutate --mutant "$mutant" --verbose)
expect 0 "not reached: $mutant" "${check[@]}"
# The rest of the suite does not reach it either, and one program takes less time.
check+=(--program 'ld x; st x 1')
expect 0 "killed in random tests: $mutant by batch 0: no progress" "${check[@]}" --stress 20000
expect 0 "0 by what they cost, 1 by random tests, 0 survive (100.0 % die)" "${check[@]}" --stress 20000 --stress-seed 2
# By the same name it is a policy of its own wherever policies run.
expect 1 'no progress' stress gpu_vi --set "coherence.mutant=$mutant"
expect 1 'no run from here can end' check gpu_vi --set "coherence.mutant=$mutant" --program 'ld x; add x 1 | add x 1'
# Random tests do not meet every row; the mutants of such a one are not told to survive.
unmet='L1 MMI, Inv: to I'
expect 0 "not reached: $unmet" check mesi --mutate --mutant "$unmet" --verbose --program 'ld x' --stress 3000

expect 2 'did you mean `home SMA, Atomic: without stall`?' check gpu_vi --mutate --mutant 'home SMA, Atomic: without stal'
expect 2 'did you mean `home SMA, Atomic: without stall`?' stress gpu_vi --set 'coherence.mutant=home SMA, Atomic: without stal'
expect 2 'policy `gpu_vi` has no mutant `L1 IV, Data: without fill`' stress gpu_vi --set 'coherence.mutant=L1 IV, Data: without fill'
expect 2 '--mutant requires --mutate' check gpu_vi --mutant "$mutant"
expect 2 '--stress requires --mutate' check gpu_vi --stress 3000
expect 2 '--stress: must not be negative, found `-1`' check gpu_vi --mutate --stress -1
expect 2 'found `-1`' check gpu_vi --mutate --stress 3000 --stress-seed -1
exit $failed
