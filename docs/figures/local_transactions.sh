#!/usr/bin/env bash
# The data of docs/figures-local-transactions.md: local_transactions.sh [SYNCLINE [PART...]], then local_transactions.py draws from them.
# Parts: runs (the paper's figures, and the same programs otherwise), causes (one change at a time), the sweeps beside this script. SIZE
# and SEED in the environment choose other inputs, DATA another folder, PROGRAMS fewer programs, JOBS how many runs go on at once; a run that takes
# longer than LIMIT seconds of processor time, if that is set, is left out and named. RUNS is a folder that keeps the sweeps and their databases.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
data=${DATA:-$here}
. "$here/sweeps.sh"

collect() { # NAME: of a sweep and of its data
  local otherwise=()
  [ -z "${SIZE:-}" ] || otherwise+=(-e "s/^sizes: .*/sizes: $SIZE/")
  [ -z "${SEED:-}" ] || otherwise+=(-e "s/^sizes:/input_seeds: $SEED\n&/")
  [ -z "${PROGRAMS:-}" ] || otherwise+=(-e "s/^workloads: .*/workloads: [$(printf 'local_%s, ' $PROGRAMS | sed 's/, $//')]/")
  sed "${otherwise[@]}" -e '' "$here/$1.yaml" >"$runs/$1.yaml"
  rows "$1" "$here/local_transactions_rows.py" "$data/$1.csv"
}

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }
if wanted runs; then collect local_transactions; fi
if wanted causes; then collect local_transactions_causes; fi
