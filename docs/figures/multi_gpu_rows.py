#!/usr/bin/env python3
"""One CSV row for each run of multi_gpu.sh: multi_gpu_rows.py FOLDER.

The folder holds WORKLOAD.POLICY.VARIANT.line (the last line of the run) and .json (its statistics). Counts are sums over the L2 slices
or over the links' directions towards their switch, where each message between GPUs is counted once. `home_writes` are stores and
atomics at the home of their line, `lines_invalidated` invalidations that found a copy, or one that was on its way.
"""
import csv
import json
import pathlib
import re
import sys

L2 = ["loads", "stores", "atomics", "sent_INV", "sent_INV_bytes", "directory_evictions", "evictions"]
KEYS = ["workload", "policy", "variant", "cycles", "warp_instructions"]
OF_LINKS = ["link_bytes", "link_loads", "link_invalidate_bytes", "link_marker_bytes"]
MARKERS = ["bytes_control", "bytes_invalidate_ack"]  # questions of releases, markers and their answers


def row(line_file):
    workload, policy, variant, _ = line_file.name.split(".")
    line = json.loads(line_file.read_text())
    if line["verified"] is not True:
        sys.exit(f"{line_file.name}: not verified")
    values = {"workload": workload, "policy": policy, "variant": variant, "cycles": line["cycles"], "warp_instructions": line["warp_instructions"]}

    def add(name, value):
        values[name] = values.get(name, 0) + value
    for statistic in json.loads(line_file.with_suffix(".json").read_text())["statistics"]:
        block, name = statistic["name"].rsplit(".", 1)
        if re.fullmatch(r"gpu\.part\d+_l2", block):
            if name in L2:
                add(name, statistic["value"])
            elif re.fullmatch(r"row_\w+_I?V_Inv", name):
                add("lines_invalidated", statistic["value"])
            elif re.fullmatch(r"row_home_[A-Z]+_(Remote_)?(Store|Atomic)(_[a-z_]+)?", name):
                add("home_writes", statistic["value"])
        elif re.fullmatch(r"gpu\.nvlink\d+_out", block):
            if re.fullmatch(r"bytes_to_gpu\d+", name):
                add("link_bytes", statistic["value"])
            elif name == "messages_load_request":
                add("link_loads", statistic["value"])
            elif name == "bytes_invalidate":
                add("link_invalidate_bytes", statistic["value"])
            elif name in MARKERS:
                add("link_marker_bytes", statistic["value"])
    return values


rows = [row(file) for file in sorted(pathlib.Path(sys.argv[1]).glob("*.line"))]
writer = csv.DictWriter(sys.stdout, KEYS + L2 + ["home_writes", "lines_invalidated"] + OF_LINKS, restval=0, lineterminator="\n")
writer.writeheader()
writer.writerows(rows)
