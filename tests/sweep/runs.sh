#!/usr/bin/env bash
# Which runs a sweep has, that each is what `syncline run` makes of its arguments, and what the database has of it.
set -u
. "$(dirname "$0")/common.sh"

cat >sweep.yaml <<'END'
platforms: [gtx480, own.yaml]
workloads: [saxpy, vector_add]
set: {sm.reconvergence: its}
vary:
  coherence.policy: [none, mesi]
  sms: [2, 4]
input_seeds: [3, 7-8]
seeds: 5
keep: ["*.branches", gpu.dram0.reads, gpu.up.queueing]
END
printf 'include: gtx480\nl1: {mshr_entries: 8}\n' >own.yaml

# The last list goes fastest.
is "runs" "$("$syncline" sweep sweep.yaml --list | sed -n '1p;2p;4p;7p;13p;25p;$p')" \
'saxpy (small) on gtx480, sm.reconvergence=its, coherence.policy=none, sms=2, input seed 3, seed 5
saxpy (small) on gtx480, sm.reconvergence=its, coherence.policy=none, sms=2, input seed 7, seed 5
saxpy (small) on gtx480, sm.reconvergence=its, coherence.policy=none, sms=4, input seed 3, seed 5
saxpy (small) on gtx480, sm.reconvergence=its, coherence.policy=mesi, sms=2, input seed 3, seed 5
vector_add (small) on gtx480, sm.reconvergence=its, coherence.policy=none, sms=2, input seed 3, seed 5
saxpy (small) on own.yaml, sm.reconvergence=its, coherence.policy=none, sms=2, input seed 3, seed 5
vector_add (small) on own.yaml, sm.reconvergence=its, coherence.policy=mesi, sms=4, input seed 8, seed 5'
[ -e sweep.db ] && { echo "--list leaves a database behind"; failed=1; }

expect 0 '48 runs: 48 done, 0 failed; 48 of them now' sweep sweep.yaml --no-progress
expect 0 '48 runs: 48 done, 0 failed; 0 of them now' sweep sweep.yaml --jobs 1
is "files" "$(ls)" "$(printf 'own.yaml\nsweep.db\nsweep.yaml')"
is "states" "$(ask sweep.db 'SELECT state, count(*), min(status), max(reason IS NULL), min(verified) FROM run')" 'done 48 0 1 1'
is "places" "$(ask sweep.db 'SELECT count(DISTINCT place), min(place), max(place) FROM run')" '48 0 47'
is "configurations" "$(ask sweep.db 'SELECT count(*) FROM configuration')" 8

# A run is what `syncline run` makes of the same words, number for number.
"$syncline" run own.yaml saxpy --input-seed 7 --seed 5 --set sm.reconvergence=its --set coherence.policy=mesi --set sms=4 --no-progress --stats counts.json |
  tail -n 1 >alone.json
one="platform = 'own.yaml' AND workload = 'saxpy' AND input_seed = 7 AND EXISTS (SELECT * FROM setting WHERE run = id AND key = 'sms' AND value = '4')
  AND EXISTS (SELECT * FROM setting WHERE run = id AND value = 'mesi')"
is "a run" "$(ask sweep.db "SELECT cycles, warp_instructions, thread_instructions, memory_signature, seed, size, program IS NULL FROM run WHERE $one")" \
  "$(jq -r '"\(.cycles) \(.warp_instructions) \(.thread_instructions) \(.memory_signature) 5 small 1"' alone.json)"
is "its measure" "$(ask sweep.db "SELECT value FROM measure JOIN run ON run = id WHERE $one AND name = 'cycles'")" "$(jq -r '.cycles | tostring + ".0"' alone.json)"
is "its statistics" "$(ask sweep.db "SELECT name, CAST(value AS INTEGER) FROM statistic JOIN run ON run = id WHERE $one ORDER BY name")" \
  "$(jq -r '.statistics[] | select((.name | endswith(".branches")) or .name == "gpu.dram0.reads" or .name == "gpu.up.queueing") |
    if .sum then "\(.name) \(.sum)", "\(.name).count \(.count)", "\(.name).max \(.max)" else "\(.name) \(.value)" end' counts.json | sort)"
"$syncline" run own.yaml saxpy --seed 5 --set sm.reconvergence=its --set coherence.policy=mesi --set sms=4 --no-progress --dump-config whole.yaml >/dev/null
is "its configuration" "$(ask sweep.db "SELECT (SELECT yaml FROM configuration WHERE id = run.configuration) FROM run WHERE $one")" "$(cat whole.yaml)"
is "who ran it" "$(ask sweep.db "SELECT version, length(build), host, file FROM session WHERE id = (SELECT session FROM run WHERE $one)")" \
  "$("$syncline" --version) 40 $(uname -n) sweep.yaml"
is "the sweep's text" "$(ask sweep.db 'SELECT DISTINCT text FROM session')" "$(cat sweep.yaml)"

# What is new in the file is run; what is not there any more stays, and is told of.
sed -i 's/sms: .*/sms: [4, 8]/' sweep.yaml
expect 0 'note: the database has 24 runs that the file does not have any more' sweep sweep.yaml --no-progress
is "what the file has" "$(ask sweep.db "SELECT count(*), sum(place IS NULL) FROM run WHERE state = 'done'")" '72 24'
# And what is another platform now, though it has the same name.
sed -i 's/8}/16}/' own.yaml
expect 0 '48 runs: 48 done, 0 failed; 24 of them now' sweep sweep.yaml --no-progress

