#!/usr/bin/env bash
# The data of docs/figures-local-transactions.md: local_transactions.sh [SYNCLINE [PART...]], then local_transactions.py draws from them.
# Parts: runs (the paper's figures, and the same programs otherwise), causes (one change at a time), the sweeps beside this script. SIZE
# and SEED in the environment choose other inputs, DATA another folder, PROGRAMS fewer programs, JOBS how many runs go on at once.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
data=${DATA:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

collect() { # NAME: of a sweep and of its data
  local otherwise=()
  [ -z "${SIZE:-}" ] || otherwise+=(-e "s/^sizes: .*/sizes: $SIZE/")
  [ -z "${SEED:-}" ] || otherwise+=(-e "s/^sizes:/input_seeds: $SEED\n&/")
  [ -z "${PROGRAMS:-}" ] || otherwise+=(-e "s/^workloads: .*/workloads: [$(printf 'local_%s, ' $PROGRAMS | sed 's/, $//')]/")
  sed "${otherwise[@]}" -e '' "$here/$1.yaml" >"$scratch/$1.yaml"
  "$syncline" sweep "$scratch/$1.yaml" --jobs "${JOBS:-$(nproc)}" --no-progress
  "$here/local_transactions_rows.py" "$scratch/$1.db" >"$scratch/$1.csv"
  mv "$scratch/$1.csv" "$data/$1.csv"
}

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }
if wanted runs; then collect local_transactions; fi
if wanted causes; then collect local_transactions_causes; fi
