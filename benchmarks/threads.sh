#!/usr/bin/env bash
# One simulation on several threads beside one: [THREADS=2] threads.sh [SYNCLINE] [REPETITIONS]
#
# Medium inputs on machines of 15, 56, 128 and, in 16 modules, 512 SMs, the smallest also with allocation periods; thousands of warp-instructions per
# second of the run itself, the best of several runs, of which one after the other is on one thread and on several. Results are the same
# (tests/threads). Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
threads=${THREADS:-2}
programs=(${PROGRAMS:-matmul hotspot transpose bfs reduction kmeans spmv})
periods="--set crossbar.allocation_period=4 --set work_distributor.allocation_period=8"
machines=("gtx480" "gtx480 $periods" "fermi56" "gtx480 --set sms=128 --set memory.partitions=32" "hmg16 --set coherence.policy=hmg")
. "$(dirname "$0")/host_cost.sh"
pin=()

# best_rates ARGUMENTS... of `syncline run`: thousands a second on one thread and on several
best_rates() {
  local number
  for _ in $(seq "$repetitions"); do
    for number in 1 "$threads"; do
      echo "$number $(repetitions=1 rates "$@" --size medium --threads "$number")"
    done
  done | awk '$2 > best[$1] { best[$1] = $2 } END { printf "%.0f %.0f", best[1] / 1000, best['"$threads"'] / 1000 }'
}

printf '| %-12s |' "thousands a second"
for name in " 15 SMs" "periods" " 56 SMs" "128 SMs" "  hmg16"; do printf ' %s, 1 thread | %2d threads | ratio |' "$name" "$threads"; done
printf '\n|--------------------|'
for _ in "${machines[@]}"; do printf -- '------------------:|-----------:|------:|'; done
printf '\n'
for program in "${programs[@]}"; do
  row=("$program")
  for machine in "${machines[@]}"; do
    read -r -a words <<<"$machine"
    # shellcheck disable=SC2207
    row+=($(best_rates "${words[0]}" "$program" "${words[@]:1}"))
  done
  echo "${row[@]}"
done | awk '{
    printf "| %-18s |", $1
    for (m = 0; 2 * m + 3 <= NF; ++m) {
      ratio = $(2 * m + 3) / $(2 * m + 2)
      logs[m] += log(ratio)
      printf " %17d | %10d | %5.2f |", $(2 * m + 2), $(2 * m + 3), ratio
    }
    machines = m
    printf "\n"
  }
  END {
    printf "| %-18s |", "geometric mean"
    for (m = 0; m < machines; ++m) printf " %17s | %10s | %5.2f |", "", "", exp(logs[m] / NR)
    printf "\n"
  }'
