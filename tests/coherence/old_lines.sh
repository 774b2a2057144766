#!/usr/bin/env bash
# Mutants that `syncline check POLICY --mutate` lets live, in programs that it does not try: old_lines.sh SYNCLINE POLICY.
# Each has to end in a violation, or to cost what the policy does not.
#
# Most show where a line grows old on its way, and in programs that are too large for the suite: one thread writes x and says
# so by y; a mate of the one that waits for x acquires y, and must not see x as it was. Under ideal_remote a write alone
# makes lines old, and nobody has to acquire.
set -u
syncline=$1 policy=$2 failed=0 count=0
writer='st.weak x 1; st.release.sys y 1 @0.0'

# survives MUTANT PROGRAM
survives() {
  failed=1
  echo "$policy survives as $1: $2"
}

# violates MUTANT HOMES PROGRAM
violates() {
  local found
  found=$("$syncline" check "$policy" --no-coverage --homes "$2" --set "coherence.mutant=$1" --program "$3")
  count=$((count + 1))
  grep -q VIOLATION <<<"$found" || survives "$1" "$3"
}

# dies MUTANT THREAD... of the threads beside the writer
dies() {
  local mutant=$1 program="$writer" thread
  shift
  for thread in "$@"; do program="$thread | $program"; done
  violates "$mutant" 2 "$program"
}

# costs MUTANT PROGRAM: messages or accesses of memory that the policy does not need
costs() {
  local right wrong
  count=$((count + 1))
  if ! right=$("$syncline" check "$policy" --costs --program "$2") ||
    ! wrong=$("$syncline" check "$policy" --costs --set "coherence.mutant=$1" --program "$2") || [ "$wrong" = "$right" ]; then
    survives "$1" "$2"
  fi
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
  ideal_remote)
    # A line that was invalidated before it came is written, or taken up, as if it were new.
    violates 'GPM IX, Write: to IV' 1 'ld.weak x; st.weak x1 2 @0.1 | st.weak x 1 @0.0'
    violates 'GPU home IX, Write: to IV' 1 'ld.weak x; st.weak x1 2 @1.0 | st.weak x 1 @0.0'
    violates 'GPU home IX, Remote_Write: to IV' 1 'st.weak x1 2 @1.1 | ld.weak x @1.0 | st.weak x 1 @0.0'
    violates 'GPU home IX, Remote_Atomic: to IV' 1 'add x1 1 @1.1 | ld.weak x @1.0 | st.weak x 1 @0.0'
    violates 'GPU home IX, Atomic: to IV' 1 'ld.weak x; add x1 1 @1.0 | st.weak x 1 @0.0'
    violates 'L1 IX, Flush: to IV' 1 'ld.weak x; st.weak x 1; flush; ld.weak x @0.0'
    # Another module has a copy: of a line that its home has not, or has in part, and of one that the home of its GPU writes.
    violates 'GPU home V, Atomic: without invalidate_sharers' 1 'ld.weak x @1.1 | add x 1 @1.0'
    violates 'home NP, Remote_Store: without invalidate_others' 1 'ld.weak x; ld.weak x1 @0.1 | st.weak x 1 @1.0'
    violates 'home P, Remote_Store [completes]: without invalidate_others' 1 'ld.weak x; st.weak x 1 @0.1 | st.weak x1 2 @1.0'
    kept='ld.weak x; st.weak x 1; ld.weak x1 @0.1'
    violates 'home P, Remote_Store: without invalidate_others' 1 "$kept | st.weak x 2 @1.0"
    violates 'home P, Remote_Atomic [covered]: without invalidate_others' 1 "$kept | add.sys x 2 @1.0"
    # Releases: of one L1, and one that goes on with the first answer.
    violates 'L1 I, Fence: without begin' 1 'fence.sys @0.1 | fence.sys @0.1 | fence.sys @0.1'
    violates 'home NP, Stored_Last: without next_step' 1 \
      'ld.weak x; ld.acquire.sys y; ld.weak x @0.1 | st.weak x 1; st.release.sys y 1 @1.0'
    # A line is taken for old that is not, and asked for again by who comes behind a flush or another access.
    behind='ld.weak x; flush; ld.weak x'
    costs 'GPM IV, Getu_Wide: to IX' 'ld.weak x; st.weak x 1; ld.weak x; ld.sys x @0.1'
    costs 'GPM IV, Atomic: to IX' 'ld.weak x; st.weak x 1; ld.weak x; add x 1 @0.1'
    costs 'GPM IV, Data_U: to IX' "ld.sys x; $behind @0.1"
    costs 'GPM IV, Atomic_Data: to IX' "add.sys x 1; $behind @0.1"
    costs 'GPU home I, Atomic: to IX' 'add x 1; ld.weak x @1.0'
    costs 'GPU home I, Remote_Atomic: to IX' 'add x 1; ld.weak x @1.1'
    costs 'GPU home IV, Getu_Wide: to IX' 'ld.weak x; st.weak x 1; ld x; ld.sys x @1.0'
    costs 'GPU home IV, Atomic: to IX' 'ld.weak x; add x 1; flush; ld.weak x @1.0'
    costs 'GPU home IV, Data_U: to IX' "ld.sys x; $behind @1.0"
    costs 'GPU home IV, Ack: to IX' "st.weak x 1; $behind @1.0"
    costs 'GPU home IV, Atomic_Data: to IX' "add.sys x 1; $behind @1.0"
    costs 'GPU home IV, Remote_Write: to IX' "st.weak x 1 @1.1 | $behind @1.0"
    costs 'GPU home IV, Remote_Atomic: to IX' "add x 1 @1.1 | $behind @1.0"
    costs 'GPU home IV, Atomic_Wide: to IX' 'ld.weak x; st.weak x 1; add x 1; add.sys x 1 @1.0'
    costs 'GPU home IV, Ack_Last: to IX' "st.weak x 1; fence.sys @1.0 | $behind @1.0.1"
    # A whole line is taken for part of one, and read from memory.
    costs 'home NP, Store [completes]: to P' 'st.weak x 1 @0.0 | ld.weak x @0.1'
    costs 'home V, Store: to P' 'ld.weak x; st.weak x 1 @0.0 | ld.weak x @0.1'
    costs 'home V, Remote_Store: to P' 'ld.weak x; st.weak x 1 @0.1 | ld.weak x @1.0'
    ;;
  *)
    echo "no mutants of $policy are known"
    exit 2
    ;;
esac
echo "$policy: $count mutants, $([ "$failed" -eq 0 ] && echo all die || echo some survive)"
exit $failed
