#!/usr/bin/env bash
# Whole runs against the speed that the project promises: speed.sh [SYNCLINE] [REPETITIONS]
#
# Each row is the median of several runs on one core. The rate is warp-instructions per second of the run itself
# (platform construction and PTX loading left out); the ratio is measured / promised. Nothing fails here: speed is printed, not tested.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}

pin=()
command -v taskset >/dev/null && pin=(taskset -c 0)

field() { sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" <<<"$2"; }

# row PROMISE LABEL ARGUMENTS...
row() {
  local promise=$1 label=$2 rates=() instructions=0 json
  shift 2
  for _ in $(seq "$repetitions"); do
    json=$("${pin[@]}" "$syncline" run "$@" --no-progress | tail -n 1)
    instructions=$(field warp_instructions "$json")
    rates+=("$(awk -v i="$instructions" -v s="$(field host_seconds "$json")" 'BEGIN { printf "%.0f", i / s }')")
  done
  local median
  median=$(printf '%s\n' "${rates[@]}" | sort -n | sed -n "$(((repetitions + 1) / 2))p")
  awk -v l="$label" -v i="$instructions" -v r="$median" -v p="$promise" \
    'BEGIN { printf "| %-34s | %10d | %11d | %11s | %6s |\n", l, i, r, p ? p : "-", p ? sprintf("%.2f", r / p) : "-" }'
}

# memory LABEL LIMIT_MB ARGUMENTS...
memory() {
  local label=$1 limit=$2 kilobytes
  shift 2
  kilobytes=$( (/usr/bin/time -f %M "$syncline" run "$@" --no-progress >/dev/null) 2>&1 | tail -n 1)
  awk -v l="$label" -v k="$kilobytes" -v m="$limit" 'BEGIN { printf "%s: %.0f MB (limit %d MB)\n", l, k / 1024, m }'
}

grep -m 1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: /machine: /' || uname -m
printf '\n| %-34s | %10s | %11s | %11s | %6s |\n' "run" "warp instr." "per second" "promised" ratio
printf '|%s|%s|%s|%s|%s|\n' "$(printf -- '-%.0s' {1..36})" ------------: ------------: ------------: -------:
row 1000000 "timed gtx480 matmul" gtx480 matmul --size medium
row 300000 "timed gtx480 bfs" gtx480 bfs --size medium
row 300000 "timed gtx480 transpose" gtx480 transpose --size medium
row 20000000 "functional matmul" gtx480 matmul --size large --functional
row 0 "timed fermi56 nqueens (15 CTAs busy)" fermi56 nqueens --size small
row 0 "timed gtx480 nqueens (15 CTAs busy)" gtx480 nqueens --size small
printf '\n'
command -v /usr/bin/time >/dev/null && memory "memory of gtx480 transpose, large" 500 gtx480 transpose --size large
