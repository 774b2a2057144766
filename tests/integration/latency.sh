#!/usr/bin/env bash
# Where the time of accesses goes: the waits are the latency, single accesses are explained, mistakes are told.
set -u
syncline=$1
. "$(dirname "$0")/../support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
fail() { echo "$1"; exit 1; }
run() { "$syncline" run tiny "$@" --no-progress >out.txt || fail "the run failed: $*"; }

for policies in coherence.policy=gpu_vi coherence.policy=tc_weak coherence.policy=rcc_wo determinism.policy=gpudet \
    transactions.policy=getm transactions.policy=warptm; do
  program=hash_table
  [[ $policies == determinism* ]] && program=saxpy
  [[ $policies == transactions* ]] && program=atm
  run $program --set "$policies" --latency l.json --explain-access 7
  python3 - <<'END' || fail "under $policies"
import json
report = json.load(open("l.json"))
for kind, sums in report["kinds"].items():
    assert sum(sums["waits_ps"].values()) == sums["latency_ps"], kind
    assert sum(level["accesses"] for level in sums["levels"].values()) == sums["accesses"], kind
(access,) = report["explained"]
assert access["access"] == 7
assert sum(wait["ps"] for wait in access["waits"]) == access["latency_ps"]
assert all(wait["ps"] > 0 for wait in access["waits"])
END
done

run saxpy --latency l.json --stats s.json
grep -q '^  latency  ' out.txt || fail "no table"
grep -q '"name":"latency.load.memory","count":[1-9]' s.json || fail "no latencies in the statistics"
cycles=$(sed -n 's/.*"cycles":\([0-9]*\).*/\1/p' out.txt)
run saxpy
[ "$(sed -n 's/.*"cycles":\([0-9]*\).*/\1/p' out.txt)" = "$cycles" ] || fail "to ask changes the run"
run saxpy --explain-access 1
line=$(sed -n 's/^access 1: [a-z]* of line \(0x[0-9a-f]*\) .*/\1/p' out.txt)
run saxpy --explain-line "$line"
grep -qE "^[1-9][0-9]* accesses to the line at $line" out.txt || fail "nothing about the line"
grep -q "of line $line by SM" out.txt || fail "no access to the line"

watched=$scratch
expect 2 '--explain-access 100000000: the run made' run tiny saxpy --latency m.json --explain-access 100000000
expect 2 '--explain-line 0x100: no access of the run was to the line at 0x100; the nearest that was accessed is at 0x' run tiny saxpy --explain-line 0x100
expect 2 '--latency, --explain-line and --explain-access are of the timed blocks' run tiny saxpy --functional --explain-access 1
expect 2 'cannot write `nowhere/l.json`' run tiny saxpy --latency nowhere/l.json
expect 2 'must be at least 1' run tiny saxpy --explain-access 0
[ "$failed" -eq 0 ] && echo "explained"
exit "$failed"