# Results of another program are told of, and run again when that is asked for.
python3 -c "import sqlite3; c = sqlite3.connect('sweep.db'); c.execute('UPDATE session SET build = 1 WHERE id < 3'); c.commit()"
expect 0 'note: 12 results are of another build of Syncline; --again replaces them' sweep sweep.yaml
expect 0 '48 runs: 48 done, 0 failed; 12 of them now' sweep sweep.yaml --again --no-progress

# Cases: each is the sweep, and what is different there.
cat >cases.yaml <<'END'
database: of_cases.db
platforms: gtx480
workloads: [hash_table]
options: {sync: [locks, tx]}
set: {sms: 2}
seeds: [1, 2]
cases:
  plain: {options: {sync: locks}}
  memory:
    set: {transactions.policy: getm}
    options: {sync: tx}
    seeds: 1
  large: {workloads: [saxpy, copy.yaml], sizes: [small, medium], options: {sync: locks}, vary: {sms: [1, 3]}, seeds: 18446744073709551615}
END
sed -i 's/, options: {sync: locks}, vary/, vary/; s/^options/#/' cases.yaml
cat >copy.yaml <<'END'
module: copy.ptx
buffers:
  from: {type: u32, count: 256, random: {seed: 1}}
  to: {type: u32, count: 256}
steps:
  - launch: {kernel: copy, grid: [2, 1, 1], block: [128, 1, 1], args: [{ptr: from}, {ptr: to}]}
END
cat >copy.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 128, %r2;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.u32 %r4, [%rd4];
  st.global.u32 [%rd5], %r4;
  ret;
}
END
expect 0 '9 runs: 9 done, 0 failed; 9 of them now' sweep cases.yaml --no-progress
is "cases" "$(ask of_cases.db 'SELECT "case", workload, size, count(*), max(seed), count(program) FROM run GROUP BY 1, 2, 3 ORDER BY min(place)')" \
'plain hash_table small 2 2 0
memory hash_table small 1 1 0
large saxpy small 2 18446744073709551615 0
large saxpy medium 2 18446744073709551615 0
large copy.yaml None 2 18446744073709551615 2'
is "options" "$(ask of_cases.db 'SELECT "case", value, count(*) FROM option JOIN run ON run = id WHERE name = "sync" GROUP BY 1, 2 ORDER BY 1')" \
'memory tx 1
plain locks 2'
# A script is another one when its PTX is.
sed -i 's/add.u64 %rd4/add.s64 %rd4/' copy.ptx
expect 0 '9 runs: 9 done, 0 failed; 2 of them now' sweep cases.yaml --no-progress --database of_cases.db

# And when a file is that it reads.
cat >reads.yaml <<'END'
module: none.ptx
buffers: {x: {type: u32, count: 4, from: in.bin}}
steps:
  - launch: {kernel: none, grid: [1, 1, 1], block: [32, 1, 1], args: []}
  - repeat: {while_nonzero: {buffer: x, type: u32, index: 0}, limit: 1, steps: [{check: {buffer: x, type: u32, equals: out.bin}}]}
  - write: {buffer: x, from: more.bin}
END
empty_kernel none.ptx
for file in in.bin out.bin more.bin; do head -c 16 /dev/zero >$file; done
printf 'platforms: gtx480\nworkloads: reads.yaml\n' >of_reads.yaml
expect 0 '1 runs: 1 done, 0 failed; 1 of them now' sweep of_reads.yaml --no-progress
expect 0 '1 runs: 1 done, 0 failed; 0 of them now' sweep of_reads.yaml --no-progress
printf 1234 >more.bin
expect 0 '1 runs: 1 done, 0 failed; 1 of them now' sweep of_reads.yaml --no-progress
for file in in.bin out.bin; do printf '\0\0\0\0abcdefghijkl' >$file; done
expect 0 '1 runs: 1 done, 0 failed; 1 of them now' sweep of_reads.yaml --no-progress
is "results of changed files" "$(ask of_reads.db 'SELECT count(DISTINCT program), count(*) FROM run')" '3 3'

# Patterns that nothing matches are told of once; what was run before a pattern came lacks its statistics.
printf 'platforms: gtx480\nworkloads: [saxpy, vector_add]\nkeep: [no.such*, gpu.sm0.brnches, "gpu.sm[0-1].branches"]\n' >keeps.yaml
"$syncline" sweep keeps.yaml --no-progress >said || failed=1
is "patterns that nothing matches" "$(grep '^note:' said | sed 's/of [a-z_]* (small)/of WORKLOAD/')" \
'note: `keep`: no statistic of WORKLOAD on gtx480 is called `gpu.sm0.brnches`; did you mean `gpu.sm0.branches`?
note: `keep`: no statistic of WORKLOAD on gtx480 is called `no.such*`'
is "what was kept" "$(ask keeps.db 'SELECT count(DISTINCT name), count(*) FROM statistic')" '2 4'
expect 0 '2 runs: 2 done, 0 failed; 0 of them now' sweep keeps.yaml
sed -i 's/^keep.*/keep: [gpu.sm0.branches]/' keeps.yaml
expect 0 'note: 2 results lack statistics that `keep` asks for now; --again replaces them' sweep keeps.yaml
expect 0 '2 runs: 2 done, 0 failed; 2 of them now' sweep keeps.yaml --again --no-progress
# Builds before this one took any pattern.
python3 -c 'import sqlite3; d = sqlite3.connect("keeps.db"); d.execute("UPDATE session SET text = replace(text, ?, ?)", ("keep: [", "keep: [\"gpu.[\", ")); d.commit()'
"$syncline" sweep keeps.yaml >said || failed=1
is "notes after that" "$(grep -c '^note:' said)" 0

[ "$failed" -eq 0 ] && echo "sweeps run what they say, and keep it"
exit "$failed"
