#!/usr/bin/env bash
# A sweep that is interrupted goes on where it was, and comes to the same results; its runs end with it.
set -u
. "$(dirname "$0")/common.sh"

cat >sweep.yaml <<'END'
platforms: gtx480
workloads: [saxpy, bfs]
seeds: 1-50
END
rows='SELECT workload, seed, state, cycles, memory_signature FROM run ORDER BY place'
expect 0 '100 runs: 100 done, 0 failed' sweep sweep.yaml --no-progress --database whole.db

# Waits until the sweep $sweep has some of its runs in the database: some_done DATABASE COUNT
some_done() {
  for _ in $(seq 1200); do
    [ -s "$1" ] && [ "$(ask "$1" "SELECT count(*) FROM run WHERE state = 'done'" 2>/dev/null || echo 0)" -ge "$2" ] && return
    kill -0 "$sweep" 2>/dev/null || return
    sleep 0.05
  done
}
# Whether a process ends within ten seconds: gone PROCESS
gone() {
  for _ in $(seq 200); do
    case $(ps -o stat= -p "$1") in '' | Z*) return ;; esac
    sleep 0.05
  done
  return 1
}
done_before=0
for signal in TERM HUP KILL; do  # not INT, which a shell has ignored by what it runs in the background
  "$syncline" sweep sweep.yaml --jobs 1 --no-progress >said 2>&1 &
  sweep=$!
  some_done sweep.db $((done_before + 2))
  if [ $signal = TERM ]; then  # meanwhile nobody else works on it
    expect 2 'another sweep works on the database `sweep.db`' sweep sweep.yaml --no-progress
  fi
  children=$(pgrep -P "$sweep")
  kill -$signal "$sweep"
  wait "$sweep" 2>/dev/null
  status=$?
  is "status after $signal" "$status" $((128 + $(kill -l $signal)))
  for child in $children; do
    # Whoever is killed does not wait for them.
    if [ $signal = KILL ]; then gone "$child"; else ! kill -0 "$child" 2>/dev/null; fi ||
      { echo "a run lives on after $signal"; failed=1; }
  done
  now=$(ask sweep.db "SELECT count(*) FROM run WHERE state = 'done'")
  [ "$now" -ge $((done_before + 2)) ] || { echo "after $signal: $now runs are done, $done_before were before"; failed=1; }
  is "rows after $signal" "$(ask sweep.db "SELECT count(*), sum(state = 'failed') FROM run")" '100 0'
  done_before=$now
done
expect 0 "100 runs: 100 done, 0 failed; $((100 - done_before)) of them now" sweep sweep.yaml --no-progress
is "the results" "$(ask sweep.db "$rows")" "$(ask whole.db "$rows")"

# Whoever reads the database as a sweep has left it is waited for; who begins when a sweep is at work is in nobody's way.
cat >reads.py <<'END'
import sqlite3, sys, time
reader = sqlite3.connect(sys.argv[1], isolation_level=None)
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM run").fetchone()
open("reading", "w").close()
time.sleep(float(sys.argv[2]))
END
python3 reads.py sweep.db 13 &
reader=$!
until [ -e reading ]; do sleep 0.1; done
sed -i 's/1-50/1-51/' sweep.yaml
expect 0 'note: the sweep begins when those who read the database `sweep.db` have ended' sweep sweep.yaml --no-progress
wait "$reader"
is "what came after that" "$(ask sweep.db "SELECT count(*) FROM run WHERE state = 'done'")" 102
rm reading
sed -i 's/1-51/1-80/' sweep.yaml
"$syncline" sweep sweep.yaml --jobs 1 --no-progress >said 2>&1 &
sweep=$!
some_done sweep.db 104
python3 reads.py sweep.db 100 &
reader=$!
until [ -e reading ]; do sleep 0.1; done
wait "$sweep"
is "status of a sweep that somebody reads" "$?" 0
sed -i 's/1-80/1-81/' sweep.yaml
expect 0 '162 runs: 162 done, 0 failed; 2 of them now' sweep sweep.yaml --no-progress
kill "$reader"

# Without its database a sweep ends; what others put there in the meantime stays.
"$syncline" sweep sweep.yaml --jobs 1 --no-progress --database gone.db >said 2>&1 &
sweep=$!
some_done gone.db 2
mv gone.db elsewhere.db
echo mine >gone.db
wait "$sweep"
is "status of a sweep without its database" "$?" 2
is "what it says" "$(tail -n 1 said)" 'syncline: the database `gone.db` was removed or replaced while the sweep worked on it'
is "what is in its place" "$(cat gone.db)" mine

[ "$failed" -eq 0 ] && echo "interrupted sweeps go on where they were"
exit "$failed"
