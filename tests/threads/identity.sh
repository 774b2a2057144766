#!/usr/bin/env bash
# Results, statistics and series of runs on one thread and on several are equal, byte for byte.
# identity.sh SYNCLINE "THREADS..." PLATFORM WORKLOAD [OPTION...]: each of THREADS against one. If the one on one thread fails, its status.
set -u
syncline=$1
read -r -a threads <<<"$2"
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# All that a run leaves behind, without the time that it took.
results() {
  local of=$1
  shift
  mkdir "$of"
  "$syncline" run "$@" --no-progress --stats "$of/statistics.json" --series "$of/series.csv" --threads "$of" >"$of/said" || return
  grep '^  threads ' "$of/said"
  sed -i -E '/^  (host time|threads) /d; s/"host_seconds":[^,]*,//' "$of/said"
}

results 1 "$@" || exit
for number in "${threads[@]}"; do
  results "$number" "$@" || exit 1
  diff -r 1 "$number" || { echo "$*: on $number threads the results are others"; exit 1; }
done
echo "$*: equal on 1 ${threads[*]} threads"
