#!/usr/bin/env python3
"""One CSV row for each run of a sweep of local_transactions.sh: local_transactions_rows.py DATABASE.

A variant is a case of the sweep. Counts and cycles are sums over the SMs.
"""
import csv
import sqlite3
import sys

COUNTS = ["begun", "attempts", "conflicts", "given_up", "second_looks", "backups", "restored", "waits", "runs", "at_end", "overhead", "resident",
          "committed_transactional", "committed_wavefront_serial", "committed_group_serial", "ended_transactional", "ended_wavefront_serial",
          "ended_group_serial"]
KEYS = ["workload", "variant", "cycles", "warp_instructions"]

database = sqlite3.connect(sys.argv[1])
rows = []
for run, workload, *values in database.execute("""SELECT id, substr(workload, length('local_') + 1), "case", cycles, warp_instructions FROM run"""):
    row = dict(zip(KEYS, [workload, *values]))
    for name, value in database.execute("SELECT name, value FROM statistic WHERE run = ?", (run,)):
        count = name.rsplit(".", 1)[1]
        if count in COUNTS:
            row[count] = row.get(count, 0) + int(value)
    rows.append(row)
writer = csv.DictWriter(sys.stdout, KEYS + COUNTS, restval=0, lineterminator="\n")
writer.writeheader()
writer.writerows(sorted(rows, key=lambda row: f"{row['workload']}.{row['variant']}."))
