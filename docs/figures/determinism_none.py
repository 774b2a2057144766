#!/usr/bin/env python3
"""Figure and table of docs/determinism.md, "Without determinism", from the data that determinism_none.sh collects: determinism_none.py [--check].

Writes the SVG file beside it and the part of the page between its markers; with --check says what is not current (status 1).
"""
import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
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
    """Outputs over edges: the mean of the graphs as a line, each graph as a dot."""
    rows = read("determinism_none_bfs")
    seeds = int(rows[0]["seeds"])
    outputs = {}
    for row in rows:
        outputs.setdefault(int(row["edges"]), []).append(int(row["outputs"]))
    edges = sorted(outputs)
    left, top, right, bottom = 50, 34, 470, 230

    def x(value):
        return left + 20 + (value - edges[0]) / (edges[-1] - edges[0]) * (right - left - 30)

    def y(value):
        return bottom - value / seeds * (bottom - top)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="480" height="272" font-family="sans-serif" font-size="11">',
           '<rect width="480" height="272" fill="white"/>',
           f'<text x="{left}" y="14">Different outputs of bfs_racy in {seeds} runs (figure 1.1)</text>']
    for step in range(6):
        value = seeds * step / 5
        out.append(f'<path d="M{left} {y(value):.1f}H{right}" stroke="#ddd"/><text x="{left - 4}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in edges:
        out.append(f'<text x="{x(value):.1f}" y="{bottom + 14}" text-anchor="middle">{value}</text>')
        out += [f'<circle cx="{x(value):.1f}" cy="{y(one):.1f}" r="2" fill="#aab"/>' for one in sorted(set(outputs[value]))]
    means = [(x(value), y(sum(outputs[value]) / len(outputs[value]))) for value in edges]
    out.append(f'<path d="M{" L".join(f"{a:.1f} {b:.1f}" for a, b in means)}" fill="none" stroke="#c8553d" stroke-width="2"/>')
    out.append(f'<text x="{(left + right) / 2:.0f}" y="{bottom + 32}" text-anchor="middle">'
               f'edges; line: mean of {len(outputs[edges[0]])} graphs, dots: graphs</text>')
    return "\n".join(out + ["</svg>", ""])


def page_with(part, text):
    begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
    head, rest = PAGE.read_text().split(begin)
    return head + begin + text + end + rest.split(end)[1]


def main():
    wanted = {HERE / "determinism_none_bfs.svg": bfs_figure(), PAGE: page_with("racey", racey_table())}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"not current: {path.relative_to(HERE.parent.parent)} (run docs/figures/determinism_none.py)")
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


sys.exit(main())
