#!/usr/bin/env bash
# Every program with transactions under every policy that executes them, under many seeds, each transaction watched:
# seeds_long.sh SYNCLINE [SEEDS [FIRST [PLATFORM...]]]: SEEDS seeds (20) from FIRST (1) on each PLATFORM (tiny gtx480),
# of the inputs and of what is left to chance (`--seed` injects it). Prints a line for each platform, program and policy,
# the command of each run that failed, and of each that needs more than `limit` cycles, which none should. Status 1 when
# one failed or needs more, 2 when there is none to make.
set -u
syncline=$1 seeds=${2:-20} first=${3:-1}
platforms=("${@:4}")
[ ${#platforms[@]} -gt 0 ] || platforms=(tiny gtx480)
limit=200000000
# Programs that can be asked for transactions.
mapfile -t programs < <("$syncline" list workloads | sed -n 's/^\([a-z_0-9]*\) .*; sync=auto|locks|tx.*/\1/p')
policies=$("$syncline" list policies | sed -n 's/^transactions\.policy  *\([a-z_]*\) .*/\1/p' | grep -vx none)
[ "$seeds" -gt 0 ] && [ -n "$policies" ] && [ ${#programs[@]} -gt 0 ] || { echo "seeds_long.sh: there are no seeds, policies or programs" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
# try PLATFORM PROGRAM POLICY: all seeds
try() {
  local command status bad=0 long=0 committed=0 aborted=0 most=0 cycles counts
  for ((seed = first; seed < first + seeds; ++seed)); do
    command=(run "$1" "$2" --option sync=tx --set transactions.policy="$3" --set observe.transactions=check --seed "$seed"
      --input-seed "$seed" --set limits.cycles=$limit --no-progress)
    "$syncline" "${command[@]}" >"$scratch/said" 2>&1 </dev/null && status=0 || status=$?
    # The monitor's line: without it nobody has judged.
    counts=$(sed -n 's/^  transactions  *\([0-9]*\) committed, \([0-9]*\) aborted.*/\1 \2/p' "$scratch/said")
    cycles=$(sed -n 's/^  cycles  *\([0-9]*\)$/\1/p' "$scratch/said")
    if [ $status = 0 ] && [ "${counts%% *}" -gt 0 ] 2>/dev/null; then
      committed=$((committed + ${counts% *})) aborted=$((aborted + ${counts#* }))
      [ "$cycles" -le $most ] || most=$cycles
    elif grep -q 'limits\.cycles' "$scratch/said"; then
      long=$((long + 1))
      echo "more than $limit cycles: syncline ${command[*]}"
    else
      bad=$((bad + 1))
      echo "FAILED, status $status: syncline ${command[*]}"
      tail -n 12 "$scratch/said"
    fi
  done
  printf '%-7s %-13s %-11s %3d runs, %d bad, %d too long; %d committed, %d aborted; at most %d cycles\n' "$@" \
    "$seeds" $bad $long $committed $aborted "$most"
  [ $((bad + long)) = 0 ] || failed=1
}
for platform in "${platforms[@]}"; do
  for program in "${programs[@]}"; do
    for policy in $policies; do
      try "$platform" "$program" "$policy"
    done
  done
done
exit $failed
