#!/usr/bin/env bash
# What a user can get wrong about `syncline litmus`: status 2, and a message that helps. mistakes.sh SYNCLINE ROOT
set -u
syncline=$1
suite=$2/tests/litmus/suite
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/empty" "$scratch/twice"
cp "$suite/MP-weak.litmus" "$scratch/twice/a.litmus"
cp "$suite/MP-weak.litmus" "$scratch/twice/b.litmus"
printf 'PTX t\n{ x=0; }\n P0@cta 0 ;\n ld.aquire.gpu r0, x ;\nexists (P0:r0=1)\n' >"$scratch/wrong.litmus"
printf 'PTX two\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0=1)\n' >"$scratch/two.litmus"

. "$(dirname "$0")/../support/expect.sh"
one=$suite/MP-weak.litmus
expect 2 'there is no litmus test or folder `nowhere`; expected the path of either' litmus tiny nowhere
expect 2 "empty\` holds no .litmus file" litmus tiny "$scratch/empty"
expect 2 'b.litmus:1:1: error: the test `MP-weak` is in ' litmus tiny "$scratch/twice"
expect 2 'wrong.litmus:4:5: error: `ld` has no qualifier `.aquire`; did you mean `acquire`?' litmus tiny "$scratch/wrong.litmus"
expect 2 'unknown format `jsn`; did you mean `json`?' litmus tiny "$one" --format jsn
expect 2 'unknown platform `tinny`; did you mean `tiny`?' litmus tinny "$one"
expect 2 'litmus tests run on warps of 32 lanes' litmus tiny "$one" --set sm.warp_size=16 --set sm.max_threads=512
expect 2 'not in range' litmus tiny "$one" --iterations 0
expect 0 'not run: its threads are on 2 GPUs; the platform has one' litmus tiny "$scratch/two.litmus"
exit "$failed"
