#!/usr/bin/env bash
# Programs on the shared memory of CTAs in every way that they can run, with inputs of many seeds: local_seeds_long.sh
# SYNCLINE [SEEDS]: 20 unless said otherwise. Status 1 when one is not verified.
set -u
said=$(mktemp)
trap 'rm -f "$said"' EXIT
syncline=$1 seeds=${2:-20} failed=0
for program in local_{ht,it,gc,km}_{high,low}; do
  for ((seed = 1; seed <= seeds; ++seed)); do
    "$(dirname "$0")/local_programs.sh" "$syncline" $program "$seed" >"$said" || { cat "$said"; failed=1; }
  done
  echo "$program: $seeds seeds, $(cat "$said")"
done
exit $failed
