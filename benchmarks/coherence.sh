#!/usr/bin/env bash
# What coherence costs the host: [PROGRAMS="..."] coherence.sh [SYNCLINE] [REPETITIONS]
#
# Processor time per warp-instruction under each policy, over that of `none` on the same program: the least of several runs on
# one core, which is the one that others disturbed least. A policy changes the simulated time and so the work; the ratio holds
# both. Promised: rcc at most 1.3. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
policies=(none mesi ideal gpu_vi gpu_vi_ni tc_strong tc_weak rcc rcc_wo)
programs=(${PROGRAMS:-matmul transpose hotspot srad bfs stencil})
. "$(dirname "$0")/host_cost.sh"

cost() { # PROGRAM POLICY
  for _ in $(seq "$repetitions"); do host_cost rcc16 "$1" --size medium --set coherence.policy="$2"; done | least
}

table=()
for program in "${programs[@]}"; do
  costs=()
  for policy in "${policies[@]}"; do costs+=("$(cost "$program" "$policy")"); done
  table+=("$program ${costs[*]}")
done
printf '%s\n' "${table[@]}" | awk -v names="${policies[*]}" '
  BEGIN {
    n = split(names, policy, " ")
    printf "| %-22s | %9s |", "processor time", "none, ns"
    for (p = 2; p <= n; ++p) printf " %9s |", policy[p]
    printf "\n|------------------------|----------:|"
    for (p = 2; p <= n; ++p) printf "----------:|"
    printf "\n"
  }
  {
    printf "| %-22s | %9.0f |", $1, $2
    for (p = 2; p <= n; ++p) { printf " %9.2f |", $(p + 1) / $2; logs[p] += log($(p + 1) / $2) }
    printf "\n"
  }
  END {
    printf "| %-22s | %9s |", "geometric mean", ""
    for (p = 2; p <= n; ++p) printf " %9.2f |", exp(logs[p] / NR)
    printf "\n| %-22s | %9s |", "promised", ""
    for (p = 2; p <= n; ++p) printf " %9s |", policy[p] == "rcc" ? "1.30" : "-"
    printf "\n"
  }'
