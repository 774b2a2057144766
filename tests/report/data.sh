#!/usr/bin/env bash
# What stands in a report, and that nothing else depends on it: data.sh SYNCLINE OWN_PROGRAM
set -u
. "$(dirname "$0")/../support/expect.sh"
syncline=$1 own=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
run() { "$syncline" run tiny bfs --no-progress "$@" >out.txt || { echo "a run failed: $*"; failed=1; }; }
# holds CONDITION: of jq, about the run in r.json and its statistics in s.json, which is $s
holds() { jq -e --slurpfile stats s.json '$stats[0] as $s | .runs[0] | '"$1" r.json >/dev/null || { echo "does not hold: $1"; failed=1; }; }

run --stats plain.json
run --stats s.json --report r.json
run --report again.json
cmp plain.json s.json || { echo "a report changes the run"; failed=1; }
cmp r.json again.json || { echo "the same run has another report"; failed=1; }

# Numbers are those of the statistics; f: of all blocks, the statistics whose name ends so.
f='def f(name): [$s.statistics[] | select(.name | endswith(name)) | .value] | add; '
holds "$f"' .provenance == $s.provenance and (.kernels | length) == ($s.kernels | length)'
holds "$f"' ([.stalls.run[][.stalls.reasons | index("issued")]] | add) == f(".warp_instructions")'
holds "$f"' ([.stalls.run[][.stalls.reasons | index("memory")]] | add) == f(".stall_memory")'
holds '([.stalls.kernels[][] | add] | add) as $kernels | $kernels > 0 and $kernels <= ([.stalls.run[] | add] | add)'
holds '[.traffic[] | select(.class == "data_reply") | .bytes] | add == ([$s.statistics[] | select(.name | endswith("bytes_data_reply")) | .value] | add)'
holds '[.traffic[] | .messages] | add == ([$s.statistics[] | select(.name | test("\\.messages_")) | .value] | add)'
holds '.roofline.peak == 2 * (.configuration[] | select(.key == "sm.schedulers") | .value | tonumber) * (.configuration[] | select(.key == "sm.issue_width") | .value | tonumber)'
holds '(.roofline.peak as $peak | [.roofline.points[] | .ipc] | max <= $peak) and (.roofline.points | length > 3)'
holds '[.roofline | .roofs as $roofs | .points[] | .level as $level | .ipc / .per_byte <= ($roofs[] | select(.level == $level) | .bytes_per_cycle)] | all'
holds '(.course.samples | length) >= 400 and ([.course.samples[] | .[1] - .[0]] | add) >= .result.cycles'
holds '.course | ([.columns[].name] | index("warp_instructions")) as $i | [.samples[] | (.[1] - .[0]) * (.[3][$i])] | add > 0'
holds '(.lines | length > 8) and ([.lines[] | (.by_sm | add) == .waited and .longest <= .waited and .loads + .stores + .atomics > 0] | all)'
holds '[.lines[].waited] | . == (sort | reverse)'
holds '.instructions | ([.[].stood] | . == (sort | reverse)) and ([.[] | .place | startswith("bfs.ptx:") or contains("/bfs.ptx:")] | all)'
holds '[.latencies[] | select(.name == "load_latency") | ([.histogram[][1]] | add) == .count] | all'
# Of latencies all is attributed, and to the same levels as --latency has.
"$syncline" run tiny bfs --no-progress --latency l.json >out.txt || { echo "a run failed: --latency"; failed=1; }
holds '.access_times.levels | length >= 3 and ([.[] | ([.waits_ps[]] | add) == .latency_ps and .accesses > 0 and .gpu == 0] | all)'
[ "$(jq -c '[.runs[0].access_times.levels[] | {(.level): .accesses}] | add | to_entries | sort' r.json)" = \
  "$(jq -c '[.kinds[].levels | to_entries[] | {key, value: .value.accesses}] | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | sort' l.json)" ] ||
  { echo "other levels than --latency has"; failed=1; }
[ "$(jq '[.runs[0].access_times.levels[].latency_ps] | add' r.json)" = "$(jq '[.kinds[].latency_ps] | add' l.json)" ] || { echo "another latency"; failed=1; }
holds '[.statistics[] | select(.policy)] | length > 3'
holds '[.configuration[] | select(.set)] | length > 3'

# Of a policy that orders accesses: who is held back, and by which of its rules.
"$syncline" run tiny hash_table --no-progress --set determinism.policy=gpudet --report r.json >/dev/null || { echo "gpudet failed"; failed=1; }
holds '[.stalls.reasons[] | select(startswith("gate_"))] | length > 0'

# Messages that cross free take no bytes in either.
run --set coherence.policy=ideal_free --stats s.json --report r.json
holds '(.traffic | group_by(.class) | map({key: .[0].class, value: (map(.bytes) | add)}) | map(. as $way | .value == ([$s.statistics[] | select(.name | endswith(".bytes_" + $way.key)) | .value] | add)) | all)'
holds '[.traffic[] | select(.class == "unblock") | .messages] | add > 0'

# What can issue is the sum over SMs that differ.
printf 'include: tiny\nsms: {count: 4, 0-1: {sm.schedulers: 4}, 3: {sm.issue_width: 2}}\n' >differ.yaml
"$syncline" run differ.yaml bfs --no-progress --report r.json >out.txt || { echo "SMs that differ failed"; failed=1; }
holds '.roofline | .peak == 4 + 4 + 2 + 4 and (.peak_meaning | endswith("summed over the 4 SMs, which differ"))'

# A program with a platform of its own has it, too; a run without time has none.
"$own" --end well --no-progress --report own.json >/dev/null || { echo "own_program failed"; failed=1; }
jq -e '.runs[0].provenance.program == "own_program"' own.json >/dev/null || { echo "not of own_program"; failed=1; }
expect 2 '--report watches the timed blocks; a functional run has none' run tiny saxpy --functional --report r.html
expect 2 '--report: expected a name, found nothing' run tiny saxpy --report ''
expect 2 '--report: expected a name, found nothing' compare tiny --report ''
expect 2 'cannot write `none/r.html`: No such file or directory' compare tiny --workloads saxpy --policies none --report none/r.html

# Several runs: each as alone.
"$syncline" compare tiny --workloads bfs --policies none,mesi --report both.json >/dev/null || { echo "compare failed"; failed=1; }
[ "$(jq -c '[.runs[].provenance.policies.coherence]' both.json)" = '["none","mesi"]' ] || { echo "other runs"; failed=1; }
[ "$(jq -c '.runs[0].stalls' both.json)" = "$(jq -c '.runs[0].stalls' again.json)" ] || { echo "not as alone"; failed=1; }

[ "$failed" -eq 0 ] && echo "reports tell what statistics tell"
exit "$failed"
