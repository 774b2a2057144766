#!/usr/bin/env python3
"""One CSV row for each run of a sweep of determinism_gpudet.sh: determinism_gpudet_rows.py DATABASE [STATISTIC...].

A variant is a case of the sweep. A STATISTIC is a further one of gpu.quanta, or of its parts for the SMs, all together.
"""
import sys

import sweep_rows

PHASES = ["distribution", "parallel", "drain", "clear", "commit", "invalidate", "serial"]
REASONS = ["instruction_count", "atomic", "fence", "barrier", "exit", "log_full"]
SUMS = ["filtered_loads", "searches", "false_positives", "committed_chunks"]
MORE = sys.argv[2:]
COLUMNS = (["workload", "variant", "cycles", "warp_instructions", "quanta", "quantum_instructions"] +
           [f"cycles_{p}" for p in PHASES] + [f"ends_{r}" for r in REASONS] + SUMS + MORE)


def row(run):
    values = {}
    for statistic, value in run["statistics"].items():
        block, name = statistic.rsplit(".", 1)
        if block == "gpu.quanta":
            values[name] = value
        elif block.startswith("gpu.quanta.sm") and name in SUMS + MORE:
            values[name] = values.get(name, 0) + value
    quanta = run["statistics"].get("gpu.quanta.quantum_instructions.count", 0)
    if quanta != 0:
        values["quantum_instructions"] = round(values["quantum_instructions"] / quanta, 2)
    return {**values, "workload": run["workload"], "variant": run["case"], "cycles": run["cycles"], "warp_instructions": run["warp_instructions"]}


rows = [row(run) for run in sweep_rows.runs(sys.argv[1])]
rows.sort(key=lambda row: f"{row['workload']}.{row['variant']}.")
sweep_rows.write(COLUMNS, rows)
