#!/usr/bin/env python3
"""One CSV row for each run of a sweep of multi_gpu.sh: multi_gpu_rows.py DATABASE.

A variant is a case of the sweep. Counts are sums over the L2 slices or over the links' directions towards their switch, where each
message between GPUs is counted once. `home_writes` are stores and atomics at the home of their line, `lines_invalidated` invalidations
that found a copy, or one that was on its way.
"""
import re
import sys

import sweep_rows

L2 = ["loads", "stores", "atomics", "sent_INV", "sent_INV_bytes", "directory_evictions", "evictions"]
KEYS = ["workload", "policy", "variant", "cycles", "warp_instructions"]
OF_LINKS = ["link_bytes", "link_loads", "link_invalidate_bytes", "link_marker_bytes"]
MARKERS = ["bytes_control", "bytes_invalidate_ack"]  # questions of releases, markers and their answers


def column(block, name):
    """To which a statistic adds; None: to none."""
    if re.fullmatch(r"gpu\.part\d+_l2", block):
        if name in L2:
            return name
        if re.fullmatch(r"row_\w+_I?V_Inv", name):
            return "lines_invalidated"
        if re.fullmatch(r"row_home_[A-Z]+_(Remote_)?(Store|Atomic)(_[a-z_]+)?", name):
            return "home_writes"
    if re.fullmatch(r"gpu\.nvlink\d+_out", block):
        if re.fullmatch(r"bytes_to_gpu\d+", name):
            return "link_bytes"
        if name in MARKERS:
            return "link_marker_bytes"
        return {"messages_load_request": "link_loads", "bytes_invalidate": "link_invalidate_bytes"}.get(name)
    return None


def row(run):
    values = {**run, "policy": run["settings"]["coherence.policy"], "variant": run["case"]}
    for statistic, value in run["statistics"].items():
        name = column(*statistic.rsplit(".", 1))
        if name is not None:
            values[name] = values.get(name, 0) + value
    return values


rows = [row(run) for run in sweep_rows.runs(sys.argv[1])]
rows.sort(key=lambda row: f"{row['workload']}.{row['policy']}.{row['variant']}.")
sweep_rows.write(KEYS + L2 + ["home_writes", "lines_invalidated"] + OF_LINKS, rows)
