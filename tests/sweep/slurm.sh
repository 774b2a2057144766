#!/usr/bin/env bash
# Sweeps on a Slurm of one node, which is started here where that is possible; else only the script is looked at, with
# an sbatch that keeps it.
set -u
. "$(dirname "$0")/common.sh"
trap 'kill $(cat "$scratch"/slurm/*.pid 2>/dev/null) 2>/dev/null; rm -rf "$scratch"' EXIT

cat >sweep.yaml <<'END'
platforms: gtx480
workloads: [saxpy, vector_add]
vary: {limits.cycles: [100, 1000000]}
seeds: 1-3
END
told=anywhere expect 1 '12 runs: 6 done, 6 failed' sweep sweep.yaml --no-progress --database here.db

# Says why not, where there is no Slurm.
start_slurm() {
  local node
  for program in slurmctld slurmd sbatch squeue; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "there is no $program"; return 1; }
  done
  [ "$(id -u)" -eq 0 ] || { echo "slurmd runs as root only"; return 1; }
  node=$(hostname -s)
  mkdir -p slurm/state slurm/spool
  cat >slurm/slurm.conf <<END
ClusterName=sweep
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
AuthType=auth/none
CredType=cred/none
SlurmUser=root
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
SlurmctldLogFile=$PWD/slurm/slurmctld.log
SlurmdLogFile=$PWD/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$PWD/slurm/slurm.conf
  PATH=$PATH:/usr/sbin slurmctld -D >slurm/slurmctld.out 2>&1 &
  PATH=$PATH:/usr/sbin slurmd -D >slurm/slurmd.out 2>&1 &
  for _ in $(seq 100); do
    sinfo --noheader 2>/dev/null | grep -q ' idle ' && break
    sleep 0.2
  done
  printf '#!/bin/sh\nexit 0\n' >slurm/nothing.sh
  timeout 30 sbatch --wait --output=/dev/null slurm/nothing.sh >/dev/null 2>&1 && return
  echo "it does not run a job: $(tail -n 2 slurm/slurmctld.out slurm/slurmd.out)"
  return 1
}

rows='SELECT workload, seed, state, status, cycles, memory_signature, reason FROM run ORDER BY place'
if start_slurm $((20000 + $$ % 20000)) >why_not; then
  # Five tasks have twelve runs; it is waited for them.
  told=anywhere expect 1 '12 runs: 6 done, 6 failed; 12 of them now' sweep sweep.yaml --slurm --slurm-tasks 5 --slurm-wait
  is "results" "$(ask sweep.db "$rows")" "$(ask here.db "$rows")"
  is "measures" "$(ask sweep.db 'SELECT * FROM measure')" "$(ask here.db 'SELECT * FROM measure')"
  [ ! -e sweep.db.slurm ] || { echo "the job's folder stays"; failed=1; }

  # Without waiting, the next call collects; nothing is submitted twice.
  expect 0 'runs; ' sweep sweep.yaml --slurm --database later.db --slurm-option=--hold --slurm-option=--comment=held
  grep -q '^#SBATCH --comment=held$' later.db.slurm/job.sh || { echo "options are not in the script"; failed=1; }
  expect 0 "12 tasks are in Slurm's queue or run; nothing else is begun before they have ended" sweep sweep.yaml --slurm --database later.db
  expect 0 '12 runs: 0 done, 0 failed, 12 not yet; 0 of them now' sweep sweep.yaml --database later.db
  job=$(cat later.db.slurm/job)
  scontrol release "$job"
  for _ in $(seq 600); do
    [ -z "$(squeue --noheader)" ] && break
    sleep 0.1
  done
  told=anywhere expect 1 '12 runs: 6 done, 6 failed; 12 of them now' sweep sweep.yaml --database later.db --no-progress
  is "results that were collected later" "$(ask later.db "$rows")" "$(ask here.db "$rows")"

  # What a job has not run waits again.
  expect 0 'runs; ' sweep sweep.yaml --slurm --database cancelled.db --slurm-option=--hold
  scancel "$(cat cancelled.db.slurm/job)"
  told=anywhere expect 1 '12 runs: 6 done, 6 failed; 12 of them now' sweep sweep.yaml --database cancelled.db --no-progress
  [ -s cancelled.db.slurm/job.sh ] || { echo "the script of a job that was cancelled is gone"; failed=1; }
  is "results of a job that was cancelled" "$(ask cancelled.db "$rows")" "$(ask here.db "$rows")"

  # Wherever the database lies.
  mkdir "of 5%a, \"mine\""
  told=anywhere expect 1 '12 runs: 6 done, 6 failed; 12 of them now' sweep sweep.yaml --slurm --slurm-tasks 1 --slurm-wait --database "of 5%a, \"mine\"/x y#.db"
  is "results there" "$(ask "of 5%25a, \"mine\"/x y%23.db" "$rows")" "$(ask here.db "$rows")"

  expect 2 'sbatch' sweep sweep.yaml --slurm --database refused.db --slurm-option=--partition=nowhere
  expect 1 '12 runs: 6 done, 6 failed; 12 of them now' sweep sweep.yaml --database refused.db --no-progress
else
  echo "skipped: a Slurm of one node, for $(cat why_not)"
fi

