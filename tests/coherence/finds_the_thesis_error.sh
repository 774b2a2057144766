#!/usr/bin/env bash
# The rule of the RCC thesis for lines that leave the L2 is not sequentially consistent; the checker must find that, with the
# trace, and must find nothing with the corrected rule: finds_the_thesis_error.sh SYNCLINE
set -eu
syncline=$1
program='st x 1; st y 1 | ld x; ld y; ld x'

status=0
out=$("$syncline" check rcc --no-invariants --set coherence.rcc.mnow_rule=thesis --program "$program") || status=$?
[ "$status" -eq 1 ] || { echo "status $status, expected 1"; echo "$out"; exit 1; }
for text in 'VIOLATION: outcome 1:r0=0 1:r1=1 1:r2=0 x=1 y=1 is not allowed' 'home 0 replaces x' 'thread 1: ld x'; do
  grep -qF "$text" <<<"$out" || { echo "missing: $text"; echo "$out"; exit 1; }
done
# A shortest trace: no step can be left out of the published one.
steps=$(grep -cE '^ *[0-9]+\. ' <<<"$out")
[ "$steps" -le 20 ] || { echo "$steps steps"; exit 1; }

# The invariants show the mistake itself, long before it makes an outcome wrong.
status=0
out=$("$syncline" check rcc --set coherence.rcc.mnow_rule=thesis --program "$program") || status=$?
[ "$status" -eq 1 ] || { echo "status $status, expected 1"; echo "$out"; exit 1; }
grep -qF "a lease lasts that the home's mnow does not cover" <<<"$out" || { echo "not the lease"; echo "$out"; exit 1; }

"$syncline" check rcc --set coherence.rcc.mnow_rule=plus1 --program "$program" | tail -1 | grep -q 'no violation$'
