#!/usr/bin/env bash
# The script behind docs/figures-local-transactions.md collects its data, here those of two programs: each run has committed what
# the others have, only those with transactions of shared memory have their counts, and what was asked for alone is made alone.
# local_transactions_collects.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
export DATA=$data SIZE=small PROGRAMS="it_low km_low"
"$root/docs/figures/local_transactions.sh" "$syncline" runs >"$data/said" 2>&1 || { cat "$data/said"; exit 1; }
[ ! -e "$data/local_transactions_causes.csv" ] || { echo "more than was asked for"; exit 1; }
"$root/docs/figures/local_transactions.sh" "$syncline" causes >"$data/said" 2>&1 || { cat "$data/said"; exit 1; }
python3 - "$data" <<'PYTHON'
import csv, sys
runs, causes = ([row for row in csv.DictReader(open(f"{sys.argv[1]}/local_transactions{part}.csv"))] for part in ("", "_causes"))
assert len(runs) == 2 * 11 and len({(r["workload"], r["variant"]) for r in runs}) == 22, len(runs)
assert len(causes) == 2 * 10, len(causes)
for row in runs + causes:
    number = {key: int(value) for key, value in row.items() if key not in ("workload", "variant")}
    assert number["cycles"] > 0, row
    of_shared = row["variant"] not in ("sections", "locks", "getm")
    committed = number["committed_transactional"] + number["committed_wavefront_serial"] + number["committed_group_serial"]
    assert committed == number["begun"] and (committed > 0) == of_shared, row
    serial = row["variant"].startswith("serial")
    assert (number["conflicts"] > 0) == (of_shared and not serial), row
    assert not of_shared or number["resident"] >= number["waits"] + number["runs"] + number["at_end"], row
PYTHON
