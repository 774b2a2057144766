#!/usr/bin/env bash
# The data of docs/figures-transactions.md: transactions.sh [SYNCLINE [PART...]], then transactions.py draws from them.
# Parts: sizes sweep structures larger causes; the last three take each program and policy where `sweep` found it fastest.
# PROGRAMS, POLICIES and CONCURRENCY in the environment choose less, DATA another folder, SIZE other inputs, SEED another seed, and
# JOBS how many runs go on at once. A run that takes longer than LIMIT seconds of processor time, if that is set, is left out and named.
# RUNS is a folder that keeps the sweeps and their databases: what these have is not run again.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"hash_table hash_table_m hash_table_l atm cloth cloth_to barnes_hut cuda_cuts apriori"}
policies=${POLICIES:-"kilotm warptm eapg warptm_el getm"}
data=${DATA:-$here}
size=${SIZE:-paper}
seed=${SEED:-1}
. "$here/sweeps.sh"

# The machine of table 4.2 of Ren's thesis, where it differs from gtx480: a load that hits in the L2 takes 330 core cycles.
table_4_2="clocks.interconnect=1400MHz sm.scheduler.policy=gto l2.latency=144cycles"

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

keys=$("$syncline" list keys)
built=
for policy in $policies; do
  if grep -q "^transactions\.$policy\.concurrency " <<<"$keys"; then
    built="$built $policy"
  else
    echo "this build has no transactions.policy=$policy: left out"
  fi
done

case_of() { # NAME PLATFORM PROGRAMS POLICY CONCURRENCIES [SETTING...]; policy `locks` has no concurrency
  # shellcheck disable=SC2206
  local chosen="options: {sync: locks}" settings=(perturbation.chance=injection ${*:6})
  if [ "$4" != locks ]; then
    chosen="options: {sync: tx}, vary: {transactions.$4.concurrency: $(list $5)}"
    settings+=("transactions.policy=$4")
  fi
  echo "  $1: {platforms: $2, workloads: $(list $3), $chosen, set: $(pairs "${settings[@]}")}"
}
collect() { # NAME: runs the cases that come in, and writes the rows
  cases_to "$1" "sizes: $size" "seeds: $seed" \
    'keep: ["gpu.*.flits_*", "gpu.sm*_*.*", "gpu.part*_validation_unit.*", "gpu.part*_commit_unit.*"]'
  rows "$1" "$here/transactions_rows.py" "$data/$1.csv"
}
best() { # WORKLOAD POLICY: the concurrency with the fewest cycles
  awk -F, -v workload="$1" -v policy="$2" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["workload"] == workload && $column["policy"] == policy && (least == "" || $column["cycles"] + 0 < least) {
      least = $column["cycles"] + 0; at = $column["concurrency"] }
    END { print at }' "$data/transactions.csv"
}
at_best() { # PLATFORM POLICIES VARIANT [SETTING...]: each program where `sweep` found it fastest
  local policy workload concurrency alike
  for policy in $2; do
    for workload in $programs; do echo "$(best "$workload" "$policy") $workload"; done |
      awk 'NF == 2 { alike[$1] = alike[$1] " " $2 } END { for (concurrency in alike) print concurrency alike[concurrency] }' | sort -n |
      while read -r concurrency alike; do
        case_of "$3.$policy.$concurrency" "$1" "$alike" "$policy" "$concurrency" "${@:4}"
      done
  done
}
only() { # POLICY: the policy if this build has it
  [[ " $built " != *" $1 "* ]] || echo "$1"
}

if wanted sizes; then
  awk '/^(transactions\.|sms |sm\.max_warps |memory\.partitions )/ { print $1 "," $2 }' <<<"$keys" >"$data/transactions_sizes.csv"
fi
if wanted sweep; then
  for policy in locks $built; do
    case_of "sweep.$policy" gtx480 "$programs" "$policy" "${CONCURRENCY:-1 2 4 8 16 0}" "$table_4_2"
  done | collect transactions
fi
getm=$(only getm)
if wanted structures; then
  {
    for entries in 2048 8192; do at_best gtx480 "$getm" "precise_$entries" "$table_4_2 transactions.getm.precise_entries=$entries"; done
    for bytes in 16 64 128; do at_best gtx480 "$getm" "granularity_$bytes" "$table_4_2 transactions.getm.granularity=$bytes"; done
  } | collect transactions_structures
fi
if wanted larger; then  # section 4.7.4: GETM's precise tables and WarpTM's filters are doubled; the L2 is that of table 4.2
  {
    at_best fermi56 locks fermi56 l2.latency=144cycles
    for policy in $built; do
      doubled=history_filter_entries=512
      [ "$policy" != getm ] || doubled=precise_entries=8192
      at_best fermi56 "$policy" fermi56 l2.latency=144cycles "transactions.$policy.$doubled"
    done
  } | collect transactions_fermi56
fi
if wanted causes; then  # one change each, of what may keep a claim out of its band
  {
    at_best gtx480 "$getm" exact "$table_4_2 transactions.getm.precise_entries=1048576"
    at_best gtx480 "$getm" filter_6k "$table_4_2 transactions.getm.approximate_entries=6144"
    at_best gtx480 "$getm" released "$table_4_2 transactions.getm.precise_entries=8192 transactions.getm.stash_entries=48" \
      "transactions.getm.stall_addresses=16 transactions.getm.lookup=2"
    at_best gtx480 "$getm" thesis_tie "$table_4_2 transactions.getm.tie_rule=thesis"
    at_best gtx480 "$getm" tags "$table_4_2 transactions.getm.attempt_tags=4"
    at_best gtx480 "$getm" begins_at_warp "$table_4_2 transactions.getm.begins_at=warp"
    at_best gtx480 "$getm" no_backoff "$table_4_2 transactions.getm.backoff=1cycles"
    at_best gtx480 "locks $getm" as_gtx480
    eapg=$(only eapg)
    at_best gtx480 "$eapg" no_pauses "$table_4_2 transactions.eapg.pause_and_go=false"
    at_best gtx480 "$eapg" no_early_aborts "$table_4_2 transactions.eapg.early_abort=false"
  } | collect transactions_causes
fi
exit 0
