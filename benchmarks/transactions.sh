#!/usr/bin/env bash
# What transactional memory costs the host: [MEMORY=shared] [PROGRAMS="..."] [POLICIES="..."] [SIZES="..."] transactions.sh [SYNCLINE] [REPETITIONS]
#
# Processor time under each policy over that with fine-grained locks on the same input, or of those in shared memory over
# that of transactions one after the other: per simulated warp-instruction (promised: at most 2), per thread-instruction,
# for that of a warp has one lane here and many there, and of the whole run, which does not depend on how many instructions
# wait for locks. The least of several runs on one core, which is the one that others disturbed least. Nothing fails here.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
case ${MEMORY:-global} in
  global)
    programs=(hash_table hash_table_m hash_table_l atm cloth cloth_to barnes_hut cuda_cuts apriori) policies=(getm warptm)
    platform=gtx480 key=transactions.policy base_name=locks base=(--option sync=locks)
    ;;
  shared)
    programs=(local_{ht,it,gc,km}_{high,low}) policies=(prw_sig swo_sig dcd smdcd)
    platform=southern_islands key=transactions.local.policy base_name=serial base=(--option sync=tx --set transactions.local.policy=serial)
    ;;
  *)
    echo "error: transactions.sh: no memory '$MEMORY'; expected global or shared" >&2
    exit 2
    ;;
esac
[ -z "${PROGRAMS:-}" ] || programs=($PROGRAMS)
[ -z "${POLICIES:-}" ] || policies=($POLICIES)
sizes=(${SIZES:-medium})
. "$(dirname "$0")/host_cost.sh"
trap 'rm -f "$scratch" "$scratch.rows"' EXIT

cost() { # SIZE PROGRAM SETTING...; prints nanoseconds per warp-instruction, per thread-instruction, and of the run
  local size=$1 program=$2
  shift 2
  for _ in $(seq "$repetitions"); do
    local each
    each=$(host_cost $platform "$program" --size "$size" "$@")
    echo "$each $(field warp_instructions "$(cat "$scratch")") $(field thread_instructions "$(cat "$scratch")")"
  done | sort -n | awk 'NR == 1 { print $1, $1 * $2 / $3, $1 * $2 }'
}

for size in "${sizes[@]}"; do
  printf '| %-21s | %-10s | %10s | %10s | %8s | %9s | %9s |\n' "processor time" policy "$base_name, ns" "memory, ns" "warp i." "thread i." "whole run"
  printf '|-----------------------|------------|-----------:|-----------:|---------:|----------:|----------:|\n'
  for program in "${programs[@]}"; do
    locks=$(cost "$size" "$program" "${base[@]}")
    for policy in "${policies[@]}"; do
      memory=$(cost "$size" "$program" --option sync=tx --set "$key=$policy")
      awk -v l="$program ($size)" -v p="$policy" -v a="$locks" -v b="$memory" 'BEGIN {
        split(a, n); split(b, m)
        printf "| %-21s | %-10s | %10.0f | %10.0f | %8.2f | %9.2f | %9.2f |\n", l, p, n[1], m[1], m[1] / n[1], m[2] / n[2], m[3] / n[3] }'
    done
  done | tee "$scratch.rows"
  awk -F'|' '{ n[$3]++; each[$3] += log($6); thread[$3] += log($7); whole[$3] += log($8) }
    END { for (p in n) printf "| %-21s |%s| %10s | %10s | %8.2f | %9.2f | %9.2f |\n", "geometric mean", p, "", "",
      exp(each[p] / n[p]), exp(thread[p] / n[p]), exp(whole[p] / n[p]) }' \
    "$scratch.rows"
done
printf '| %-21s | %-10s | %10s | %10s | %8.2f | %9s | %9s |\n' "promised, at most" "" "" "" 2 "" ""
