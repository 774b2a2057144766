#!/usr/bin/env python3
"""One CSV row for each run of a sweep of transactions.sh: transactions_rows.py DATABASE.

Cases of the sweep are called VARIANT.POLICY, or VARIANT.POLICY.CONCURRENCY. Counts are sums over the SMs or the partitions. Causes of
aborts and classes of messages are columns as far as a run has any.
"""
import re
import sys

import sweep_rows

UNITS = r"gpu\.(sm\d+_(?!l1\b)\w+|part\d+_(validation_unit|commit_unit))"
SUMS = ["begun", "committed", "attempts", "requests", "log_messages", "queued", "refused", "evicted", "overflowed", "silent",
        "paused", "hazards"]
DISTRIBUTIONS = ["executed", "waited", "commit_latency", "access_cycles", "stalled_addresses", "stalled_requests", "stashed", "in_ring"]
KEYS = ["workload", "policy", "concurrency", "variant", "cycles", "warp_instructions"]


def row(run):
    variant, policy = run["case"].split(".")[:2]
    values = {**run, "variant": variant, "policy": policy, "concurrency": run["settings"].get(f"transactions.{policy}.concurrency", "0")}

    def add(name, value):
        values[name] = values.get(name, 0) + value
    for statistic, value in run["statistics"].items():
        block, name = statistic.rsplit(".", 1)
        if block in ("gpu.up", "gpu.down") and name.startswith("flits_"):
            if value != 0:
                add(name, value)
                add("flits", value)
        elif not re.fullmatch(UNITS, block):
            continue
        elif name in SUMS:
            add(name, value)
        elif name.startswith("aborted_"):
            add("aborted", value)
            if value != 0:
                add(name, value)
        elif name == "warpts":
            values[name] = max(values.get(name, 0), value)
        elif name in DISTRIBUTIONS and run["statistics"][f"{statistic}.count"] != 0:
            most = run["statistics"][f"{statistic}.max"]
            add(f"{name}_count", run["statistics"][f"{statistic}.count"])
            add(f"{name}_sum", value)
            add(f"{name}_max_of_all", most)  # the partitions' most, each at its own time, together
            values[f"{name}_max"] = max(values.get(f"{name}_max", 0), most)
    return values


rows = [row(run) for run in sweep_rows.runs(sys.argv[1])]
rows.sort(key=lambda row: (row["workload"], row["policy"], row["variant"], int(row["concurrency"]) or 1000))
fixed = SUMS + ["aborted", "warpts", "flits"] + [f"{d}_{part}" for d in DISTRIBUTIONS for part in ("count", "sum", "max")] + ["stalled_addresses_max_of_all"]
found = sorted({name for values in rows for name in values if name.startswith(("aborted_", "flits_"))})
sweep_rows.write(KEYS + fixed + found, rows)
