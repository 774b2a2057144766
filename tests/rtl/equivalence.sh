#!/usr/bin/env bash
# Programs run with a block in C++ and in RTL: both verify, the memory that they leave is the same where it does not hang
# on time, and the RTL takes at most so many percent more or fewer SM cycles. equivalence.sh SYNCLINE
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# run NAME PLATFORM WORKLOAD SETTING...: prints cycles and memory of a run that verifies.
run() {
  local name=$1 settings=()
  for setting in "${@:4}"; do settings+=(--set "$setting"); done
  "$syncline" run "$2" "$3" --no-progress --stats "$scratch/$name.json" "${settings[@]}" >"$scratch/$name.text" 2>"$scratch/$name.error" || {
    echo "$name does not verify: ${*:2}" >&2
    cat "$scratch/$name.error" >&2
    return 1
  }
  grep '^{' "$scratch/$name.text" | jq -r '"\(.cycles) \(.memory_signature)"'
}

# alike PERCENT MEMORY KEY PLATFORM WORKLOAD SETTING...: KEY is that of the block's model. MEMORY is `same`, or `any` for a
# program of which several results are right.
alike() {
  local percent=$1 memory=$2 key=$3 tlm rtl
  tlm=$(run tlm "${@:4}" "$key=tlm") && rtl=$(run rtl "${@:4}" "$key=rtl") || { failed=1; return; }
  # The RTL has stood there, and has worked.
  jq -e '[.statistics[] | select(.name | endswith(".clocked")) | .value] | add > 0' "$scratch/rtl.json" >/dev/null ||
    { echo "no module has had a clock: ${*:3}"; failed=1; }
  [ "$memory" = any ] || [ "${tlm#* }" = "${rtl#* }" ] || { echo "memory differs: ${*:3}"; failed=1; }
  awk -v tlm="${tlm% *}" -v rtl="${rtl% *}" -v percent="$percent" -v what="${*:3}" 'BEGIN {
    more = 100 * (rtl - tlm) / tlm
    printf "%s: %d and %d cycles, %+.2f %%\n", what, tlm, rtl, more
    exit more > percent || more < -percent }' || { echo "more than $percent %"; failed=1; }
}

for workload in histogram bfs; do
  alike 2 same l2.atomic_unit.model tiny "$workload" l2.atomic_unit.forwarding=false
done
for workload in hash_table cloth; do
  alike 2 any l2.atomic_unit.model tiny "$workload" l2.atomic_unit.forwarding=false
done
for workload in hash_table bfs lps; do
  alike 5 same z_unit.model tiny "$workload" determinism.policy=gpudet
done
for workload in hash_table atm cloth; do
  alike 15 any transactions.getm.stall_buffer.model tiny "$workload" transactions.policy=getm
done
exit "$failed"
