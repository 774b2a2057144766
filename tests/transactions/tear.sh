#!/usr/bin/env bash
# Silent commits on a timed GPU: by times of last writes alone readers see half a transaction, which is found while the
# program runs, and shows in what they read; with the rule that knows of writes to come they do not: tear.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
. "$2/tests/support/expect.sh"
program=$2/tests/transactions/programs/tear.ptx
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

torn() { # TCD_RULE STATUS TEXT OPTIONS...
  expect "$2" "$3" run gtx480 "$program" --kernel tear --grid 8 --arg words=buf:u8:8192:zero --arg torn=buf:u32:1:zero --arg u32:100 --no-progress \
    --set transactions.policy=warptm --set "transactions.warptm.tcd_rule=$1" --set perturbation.network_jitter=200 --seed 3 "${@:4}"
}
torn thesis 4 'not serializable: T1 reads 0x10000000, T2 overwrites it; T2 writes 0x10001000, T1 reads it' --set observe.transactions=check
torn pending 0 '800 committed' --set observe.transactions=check
for rule in thesis pending; do
  torn "$rule" 0 '"workload":"tear"' --dump "torn=$scratch/$rule"
done
cmp -s "$scratch/pending" <(printf '\0\0\0\0') || { echo "pending: readers saw half a transaction"; failed=1; }
cmp -s "$scratch/thesis" <(printf '\0\0\0\0') && { echo "thesis: no reader saw half a transaction"; failed=1; }

[ "$failed" -eq 0 ] && echo "half a transaction is seen where a rule lets it happen"
exit "$failed"
