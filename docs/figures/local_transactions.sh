#!/usr/bin/env bash
# The data of docs/figures-local-transactions.md: local_transactions.sh [SYNCLINE [PART...]], then local_transactions.py draws from them.
# Parts: runs (the paper's figures, and the same programs otherwise), causes (one change at a time). SIZE and SEED in the
# environment choose other inputs, DATA another folder, PROGRAMS fewer programs, JOBS how many runs go on at once.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"ht_high ht_low it_high it_low gc_high gc_low km_high km_low"}
data=${DATA:-$here}
size=${SIZE:-medium}
seed=${SEED:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export syncline size seed

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }

one() { # PROGRAM VARIANT OPTION...: a run on the machine of table 3
  local run=$folder/$1.$2
  "$syncline" run southern_islands "local_$1" --size "$size" --input-seed "$seed" --no-progress "${@:3}" --stats "$run.json" >"$run.out" ||
    { echo "local_$1 $2: status $?" >&2; return 255; }
  tail -1 "$run.out" >"$run.line"
}
export -f one

collect() { # NAME: runs lines of arguments of `one`, and writes the rows
  export folder=$scratch/$1
  mkdir -p "$folder"
  xargs -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}'
  "$here/local_transactions_rows.py" "$folder" >"$scratch/$1.csv"
  mv "$scratch/$1.csv" "$data/$1.csv"
}

local_tm() { echo "--option sync=tx --set transactions.local.policy=$1 --set transactions.local.selection=$2"; }

if wanted runs; then
  for program in $programs; do
    for selection in ascending_single descending_single ascending_multiple descending_multiple; do
      echo "$program prw_sig-$selection $(local_tm prw_sig $selection)"
    done
    for detection in swo_sig dcd smdcd serial; do
      echo "$program $detection-ascending_single $(local_tm $detection ascending_single)"
    done
    echo "$program sections --option sync=serial"
    echo "$program locks --option sync=locks --set sm.reconvergence=its"
    echo "$program getm --option sync=tx --option memory=global --set transactions.policy=getm"
  done | collect local_transactions
fi

if wanted causes; then
  for program in $programs; do
    echo "$program dcd_wide_bank $(local_tm dcd ascending_single) --set transactions.local.latency.lookup=0cycles --set transactions.local.latency.backup=0cycles"
    echo "$program prw_sig_32_bits $(local_tm prw_sig ascending_single) --set transactions.local.signature_bits=32"
    echo "$program swo_sig_helper_of_banks $(local_tm swo_sig ascending_single) --set transactions.local.helper_per=bank"
    for selection in ascending_single ascending_multiple; do
      echo "$program one_bank_$selection $(local_tm prw_sig $selection) --set sm.shared.banks=1"
    done
    for detection in prw_sig dcd smdcd; do
      echo "$program ${detection}_restart_200 $(local_tm $detection ascending_single) --set transactions.local.latency.restart=200cycles"
    done
    echo "$program smdcd_ascending_multiple $(local_tm smdcd ascending_multiple)"
    echo "$program prw_sig_no_phases $(local_tm prw_sig ascending_single) --set transactions.local.latency.signature=0cycles --set transactions.local.latency.ownership=0cycles --set transactions.local.latency.broadcast=0cycles"
  done | collect local_transactions_causes
fi
