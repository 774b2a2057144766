#!/usr/bin/env bash
# What a machine of 512 SMs in 16 modules costs the host: [PROGRAMS="..."] modules.sh [SYNCLINE] [REPETITIONS]
#
# Programs on gtx480 with small inputs, and on hmg16 with medium ones: 34 times the SMs, and 27 to 36 times the instructions.
# Thousands of warp-instructions per second of the run itself, without the construction of the machine; the best of several runs
# on one core, which is the one that others disturbed least. Ratios are over gtx480; promised: half. Then memory, with 1 GB of
# device data written. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
policies=(none sw nhcc hmg)
programs=(${PROGRAMS:-matmul hotspot transpose bfs spmv cg kmeans})
. "$(dirname "$0")/host_cost.sh"

rate() { # ARGUMENTS... of `syncline run`: thousands a second, the best
  rates "$@" | sort -rn | awk 'NR == 1 { printf "%.0f", $1 / 1000 }'
}

table=()
for program in "${programs[@]}"; do
  rates=("$(rate gtx480 "$program")")
  for policy in "${policies[@]}"; do
    rates+=("$(rate hmg16 "$program" --size medium --set coherence.policy="$policy")")
  done
  table+=("$program ${rates[*]}")
done
printf '%s\n' "${table[@]}" | awk -v names="${policies[*]}" '
  BEGIN {
    n = split(names, policy, " ")
    printf "| %-22s | %10s |", "thousands a second", "gtx480"
    for (p = 1; p <= n; ++p) printf " %11s | %5s |", "hmg16, " policy[p], "ratio"
    printf "\n|------------------------|-----------:|"
    for (p = 1; p <= n; ++p) printf "------------:|------:|"
    printf "\n"
  }
  {
    printf "| %-22s | %10d |", $1, $2
    for (p = 1; p <= n; ++p) { printf " %11d | %5.2f |", $(p + 2), $(p + 2) / $2; logs[p] += log($(p + 2) / $2) }
    printf "\n"
  }
  END {
    printf "| %-22s | %10s |", "geometric mean", ""
    for (p = 1; p <= n; ++p) printf " %11s | %5.2f |", "", exp(logs[p] / NR)
    printf "\n"
  }'

if [ -x /usr/bin/time ]; then
  touch=("$(dirname "$0")/speed.ptx" --kernel touch --block 256)
  printf '\npeak memory of hmg16 under hmg: %s MB; with 1 GB of device data written: %s MB (promised: below 2048 MB)\n' \
    "$(peak_memory hmg16 "${touch[@]}" --grid 1 --arg buf:u32:1024:zero --set coherence.policy=hmg)" \
    "$(peak_memory hmg16 "${touch[@]}" --grid 262144 --arg buf:u32:268435456:zero --set coherence.policy=hmg)"
fi
