#!/usr/bin/env bash
# What more cores than this computer has would bring, by a model: [CORES="4 8 16"] cores.sh [SYNCLINE] [REPETITIONS]
#
# A run on n threads says how many turns its tiles have, how many of them are in the longest lane of each window, how many are
# between windows, and how many windows there are: that follows from the machine and n, not from the host. A turn costs what it
# costs on one thread; what two threads take beyond their turns is, divided by their windows, what handing a window over costs;
# and n threads are taken to hand it over at the same cost, and to find as much room in their caches. Printed are the times that
# are measured on one thread and on two, the cost of a window, and times and shares of n. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
cores=(${CORES:-4 8 16})
runs=("gtx480 matmul --size medium" "gtx480 bfs" "gtx480 matmul --size medium --set sms=128 --set memory.partitions=32" "hmg16 matmul --size medium --set coherence.policy=hmg"
  "hmg16 spmv --size medium --set coherence.policy=hmg")
names=("15 SMs, matmul" "15 SMs, bfs" "128 SMs, matmul" "hmg16, matmul" "hmg16, spmv")
. "$(dirname "$0")/host_cost.sh"
pin=()

# Seconds of the run itself, the least of several: seconds ARGUMENTS... (of `syncline run`)
seconds() {
  local of_runs
  of_runs=$(rates "$@")
  sort -rn <<<"$of_runs" | awk -v i="$(field warp_instructions "$(cat "$scratch")")" 'NR == 1 { print i / $1 }'
}
# Of the last run: "turns longest between windows"
counts() {
  sed -n 's/^  threads  *[0-9]* (\([0-9]*\) windows with \([0-9]*\) turns, \([0-9]*\) of them in the longest lanes; \([0-9]*\) turns between.*/\2 \3 \4 \1/p' "$scratch"
}

printf '| %-16s | 1 thread, ms | 2 threads, ms | a window, ns |' ''
for n in "${cores[@]}"; do printf ' %2d cores | window, turn, between |' "$n"; done
printf '\n|------------------|-------------:|--------------:|-------------:|'
for _ in "${cores[@]}"; do printf -- '---------:|----------------------:|'; done
printf '\n'
for i in "${!runs[@]}"; do
  read -r -a run <<<"${runs[i]}"
  all="$(seconds "${run[@]}" --threads 1) $(seconds "${run[@]}" --threads 2) $(counts)"
  for n in "${cores[@]}"; do
    repetitions=1 rates "${run[@]}" --threads "$n" >/dev/null
    all+=" $(counts)"
  done
  awk -v name="${names[i]}" '{
    one = $1; two = $2
    turn = one / ($3 + $5)
    window = (two - turn * ($4 + $5)) / $6
    if (window < 0) window = 0
    printf "| %-16s | %12.0f | %13.0f | %12.0f |", name, 1000 * one, 1000 * two, 1e9 * window
    for (f = 7; f + 3 <= NF; f += 4) {
      hand = window * $(f + 3); longest = turn * $(f + 1); between = turn * $(f + 2)
      all = hand + longest + between
      printf " %7.2fx | %5.0f %%, %3.0f %%, %4.0f %% |", one / all, 100 * hand / all, 100 * longest / all, 100 * between / all
    }
    printf "\n"
  }' <<<"$all"
done
