#!/usr/bin/env bash
# Runs that fail are rows with their reasons, and the others go on.
set -u
. "$(dirname "$0")/common.sh"

cat >sweep.yaml <<'END'
platforms: gtx480
workloads: [saxpy, matmul]
vary: {limits.cycles: [100, 1000000]}
END
told=anywhere expect 1 'failed: saxpy (small) on gtx480, limits.cycles=100:' sweep sweep.yaml
expect 1 '4 runs: 2 done, 2 failed; 0 of them now' sweep sweep.yaml
is "states" "$(ask sweep.db "SELECT workload, state, status, length(reason) > 20, cycles IS NULL, session IS NULL, ended IS NULL, seconds > 0 FROM run ORDER BY place")" \
'saxpy failed 3 1 1 0 0 1
saxpy done 0 None 0 0 0 1
matmul failed 3 1 1 0 0 1
matmul done 0 None 0 0 0 1'
is "a reason" "$(ask sweep.db "SELECT reason FROM run WHERE state = 'failed' LIMIT 1")" \
  "$("$syncline" run gtx480 saxpy --set limits.cycles=100 --no-progress 2>&1 >/dev/null | head -n 1)"
expect 1 '4 runs: 2 done, 2 failed; 2 of them now' sweep sweep.yaml --retry --no-progress
is "measures after that" "$(ask sweep.db 'SELECT count(DISTINCT run), count(*) > 40 FROM measure')" '2 1'

# One that somebody kills.
cat >killed.yaml <<'END'
platforms: gtx480
workloads: [bfs, saxpy]
sizes: medium
END
"$syncline" sweep killed.yaml --jobs 2 --no-progress >said 2>&1 &
sweep=$!
for _ in $(seq 300); do
  child=$(pgrep -P "$sweep" -f ' bfs ') && break
  sleep 0.1
done
kill -KILL "$child"
wait "$sweep"
is "status" "$?" 1
is "a killed run" "$(ask killed.db "SELECT workload, state, status, reason FROM run ORDER BY place")" \
'bfs failed 137 ended by signal 9 (Killed)
saxpy done 0 None'
grep -qF 'failed: bfs (medium) on gtx480: ended by signal 9 (Killed)' said || { cat said; failed=1; }

# One that takes too long.
cat >long.yaml <<'END'
platforms: gtx480
workloads: saxpy
cases: {short: {sizes: small}, long: {workloads: bfs, sizes: large}}
END
told=anywhere expect 1 'failed: bfs (large) on gtx480: takes longer than 1 s of processor time (--limit)' sweep long.yaml --limit 1 --no-progress
is "a run that takes too long" "$(ask long.db "SELECT workload, state, seconds < 60, cycles IS NULL FROM run ORDER BY place")" \
'saxpy done 1 0
bfs failed 1 1'
expect 1 '2 runs: 1 done, 1 failed; 0 of them now' sweep long.yaml --limit 2 --no-progress
expect 2 '--limit' sweep long.yaml --limit 0
expect 2 '--limit does not apply to --list' sweep long.yaml --limit 5 --list

# A result that is wrong has its numbers all the same: a script expects what is not there.
cat >wrong.yaml <<'END'
module: none.ptx
buffers: {x: {type: u32, count: 4, fill: 1}}
steps:
  - launch: {kernel: none, grid: [1, 1, 1], block: [32, 1, 1], args: []}
  - check: {buffer: x, type: u32, equals: four.bin}
END
empty_kernel none.ptx
head -c 16 /dev/zero >four.bin
printf 'platforms: gtx480\nworkloads: wrong.yaml\n' >of_wrong.yaml
told=anywhere expect 1 'failed: wrong.yaml on gtx480: the result is wrong' sweep of_wrong.yaml
is "a wrong result" "$(ask of_wrong.db 'SELECT state, status, reason, verified, cycles > 0 FROM run')" 'failed 1 the result is wrong 0 1'

# What a kernel prints before it fails is no result, though it is JSON.
cat >prints.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.global .align 1 .b8 text[10] = {123, 34, 97, 34, 58, 49, 125, 10, 0, 0};
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.visible .entry prints() {
  .reg .b64 %rd<3>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd1, %rd1;
  mov.u64 %rd2, 0;
  {
    .param .b32 r; .param .b64 f; .param .b64 a;
    st.param.b64 [f], %rd1;
    st.param.b64 [a], %rd2;
    call (r), vprintf, (f, a);
  }
  trap;
  ret;
}
END
printf 'module: prints.ptx\nsteps:\n  - launch: {kernel: prints, grid: [1, 1, 1], block: [1, 1, 1], args: []}\n' >prints.yaml
is "what it prints last" "$("$syncline" run gtx480 prints.yaml --no-progress 2>/dev/null | tail -n 1)" '{"a":1}'
printf 'platforms: gtx480\nworkloads: prints.yaml\n' >of_prints.yaml
told=anywhere expect 1 'failed: prints.yaml on gtx480: ' sweep of_prints.yaml
is "a run that prints JSON and fails" "$(ask of_prints.db 'SELECT state, status, length(reason) > 10, result, host_seconds FROM run')" 'failed 3 1 None None'

# One whose files change meanwhile: the platform's, or one that it includes.
echo 'include: gtx480' >base.yaml
echo 'include: base.yaml' >own.yaml
printf 'platforms: own.yaml\nworkloads: bfs\nsizes: large\n' >changes.yaml
"$syncline" sweep changes.yaml --no-progress >said 2>&1 &
sweep=$!
for _ in $(seq 300); do
  child=$(pgrep -P "$sweep" -f ' bfs ') && break
  sleep 0.1
done
sleep 0.5
echo 'l1: {mshr_entries: 8}' >>base.yaml
wait "$sweep"
is "status" "$?" 1
is "a run whose platform changes" "$(ask changes.db 'SELECT state, status, reason, cycles IS NULL FROM run')" \
  "failed 0 \`$PWD/base.yaml\` has changed since the sweep read it 0"

[ "$failed" -eq 0 ] && echo "runs that fail are rows with their reasons"
exit "$failed"
