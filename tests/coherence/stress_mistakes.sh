#!/usr/bin/env bash
# What `syncline stress` says to mistakes: stress_mistakes.sh SYNCLINE
set -u
syncline=$1
. "$(dirname "$0")/../support/expect.sh"
expect 2 'unknown policy `rc`; did you mean `rcc`?' stress rc
expect 2 'unknown policy `gpudte`; did you mean `gpudet`?' stress gpudte
expect 2 '`coherence.policy=rcc`: give the name alone, `rcc`' stress coherence.policy=rcc
expect 2 'POLICY is required' stress
expect 2 '--set coherence.policy: error: POLICY is `rcc` already, found `mesi`' stress rcc --set coherence.policy=mesi
expect 2 'coherence.rcc.lease_mim' stress rcc --set coherence.rcc.lease_mim=3
expect 2 'weakly ordered by its nature' stress tc_weak --set coherence.consistency=sc
expect 2 'unknown format `jsn`; did you mean `json`?' stress rcc --format jsn
expect 2 '--operations: must be at least 1, found `0`' stress rcc --operations 0
expect 2 '--l1s: must be at least 1, found `0`' stress rcc --l1s 0
expect 2 '--homes: must be at most 8, found `9`' stress rcc --homes 9
expect 2 '--lines: must be at most 16, found `17`' stress rcc --lines 17
expect 2 '--warps: must be at most 8, found `9`' stress rcc --warps 9
expect 2 'unknown size of machines `ampel`; did you mean `ample`?' stress rcc --room ampel
expect 2 '--jobs: must be at least 1, found `0`' stress rcc --jobs 0
expect 2 '--replay' stress rcc --replay first
expect 2 'did you mean `--operations`?' stress rcc --operation 5
expect 0 '"passed": true' stress rcc --operations 100 --format json
expect 0 '1 batches' stress rcc --replay 3
expect 0 'no violation' stress gpu_vi --operations 100 --l1s 1 --homes 1 --lines 1
expect 0 'no violation' stress mesi --operations 100 --l1s 8 --homes 8 --lines 16
expect 0 'no violation' stress tc_weak --operations 100 --warps 8 --room ample
exit $failed
