#!/usr/bin/env python3
"""One CSV row for each run of determinism_gpudet.sh: determinism_gpudet_rows.py FOLDER [STATISTIC...].

The folder holds WORKLOAD.VARIANT.line (the last line of the run) and .json (its statistics). A STATISTIC is a further one of
gpu.quanta, or of its parts for the SMs, all together.
"""
import csv
import json
import pathlib
import sys

PHASES = ["distribution", "parallel", "drain", "clear", "commit", "invalidate", "serial"]
REASONS = ["instruction_count", "atomic", "fence", "barrier", "exit", "log_full"]
SUMS = ["filtered_loads", "searches", "false_positives", "committed_chunks"]
MORE = sys.argv[2:]
COLUMNS = (["workload", "variant", "cycles", "warp_instructions", "quanta", "quantum_instructions"] +
           [f"cycles_{p}" for p in PHASES] + [f"ends_{r}" for r in REASONS] + SUMS + MORE)


def row(line_file):
    workload, variant, _ = line_file.name.split(".")
    line = json.loads(line_file.read_text())
    if line["verified"] is not True:
        sys.exit(f"{line_file.name}: not verified")
    values = {}
    for statistic in json.loads(line_file.with_suffix(".json").read_text())["statistics"]:
        block, name = statistic["name"].rsplit(".", 1)
        if block == "gpu.quanta":
            values[name] = statistic.get("value", statistic.get("mean"))
        elif block.startswith("gpu.quanta.sm") and name in SUMS + MORE:
            values[name] = values.get(name, 0) + statistic["value"]
    values.update(workload=workload, variant=variant, cycles=line["cycles"], warp_instructions=line["warp_instructions"])
    if "quantum_instructions" in values:
        values["quantum_instructions"] = round(values["quantum_instructions"], 2)
    return [values.get(column, 0) for column in COLUMNS]


writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(COLUMNS)
writer.writerows(row(line_file) for line_file in sorted(pathlib.Path(sys.argv[1]).glob("*.line")))
