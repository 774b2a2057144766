#!/usr/bin/env bash
# What it costs that blocks could be watched: this build against one whose blocks do not ask, taps.sh [SYNCLINE] [REPETITIONS]
#
# Each row is the least processor time of several runs on one core, in turn, in which nobody watches; and the instructions
# that valgrind counts in one of them, where it is installed, which no other work on the machine changes. Nothing fails here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-5}
. "$here/host_cost.sh"

build=$(mktemp -d)
trap 'rm -rf "$build" "$scratch"' EXIT
cmake -S "$here/.." -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DSYNCLINE_TAPS=OFF -DSYNCLINE_TESTS=OFF -DSYNCLINE_EXAMPLES=OFF \
  -DSYNCLINE_BENCHMARKS=OFF >"$build/log" 2>&1 && cmake --build "$build" --parallel "$(nproc)" --target syncline >>"$build/log" 2>&1 ||
  { tail "$build/log" >&2; exit 1; }
with=$syncline without=$build/sc_main/syncline

# instructions SYNCLINE ARGUMENTS...
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" run "${@:2}" --no-progress 2>&1 | sed -n 's/.*Collected : *//p'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }

row() {
  local times_with=() times_without=() counted=-
  for _ in $(seq "$repetitions"); do
    syncline=$with
    times_with+=("$(host_cost "$@" --size medium)")
    syncline=$without
    times_without+=("$(host_cost "$@" --size medium)")
  done
  command -v valgrind >/dev/null && counted=$(ratio "$(instructions "$with" "$@")" "$(instructions "$without" "$@")")
  printf '| %-22s | %19s | %21s |\n' "$1 $2" "$(ratio "$(printf '%s\n' "${times_with[@]}" | least)" "$(printf '%s\n' "${times_without[@]}" | least)")" "$counted"
}
printf '\n| %-22s | %19s | %21s |\n| %s | %s | %s |\n' "with taps / without" "processor time (med.)" "instructions (small)" ---------------------- ------------------: --------------------:
row gtx480 matmul
row tiny bfs
row rcc16 hash_table
