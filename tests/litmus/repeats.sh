#!/usr/bin/env bash
# One seed repeats every count; another one does not. repeats.sh SYNCLINE ROOT
set -u
run() { "$1" litmus tiny "$2/tests/litmus/suite/MP-weak.litmus" "$2/tests/litmus/suite/SB-weak.litmus" --iterations 200 --seed "$3"; }
first=$(run "$1" "$2" 7) || exit 1
again=$(run "$1" "$2" 7) || exit 1
other=$(run "$1" "$2" 8) || exit 1
[ "$first" = "$again" ] || { echo "seed 7 gave two results:"; diff <(echo "$first") <(echo "$again"); exit 1; }
[ "$(grep -v seed <<<"$first")" != "$(grep -v seed <<<"$other")" ] || { echo "seeds 7 and 8 gave the same counts"; exit 1; }
[ "$(grep -c 'P1:r0=' <<<"$first")" -gt 4 ] || { echo "too few outcomes to compare:"; echo "$first"; exit 1; }
