#!/usr/bin/env python3
"""One CSV row for each run of local_transactions.sh: local_transactions_rows.py FOLDER.

The folder holds PROGRAM.VARIANT.line (the last line of the run) and .json (its statistics). Counts and cycles are sums over the SMs.
"""
import csv
import json
import pathlib
import re
import sys

COUNTS = ["begun", "attempts", "conflicts", "given_up", "second_looks", "backups", "restored", "waits", "runs", "at_end", "overhead", "resident",
          "committed_transactional", "committed_wavefront_serial", "committed_group_serial", "ended_transactional", "ended_wavefront_serial",
          "ended_group_serial"]
KEYS = ["workload", "variant", "cycles", "warp_instructions"]


def row(line_file):
    workload, variant, _ = line_file.name.split(".")
    line = json.loads(line_file.read_text())
    if line["verified"] is not True:
        sys.exit(f"{line_file.name}: not verified")
    values = {"workload": workload, "variant": variant, "cycles": line["cycles"], "warp_instructions": line["warp_instructions"]}
    for statistic in json.loads(line_file.with_suffix(".json").read_text())["statistics"]:
        block, name = statistic["name"].rsplit(".", 1)
        if re.fullmatch(r"gpu\.sm\d+_local_tm", block) and name in COUNTS:
            values[name] = values.get(name, 0) + statistic["value"]
    return values


rows = [row(file) for file in sorted(pathlib.Path(sys.argv[1]).glob("*.line"))]
writer = csv.DictWriter(sys.stdout, KEYS + COUNTS, restval=0, lineterminator="\n")
writer.writeheader()
writer.writerows(rows)
