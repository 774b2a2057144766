#!/usr/bin/env python3
"""One CSV row for each run of a sweep of local_transactions.sh: local_transactions_rows.py DATABASE.

A variant is a case of the sweep. Counts and cycles are sums over the SMs.
"""
import sys

import sweep_rows

COUNTS = ["begun", "attempts", "conflicts", "given_up", "second_looks", "backups", "restored", "waits", "runs", "at_end", "overhead", "resident",
          "committed_transactional", "committed_wavefront_serial", "committed_group_serial", "ended_transactional", "ended_wavefront_serial",
          "ended_group_serial"]
KEYS = ["workload", "variant", "cycles", "warp_instructions"]


def row(run):
    values = {**run, "workload": run["workload"].replace("local_", "", 1), "variant": run["case"]}
    for statistic, value in run["statistics"].items():
        count = statistic.rsplit(".", 1)[1]
        if count in COUNTS:
            values[count] = values.get(count, 0) + value
    return values


rows = [row(run) for run in sweep_rows.runs(sys.argv[1])]
rows.sort(key=lambda row: f"{row['workload']}.{row['variant']}.")
sweep_rows.write(KEYS + COUNTS, rows)
