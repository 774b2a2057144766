#!/usr/bin/env bash
# Mutants that show where somebody writes a line and somebody acquires while a third has it on its way, in programs that are too
# large for the suite: old_lines.sh SYNCLINE POLICY. Each has to end in a violation.
#
# One thread writes x and says so by y; a mate of the one that waits for x acquires y, and must not see x as it was.
set -u
syncline=$1 policy=$2 failed=0 count=0
writer='st.weak x 1; st.release.sys y 1 @0.0'

# dies MUTANT THREAD... of the threads beside the writer
dies() {
  local mutant=$1 program="$writer" thread found
  shift
  for thread in "$@"; do program="$thread | $program"; done
  found=$("$syncline" check "$policy" --no-coverage --homes 2 --set "coherence.mutant=$mutant" --program "$program")
  count=$((count + 1))
  grep -q VIOLATION <<<"$found" && return
  failed=1
  echo "$policy survives as $mutant: $program"
}

# of_l2 ROLE WAITER ACQUIRER: places of two SMs in one module with such an L2
of_l2() {
  local role=$1 acquirer="ld.acquire.sys y; ld.weak x @$3"
  dies "$role IV, Drop: to IV" "$acquirer" "ld.weak x @$2"
  dies "$role IX, Gets: to IV" "$acquirer" "ld.weak x @$2"
  dies "$role IX, Data: to V" "$acquirer" "ld.weak x @$2"
  dies "$role IX, Getu: to IV" "$acquirer" "ld.weak x; flush; ld.weak x @$2"
  dies "$role VX, Gets [more]: to V" "$acquirer" "ld.weak x; flush; ld.weak x @$2"
  dies "$role VX, Gets [more]: without count_served" "$acquirer" "ld.weak x; flush; ld.weak x @$2"
  dies "$role IX, Data_U: to IV" "$acquirer" "ld.sys x; ld.weak x @$2"
  dies "$role IX, Ack: to IV" "$acquirer" "st.weak x1 2; ld.weak x @$2"
  dies "$role IX, Write: to IV" "$acquirer" "ld.weak x; st.weak x1 2 @$2"
  dies "$role IX, Atomic: to IV" "$acquirer" "ld.weak x; add x1 1 @$2"
  dies "$role IX, Atomic_Data: to IV" "$acquirer" "add.sys x1 1; ld.weak x @$2"
}

case $policy in
  no_remote_caching) dies 'L1 IX, Flush: to IV' 'ld.acquire.sys y; ld.acquire.sys y; ld.weak x @0.1' 'ld.weak x @0.1' ;;
  sw) of_l2 GPM 0.1 0.1.1 ;;
  sw_hierarchical)
    of_l2 GPM 0.1 0.1.1
    of_l2 'GPU home' 1.0 1.0.1
    acquirer='ld.acquire.sys y; ld.weak x @1.0.1'
    dies 'GPU home IX, Atomic_Wide: to IV' "$acquirer" 'ld.weak x; add.sys x1 1 @1.0'
    dies 'GPU home VX, Getu [more]: to V' "$acquirer" 'ld.weak x @1.0' 'ld x @1.1'
    dies 'GPU home VX, Getu [more]: without count_served' "$acquirer" 'ld.weak x @1.0' 'ld x @1.1'
    dies 'home NP, Empty: without empty_GPU_home' "$acquirer" 'ld.weak x @1.0'
    ;;
  *)
    echo "no mutants of $policy are known"
    exit 2
    ;;
esac
echo "$policy: $count mutants, $([ "$failed" -eq 0 ] && echo all die || echo some survive)"
exit $failed
