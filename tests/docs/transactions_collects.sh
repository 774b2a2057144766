#!/usr/bin/env bash
# The script behind docs/figures-transactions.md collects its data, here those of a few small runs: with locks and with transactions, of
# which each begun one commits; changes at the concurrency that was fastest; runs that are kept are not made again; and a policy that the
# build does not have is left out and named. transactions_collects.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
fail() { echo "$1"; cat "$2"; exit 1; }
export DATA=$data RUNS=$data/runs SIZE=small PROGRAMS=hash_table
collect() { "$root/docs/figures/transactions.sh" "$syncline" "$@" >"$data/said" 2>&1 || fail "status $?" "$data/said"; }
# rows FILE LINES CONDITION...: as many lines, and of each row the condition; columns are known by their names.
rows() {
  awk -F, -v lines="$2" "NR == 1 { for (i = 1; i <= NF; i++) column[\$i] = i; next }
    function of(name) { return \$column[name] }
    !($3) { print \"not so: \" \$0; bad = 1 }
    END { if (NR != lines) { print NR \" lines\"; bad = 1 }; exit bad }" "$data/$1.csv" || fail "$1.csv:" "$data/$1.csv"
}

CONCURRENCY="1 4" POLICIES="none_such getm" collect sweep sizes
grep -qx 'this build has no transactions.policy=none_such: left out' "$data/said" || fail "said:" "$data/said"
rows transactions 4 'of("cycles") > 0 && of("flits") > 0'
rows transactions 4 'of("policy") == "getm" || of("policy") == "locks" && of("begun") == 0 && of("flits_atomic_request") > 0'
rows transactions 4 'of("policy") == "locks" || of("begun") == 3000 && of("committed") == 3000 && of("executed_sum") > 0 && of("warpts") > 1'
rows transactions 4 'of("aborted") == of("aborted_war") + of("aborted_waw") + of("aborted_raw") + of("aborted_tie") + of("aborted_intra_warp")'
grep -qx 'transactions.getm.precise_entries,4096' "$data/transactions_sizes.csv" || fail "sizes:" "$data/transactions_sizes.csv"

# The slower run is made the fastest: the next part goes by what was collected.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR > 1 && $column["concurrency"] == 4 { $column["cycles"] = 1 } 1' \
  "$data/transactions.csv" >"$data/altered" && mv "$data/altered" "$data/transactions.csv"
POLICIES=getm collect structures
rows transactions_structures 6 'of("concurrency") == 4 && of("committed") == 3000'

# A kept run says now that it took 7 cycles; the other is gone, and made again.
alter() { python3 -c "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()" "$data/runs/$1.db" "$2"; }
alter transactions "UPDATE run SET cycles = 7 WHERE id IN (SELECT run FROM setting WHERE key = 'transactions.getm.concurrency' AND value = '1')"
alter transactions "UPDATE run SET state = 'waiting', cycles = NULL WHERE id IN (SELECT run FROM setting WHERE key = 'transactions.getm.concurrency' AND value = '4')"
CONCURRENCY="1 4" POLICIES=getm collect sweep
rows transactions 4 '(of("cycles") == 7) == (of("policy") == "getm" && of("concurrency") == 1)'
grep -q '; 1 of them now' "$data/said" || fail "said:" "$data/said"

# One that took too long is left out and named, after one that failed otherwise there are no rows.
alter transactions "UPDATE run SET state = 'failed', status = 152, reason = 'takes longer than 5 s' WHERE cycles = 7"
CONCURRENCY=1 POLICIES=getm collect sweep
rows transactions 2 'of("policy") == "locks"'
grep -q '^hash_table sweep.getm .*takes longer than 5 s, left out$' "$data/said" || fail "said:" "$data/said"
alter transactions "UPDATE run SET status = 1, reason = 'the result is wrong' WHERE cycles = 7"
CONCURRENCY=1 POLICIES=getm "$root/docs/figures/transactions.sh" "$syncline" sweep >"$data/said" 2>&1 && fail "a wrong result is a row" "$data/said"
grep -q '^hash_table sweep.getm .*the result is wrong$' "$data/said" || fail "said:" "$data/said"
