#!/usr/bin/python3 -s
"""Figure and table of docs/determinism.md, "Without determinism", from the data that determinism_none.sh collects: determinism_none.py [--check].

Writes the SVG file beside it and the part of the page between its markers; with --check says what is not current (status 1).
"""
import csv
import sys

import plot
from pages import HERE, renew

PAGE = HERE.parent / "determinism.md"
WORKLOADS = ["racey", "racey_atomic", "racey_cta", "racey_warp"]
CHANCES = ["chance=none", "random_arbitration=true", "network_jitter=1", "dram_jitter=4", "refresh_phase=true",
           "clock_phase=true", "arbiter_state=true", "slot_history=true", "chance=all"]

FORMS = ["quantum_formation=bta_dwp", "quantum_formation=bta", "quantum_formation=base", "commit=lock", "serial=w_ser", "overlap=next_quantum"]


def read(name):
    with open(HERE / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def racey_table():
    rows = {(r["workload"], r["source"]): r for r in read("determinism_none_racey")}
    seeds = {r["seeds"] for r in rows.values()}
    lines = [f"| signatures with {'/'.join(sorted(seeds))} seeds | " + " | ".join(f"`{w}`" for w in WORKLOADS) + " |",
             "|---|" + "---:|" * len(WORKLOADS)]

    def add(what, source):
        lines.append(f"| {what} | " + " | ".join(rows[w, source]["signatures"] for w in WORKLOADS) + " |")
    for chance in CHANCES:
        add(f"`perturbation.{chance}`", f"perturbation.{chance}")
    for form in FORMS:
        add(f"`chance=all`, `gpudet`, `{form}`", f"perturbation.chance=all+determinism.policy=gpudet+determinism.gpudet.{form}")
    return "\n".join(lines) + "\n"


def bfs_figure():
    """Outputs over edges: the mean of the graphs as a line, each graph as a dot, and with GPUDet."""
    rows = read("determinism_none_bfs")
    outputs = {}
    for row in rows:
        outputs.setdefault(int(row["edges"]), []).append(int(row["outputs"]))
    edges = sorted(outputs)
    dots = [(e, n) for e in edges for n in sorted(set(outputs[e]))]
    ordered = read("determinism_gpudet_bfs")
    ends = [int(row["edges"]) for row in ordered]
    return plot.points(f"Different outputs of bfs_racy in {rows[0]['seeds']} runs (figure 1.1)", "edges", "outputs", [
        ("a graph", [e for e, _ in dots], [n for _, n in dots], {"color": plot.PLAIN, "marker": "o", "markersize": 4, "linestyle": "none"}, None),
        (f"mean of {len(outputs[edges[0]])} graphs", edges, [sum(outputs[e]) / len(outputs[e]) for e in edges],
         {"color": plot.COLORS[0], "marker": "o", "markersize": 4}, None),
        ("with GPUDet, a graph", ends, [int(row["outputs"]) for row in ordered],
         {"color": plot.COLORS[2], "marker": "s", "markersize": 11, "linestyle": "none"}, None),
        ("thesis, with GPUDet", sorted(set(ends)), [1] * len(set(ends)), "paper", None)], edges)


sys.exit(renew("determinism_none.py", PAGE, {"racey": racey_table()}, {"determinism_none_bfs.svg": bfs_figure()}))
