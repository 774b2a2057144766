#!/usr/bin/env bash
# What waves cost the host: [PROGRAMS="..."] [SIZE=medium] waves.sh [SYNCLINE] [REPETITIONS]
#
# Processor time per warp-instruction with waves of the default groups over that without, on gtx480: the least of several runs on
# one core, which is the one that others disturbed least. The runs alternate. Promised: at most 2. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
programs=(${PROGRAMS:-matmul transpose bfs hotspot hash_table})
size=${SIZE:-medium}
. "$(dirname "$0")/host_cost.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$scratch"' EXIT

row() { # PROGRAM
  local none=() fst=() vcd=()
  for _ in $(seq "$repetitions"); do
    none+=("$(host_cost gtx480 "$1" --size "$size")")
    fst+=("$(host_cost gtx480 "$1" --size "$size" --wave "$folder/w.fst")")
    vcd+=("$(host_cost gtx480 "$1" --size "$size" --wave "$folder/w.vcd")")
  done
  awk -v l="$1 ($size)" -v n="$(printf '%s\n' "${none[@]}" | least)" -v f="$(printf '%s\n' "${fst[@]}" | least)" \
    -v v="$(printf '%s\n' "${vcd[@]}" | least)" -v fm="$(stat -c %s "$folder/w.fst")" -v vm="$(stat -c %s "$folder/w.vcd")" \
    'BEGIN { printf "| %-20s | %9.0f | %5.2f | %5.2f | %8.1f | %8.1f |\n", l, n, f / n, v / n, fm / 1e6, vm / 1e6 }'
}

printf '| %-20s | %9s | %5s | %5s | %8s | %8s |\n' "processor time" "none, ns" FST VCD "FST, MB" "VCD, MB"
printf '|----------------------|----------:|------:|------:|---------:|---------:|\n'
for program in "${programs[@]}"; do row "$program"; done
printf '| %-20s | %9s | %5s | %5s | %8s | %8s |\n' "promised, at most" "" 2.00 2.00 "" ""