# The script, word by word, and what a task makes of it: with programs in Slurm's place.
mkdir bin
printf '#!/bin/sh\ncp "$2" submitted.sh; echo 42\n' >bin/sbatch
printf '#!/bin/sh\n[ -e ended ] || printf "42\\n42\\n7\\n"\n' >bin/squeue
chmod +x bin/*
path=$PWD/bin:$PATH expect 0 "Slurm's job 42 has 12 runs" sweep sweep.yaml --slurm --slurm-tasks 7 --database script.db --slurm-option=--time=1:00:00 --limit 700
is "the script" "$(sed "s|$PWD|HERE|g; s|$(realpath "$syncline")|SYNCLINE|" submitted.sh)" \
"#!/usr/bin/env bash
#SBATCH --job-name=script.db
#SBATCH --array=0-5
#SBATCH --output=HERE/script.db.slurm/%a.log
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=1:00:00
exec 'SYNCLINE' sweep 'HERE/script.db.slurm/tasks.json' --task \"\$SLURM_ARRAY_TASK_ID\""
bash -n submitted.sh || failed=1
grep -qx ' "limit": 700,' script.db.slurm/tasks.json || { echo "tasks know no limit"; failed=1; }
path=$PWD/bin:$PATH expect 0 "2 tasks are in Slurm's queue or run" sweep sweep.yaml --database script.db
path=$PWD/bin:$PATH expect 0 '12 not yet' sweep sweep.yaml --database script.db --retry
for task in 0 1 2 3 4 5; do SLURM_ARRAY_TASK_ID=$task bash submitted.sh || { echo "task $task ends badly"; failed=1; }; done
expect 2 'has no task 6' sweep script.db.slurm/tasks.json --task 6
touch ended
path=$PWD/bin:$PATH told=anywhere expect 1 'failed: saxpy (small) on gtx480, limits.cycles=100, seed 1: syncline: the run reached its limit' \
  sweep sweep.yaml --database script.db
is "results of tasks" "$(ask script.db "$rows")" "$(ask here.db "$rows")"

# A sweep that is ended while it waits for a job has submitted it; the next one waits for that job, and submits no other.
rm ended
printf '#!/bin/sh\ncp "$2" submitted.sh; echo >>submissions; echo 42\n' >bin/sbatch
PATH=$PWD/bin:$PATH "$syncline" sweep sweep.yaml --slurm --slurm-wait --slurm-tasks 2 --database waits.db >said 2>&1 &
sweep=$!
for _ in $(seq 200); do
  [ -e waits.db.slurm/job ] && break
  sleep 0.05
done
SLURM_ARRAY_TASK_ID=0 bash submitted.sh || failed=1
kill "$sweep"
wait "$sweep"
is "status of one that is ended" "$?" 143
PATH=$PWD/bin:$PATH "$syncline" sweep sweep.yaml --slurm --slurm-wait --database waits.db >said 2>&1 &
sweep=$!
SLURM_ARRAY_TASK_ID=1 bash submitted.sh || failed=1
kill -0 "$sweep" || { echo "it does not wait for a job that is in the queue: $(cat said)"; failed=1; }
touch ended
wait "$sweep"
is "status of one that waits for an earlier job" "$?" 1
is "submissions" "$(wc -l <submissions)" 1
is "results of a job that was waited for twice" "$(ask waits.db "$rows")" "$(ask here.db "$rows")"

# What Slurm would take for something else.
path=$PWD/bin:$PATH expect 0 "Slurm's job 42" sweep sweep.yaml --slurm --database 'my "5%" \.db'
is "words of sbatch" "$(sed -n "s|$PWD|HERE|; 2p; 4p" submitted.sh)" \
'#SBATCH --job-name="my \"5%\" \\.db"
#SBATCH --output="HERE/my \"5%%\" \\.db.slurm/%a.log"'

# What changes while a job is in the queue is told.
rm ended
echo 'include: gtx480' >own.yaml
printf 'platforms: own.yaml\nworkloads: saxpy\n' >queued.yaml
path=$PWD/bin:$PATH expect 0 "Slurm's job 42 has 1 runs" sweep queued.yaml --slurm
echo 'l1: {mshr_entries: 8}' >>own.yaml
SLURM_ARRAY_TASK_ID=0 bash submitted.sh || failed=1
touch ended
path=$PWD/bin:$PATH told=anywhere expect 0 "failed: saxpy (small) on own.yaml: \`$PWD/own.yaml\` has changed since the sweep read it" sweep queued.yaml
is "what has changed" "$(ask queued.db 'SELECT state, count(*) FROM run GROUP BY state ORDER BY state')" 'done 1
failed 1'

# Mistakes.
path=/nowhere expect 2 '`sbatch`' sweep sweep.yaml --slurm --database none.db
expect 2 '--slurm' sweep sweep.yaml --slurm-wait
expect 2 '--slurm-tasks' sweep sweep.yaml --slurm --slurm-tasks 0
expect 2 '--jobs does not apply to --slurm' sweep sweep.yaml --slurm --jobs 2
mkdir mine.db.slurm && touch mine.db.slurm/precious
path=$PWD/bin:$PATH expect 2 "mine.db.slurm\` is in the way of the job's folder" sweep sweep.yaml --slurm --database mine.db
[ -e mine.db.slurm/precious ] || { echo "somebody else's folder is gone"; failed=1; }

[ "$failed" -eq 0 ] && echo "sweeps run as jobs of Slurm"
exit "$failed"
