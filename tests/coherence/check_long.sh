#!/usr/bin/env bash
# The model checker on more than CTest has time for: check_long.sh SYNCLINE [PROGRAMS [MUTANTS]]: so many random programs of
# each policy and model (1000), and of each policy a sample of so many mutants (60). Prints a line for each, and status 1
# when one failed.
set -u
syncline=$1 programs=${2:-1000} mutants=${3:-60}
survivors=$(dirname "$0")/../../protocols/coherence
policies=$("$syncline" list policies | sed -n 's/^coherence\.policy  *\([a-z_]*\) .*/\1/p')
[ -n "$policies" ] || { echo "check_long.sh: no policies are listed" >&2; exit 2; }
failed=0
# long NAME ARGUMENTS...
long() {
  local name=$1 out
  shift
  if out=$("$syncline" check "$@" 2>&1); then
    echo "$name: ${out##*$'\n'}"
  else
    echo "$name: FAILED: syncline check $*"
    echo "$out"
    failed=1
  fi
}
for policy in $policies; do
  [ "$policy" != none ] || continue  # coherent by nothing
  random=(--random "$programs" --seed 7 --no-coverage)
  long "$policy" "$policy" "${random[@]}"
  [ "$policy" != tc_strong ] || long "$policy, recycling" "$policy" "${random[@]}" --set coherence.tc.recycle_cycles=10cycles
  case $policy in
    tc_weak)
      long "$policy, fences of warps" "$policy" "${random[@]}" --set coherence.tc.fence=warp
      long "$policy, longer leases" "$policy" "${random[@]}" --set coherence.tc.lease=4
      ;;
    rcc_wo) ;;  # weakly ordered by nature
    *) long "$policy, weakly ordered" "$policy" "${random[@]}" --set coherence.consistency=wo ;;
  esac
  case $policy in
    ideal | ideal_free) of=mesi ;;  # the same tables
    *) of=$policy ;;
  esac
  long "$policy, mutants" "$policy" --mutate --sample "$mutants" --jobs "$(nproc)" --stress 50000 --survivors "$survivors/$of/survivors.yaml"
done
exit $failed
