#!/usr/bin/env python3
"""One CSV row for each run of transactions.sh: transactions_rows.py FOLDER.

The folder holds WORKLOAD.POLICY.CONCURRENCY.VARIANT.line (the last line of the run) and .json (its statistics). Counts are sums over
the SMs or the partitions. Causes of aborts and classes of messages are columns as far as a run of the folder has any.
"""
import csv
import json
import pathlib
import re
import sys

UNITS = r"gpu\.(sm\d+_(?!l1\b)\w+|part\d+_(validation_unit|commit_unit))"
SUMS = ["begun", "committed", "attempts", "requests", "log_messages", "queued", "refused", "evicted", "overflowed", "silent",
        "paused", "hazards"]
DISTRIBUTIONS = ["executed", "waited", "commit_latency", "access_cycles", "stalled_addresses", "stalled_requests", "stashed", "in_ring"]
KEYS = ["workload", "policy", "concurrency", "variant", "cycles", "warp_instructions"]


def row(line_file):
    workload, policy, concurrency, variant, _ = line_file.name.split(".")
    line = json.loads(line_file.read_text())
    if line["verified"] is not True:
        sys.exit(f"{line_file.name}: not verified")
    values = {"workload": workload, "policy": policy, "concurrency": concurrency, "variant": variant, "cycles": line["cycles"],
              "warp_instructions": line["warp_instructions"]}

    def add(name, value):
        values[name] = values.get(name, 0) + value
    for statistic in json.loads(line_file.with_suffix(".json").read_text())["statistics"]:
        block, name = statistic["name"].rsplit(".", 1)
        if block in ("gpu.up", "gpu.down") and name.startswith("flits_"):
            if statistic["value"] != 0:
                add(name, statistic["value"])
                add("flits", statistic["value"])
        elif not re.fullmatch(UNITS, block):
            continue
        elif name in SUMS:
            add(name, statistic["value"])
        elif name.startswith("aborted_"):
            add("aborted", statistic["value"])
            if statistic["value"] != 0:
                add(name, statistic["value"])
        elif name == "warpts":
            values[name] = max(values.get(name, 0), int(statistic["value"]))
        elif name in DISTRIBUTIONS and statistic["count"] != 0:
            add(f"{name}_count", statistic["count"])
            add(f"{name}_sum", statistic["sum"])
            add(f"{name}_max_of_all", statistic["max"])  # the partitions' most, each at its own time, together
            values[f"{name}_max"] = max(values.get(f"{name}_max", 0), statistic["max"])
    return values


def order(file):
    workload, policy, concurrency, variant, _ = file.name.split(".")
    return workload, policy, variant, int(concurrency) or 1000


rows = [row(file) for file in sorted(pathlib.Path(sys.argv[1]).glob("*.line"), key=order)]
fixed = SUMS + ["aborted", "warpts", "flits"] + [f"{d}_{part}" for d in DISTRIBUTIONS for part in ("count", "sum", "max")] + ["stalled_addresses_max_of_all"]
found = sorted({name for values in rows for name in values if name.startswith(("aborted_", "flits_"))})
writer = csv.DictWriter(sys.stdout, KEYS + fixed + found, restval=0, extrasaction="ignore", lineterminator="\n")
writer.writeheader()
writer.writerows(rows)
