#!/usr/bin/env bash
# Statistics, series, waves and the resolved configuration of a run are there and say something.
set -u
. "$(dirname "$0")/../support/statistics.sh"
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
fail() { echo "$1"; exit 1; }

"$syncline" run tiny matmul --no-progress --stats s.json --series s.csv --series-period 100 --wave w.vcd --dump-config c.yaml >out.txt || fail "the run failed"
tail -n 1 out.txt | grep -q '"verified":true' || fail "the last line is not the result"
grep -q '"name":"gpu.sm0.warp_instructions","value":[1-9]' s.json || fail "no instructions in the statistics"
grep -q '"unit":"' s.json && grep -q '"description":"' s.json || fail "statistics without unit or description"
head -n 1 s.csv | grep -q '^cycle,' || fail "series without header"
head -n 1 s.csv | grep -q 'occupancy' || fail "series without occupancy"
[ "$(wc -l <s.csv)" -gt 20 ] || fail "series too short"
grep -q '\$enddefinitions' w.vcd || fail "no VCD"
[ "$(grep -c '^#' w.vcd)" -gt 100 ] || fail "hardly anything happens in the waves"
for scope in sm0 sm0_l1 part0_l2 part0_dram; do grep -q "scope module $scope " w.vcd || fail "no signals of $scope"; done

# What kernels gained is no more than what the run has, and of what only kernels do, all of it.
sum() { jq "[.statistics[] | select(.name | endswith(\"$1\")) | .value] | add" s.json; }
of_kernels() { jq "[.kernels[].statistics | to_entries[] | select(.key | endswith(\"$1\")) | .value] | add" s.json; }
[ "$(sum .warp_instructions)" -gt 0 ] && [ "$(of_kernels .warp_instructions)" = "$(sum .warp_instructions)" ] || fail "instructions of no kernel"
[ "$(of_kernels .read_bytes)" -le "$(sum .read_bytes)" ] || fail "kernels read more than the run"
"$syncline" run tiny matmul --no-progress --stats s_as.csv --input-seed 1 >/dev/null || fail "the run failed"
[ "$(grep -c '^,,' s_as.csv)" -eq "$(jq '.statistics | length' s.json)" ] || fail "the CSV has other statistics"
[ "$(sed -n '1s/^# //p' s_as.csv)" = "$(jq -c .provenance s.json)" ] || fail "the CSV is of another run"

# One group only.
"$syncline" run tiny saxpy --no-progress --wave l1.vcd --wave-groups l1 >/dev/null || fail "the run failed"
grep -q 'scope module sm0_l1 ' l1.vcd || fail "the chosen group is missing"
grep -q 'scope module part0_dram ' l1.vcd && fail "a group that was not chosen is there"

# The dumped configuration reloads to the identical run.
"$syncline" run c.yaml matmul --no-progress --stats again.json >/dev/null || fail "the dumped configuration does not run"
cmp -s s.json again.json || fail "the dumped configuration gives another run"

# Other keys, other results.
"$syncline" run tiny matmul --no-progress --set sm.scheduler.policy=gto --stats gto.json >/dev/null || fail "gto failed"
statistics_alone s.json gto.json
cmp -s s.json gto.json && fail "another scheduler changes nothing"
echo "observed"
