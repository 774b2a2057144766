#!/usr/bin/env bash
# One seed repeats a run bit for bit, in all outputs, whatever order the blocks were made in; chance that is asked for changes it.
set -u -o pipefail
. "$(dirname "$0")/../support/statistics.sh"
syncline=$1
reversed=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

fail() { echo "$1"; exit 1; }
# What must repeat of the last line: everything but the host's time.
result() { tail -n 1 | sed 's/"host_seconds":[^,]*,//'; }

for platform in tiny gtx480; do
  for workload in bfs matmul histogram nqueens; do
    "$syncline" run $platform $workload --no-progress --stats a.json --series a.csv | result >a.txt || fail "$workload failed"
    "$syncline" run $platform $workload --no-progress --stats b.json --series b.csv | result >b.txt || fail "$workload failed"
    cmp -s a.json b.json || fail "$workload on $platform: statistics differ between two runs of one seed"
    cmp -s a.csv b.csv || fail "$workload on $platform: series differ between two runs of one seed"
    cmp -s a.txt b.txt || fail "$workload on $platform: results differ between two runs of one seed"
    [ "$(wc -l <a.json)" -gt 50 ] || fail "hardly any statistics"
    [ "$(wc -l <a.csv)" -gt 2 ] || fail "hardly any series"
    "$reversed" $platform $workload c.json >/dev/null 2>&1 || fail "$workload on $platform failed when built in the opposite order"
    statistics_alone a.json c.json
    cmp -s a.json c.json || { diff a.json c.json | head -n 5; fail "$workload on $platform: statistics depend on the order of construction"; }
  done
done

# Perturbed runs repeat too, and differ from each other: the network delays change the time, never the verified answer.
jitter="--set perturbation.network_jitter=20"
"$syncline" run tiny bfs $jitter --seed 1 --no-progress --stats a.json >/dev/null || fail "a perturbed run failed"
"$syncline" run tiny bfs $jitter --seed 1 --no-progress --stats b.json >/dev/null || fail "a perturbed run failed"
"$syncline" run tiny bfs --no-progress --stats c.json >/dev/null || fail "an undisturbed run failed"
cmp -s a.json b.json || fail "a perturbed run does not repeat"
statistics_alone a.json c.json
cmp -s a.json c.json && fail "the perturbation changes nothing"
echo "runs repeat"
