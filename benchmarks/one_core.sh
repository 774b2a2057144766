#!/usr/bin/env bash
# One core, before and after: one_core.sh [SYNCLINE] [REPETITIONS] [BEFORE]
#
# Thousands of warp-instructions per second of the run itself, the best of several runs. With BEFORE, a `syncline` of another revision
# (docs/speed.md says how to build one), its runs and these take turns, and the ratio stands beside them. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
before=${3:-${BEFORE:-}}
. "$(dirname "$0")/host_cost.sh"
binaries=(${before:+"$before"} "$syncline")
programs=(${PROGRAMS:-matmul hotspot transpose bfs reduction kmeans spmv srad stencil histogram scan nw})

# row LABEL ARGUMENTS... of `syncline run`: thousands a second of each of the binaries, and the ratio
row() {
  local label=$1 binary
  shift
  for _ in $(seq "$repetitions"); do
    for binary in "${binaries[@]}"; do
      echo "$binary $(syncline=$binary repetitions=1 rates "$@")"
    done
  done | awk -v label="$label" -v before="$before" -v after="$syncline" '
    $2 > best[$1] { best[$1] = $2 }
    END {
      if (before == "") printf "| %-28s | %12.0f |\n", label, best[after] / 1000
      else printf "| %-28s | %12.0f | %12.0f | %5.2f |\n", label, best[before] / 1000, best[after] / 1000, best[after] / best[before]
    }'
}

rows() {
  row "functional matmul (large)" gtx480 matmul --size large --functional
  for program in "${programs[@]}"; do row "gtx480 $program" gtx480 "$program" --size medium; done
  for program in matmul bfs; do
    row "512 SMs $program" gtx480 "$program" --size medium --set sms=512 --set memory.partitions=128
    row "hmg16 $program" hmg16 "$program" --size medium --set coherence.policy=hmg
  done
}

if [ -z "$before" ]; then
  printf '| %-28s | %12s |\n|%s|%s|\n' "thousands a second" "one core" ------------------------------ -------------:
  rows
else
  printf '| %-28s | %12s | %12s | ratio |\n|%s|%s|%s|------:|\n' "thousands a second" before after ------------------------------ -------------: -------------:
  rows | tee "$scratch.rows"
  awk -F'|' '$2 ~ /gtx480/ { n += 1; l += log($5) } END { printf "| %-28s | %12s | %12s | %5.2f |\n", "geometric mean of gtx480", "", "", exp(l / n) }' "$scratch.rows"
  rm -f "$scratch.rows"
fi
