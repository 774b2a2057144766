#!/usr/bin/env python3
"""Figures and tables of docs/coherence.md from coherence.json: coherence.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "coherence.md"
INTER = ["barnes_hut", "bfs", "cloth", "load_balance", "stencil", "place"]
INTRA = ["hotspot", "kmeans", "lps", "nw", "srad", "lud"]
SHORT = {"barnes_hut": "BH", "bfs": "BFS", "cloth": "CL", "load_balance": "DLB", "stencil": "STN", "place": "VPR",
         "hotspot": "HSP", "kmeans": "KMN", "lps": "LPS", "nw": "NDL", "srad": "SR", "lud": "LUD"}
COLORS = ["#4c5b6b", "#c8553d", "#e0a458", "#3a7d44", "#5b8db8", "#8a5a8c"]
TRAFFIC = ["load", "store", "atomic", "invalidate", "renew", "control"]

data = json.loads((HERE / "coherence.json").read_text())
runs = {(r["workload"], r["policy"]): r for r in data["runs"]}


def gmean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0.0


def speedup(workload, policy, over):
    return runs[workload, over]["cycles"] / runs[workload, policy]["cycles"]


def relative(workload, policy, over, measure):
    base = runs[workload, over][measure]
    return runs[workload, policy][measure] / base if base else 0.0


def mean_speedup(workloads, policy, over):
    return gmean([speedup(w, policy, over) for w in workloads])


def bars(title, series, groups, limit):
    """SVG of grouped bars; each bar is a list of (height, color) from the bottom, cut at `limit` with its value above."""
    width, height, left, top = 70 + len(groups) * (14 * len(series) + 16), 260, 44, 34
    scale = (height - top - 44) / limit
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="14">{title}</text>']
    base = height - 44
    for step in range(int(limit / (limit / 4)) + 1):
        value = step * limit / 4
        y = base - value * scale
        out.append(f'<path d="M{left} {y:.1f}H{width - 8}" stroke="#ddd"/><text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for g, (name, stacks) in enumerate(groups):
        x = left + 10 + g * (14 * len(series) + 16)
        for i, stack in enumerate(stacks):
            y, total = base, sum(h for h, _ in stack)
            for h, color in stack:
                h = max(0.0, min(h, (y - (base - limit * scale)) / scale))
                out.append(f'<rect x="{x + 14 * i}" y="{y - h * scale:.1f}" width="12" height="{h * scale:.1f}" fill="{color}"/>')
                y -= h * scale
            if total > limit:
                out.append(f'<text x="{x + 14 * i + 6}" y="{top - 4}" text-anchor="middle" font-size="9">{total:.1f}</text>')
        out.append(f'<text x="{x + 7 * len(series)}" y="{base + 14}" text-anchor="middle">{name}</text>')
    x = left
    for name, color in series if isinstance(series[0], tuple) else []:
        out.append(f'<rect x="{x}" y="{height - 18}" width="10" height="10" fill="{color}"/><text x="{x + 14}" y="{height - 9}">{name}</text>')
        x += 24 + 7 * len(name)
    return "\n".join(out + ["</svg>", ""])


def policy_bars(title, policies, value, limit, workloads=INTER + INTRA):
    series = list(zip(policies, COLORS))
    groups = [(SHORT[w], [[(value(w, p), color)] for p, color in series]) for w in workloads]
    for name, part in (("gmean inter", INTER), ("gmean intra", INTRA)):
        if set(part) <= set(workloads):
            groups.append((name, [[(gmean([value(w, p) for w in part]), color)] for p, color in series]))
    return bars(title, series, groups, limit)


def traffic_figure():
    policies = ["mesi", "tc_strong", "tc_weak", "rcc"]
    groups = []
    for w in INTER + INTRA:
        base = runs[w, "mesi"]["traffic"]
        groups.append((SHORT[w], [[(runs[w, p]["traffic_" + c] / base, COLORS[i]) for i, c in enumerate(TRAFFIC)] for p in policies]))
    return bars("Flits by class of message, MESI = 1; bars: " + ", ".join(policies), policies, groups, 3).replace(
        "</svg>", "".join(f'<rect x="{44 + 90 * i}" y="242" width="10" height="10" fill="{COLORS[i]}"/><text x="{58 + 90 * i}" y="251">{c}</text>'
                          for i, c in enumerate(TRAFFIC)) + "</svg>")


def figures():
    return {
        "ideal.svg": policy_bars("Cycles of mesi over cycles (figure 3.1d)", ["ideal"], lambda w, p: speedup(w, p, "mesi"), 2),
        "latency.svg": policy_bars("Store latency over load latency (figure 3.1c)", ["mesi", "tc_strong", "rcc"],
                                   lambda w, p: runs[w, p]["store_over_load"], 8),
        "expired.svg": policy_bars("Loads that find their line with its lease over (figure 3.6)", ["rcc"],
                                   lambda w, p: runs[w, p]["expired_loads"], 0.4),
        "speedup.svg": policy_bars("Cycles of mesi over cycles (figure 3.8)", ["mesi", "tc_strong", "tc_weak", "rcc"],
                                   lambda w, p: speedup(w, p, "mesi"), 4),
        "stalls.svg": policy_bars("Issue slots lost to SC, mesi = 1 (figure 3.9)", ["mesi", "tc_strong", "rcc"],
                                  lambda w, p: relative(w, p, "mesi", "sc_stalls"), 2),
        "weak.svg": policy_bars("Cycles of rcc over cycles (figure 3.10)", ["rcc", "rcc_wo", "tc_weak"],
                                lambda w, p: speedup(w, p, "rcc"), 3),
        "traffic.svg": traffic_figure(),
    }


def claim_rows():
    """(claim, what, paper, band low, band high, ours); a band of None has no number."""
    inter, intra = INTER, INTRA
    stalls = lambda over: gmean([relative(w, "rcc", over, "sc_stalls") for w in inter])
    time = [runs[w, "rcc"]["cycles_per_time"] for w in inter + intra]
    return [
        ("R3", "store latency over load latency, mesi, inter, geometric mean", "2.4", 1.68, 3.12, gmean([runs[w, "mesi"]["store_over_load"] for w in inter])),
        ("R4", "ideal over mesi, inter", "1.6", 1.3, 2.0, mean_speedup(inter, "ideal", "mesi")),
        ("R4", "ideal over mesi, intra", "1.0", 0.97, 1.05, mean_speedup(intra, "ideal", "mesi")),
        ("R5", "rcc over mesi, inter", "1.76", 1.4, 2.1, mean_speedup(inter, "rcc", "mesi")),
        ("R6", "rcc over tc_strong, inter", "1.29", 1.15, 1.45, mean_speedup(inter, "rcc", "tc_strong")),
        ("R7", "rcc over tc_weak, inter", "0.93", 0.88, 1.0, mean_speedup(inter, "rcc", "tc_weak")),
        ("R8", "rcc over mesi, intra", "1.10", 1.03, 1.20, mean_speedup(intra, "rcc", "mesi")),
        ("R9", "rcc over tc_strong, intra", "1.0", 0.95, 1.03, mean_speedup(intra, "rcc", "tc_strong")),
        ("R9", "rcc over tc_weak, intra", "1.0", 0.95, 1.03, mean_speedup(intra, "rcc", "tc_weak")),
        ("R10", "BH: tc_strong over mesi", "5.8", None, None, speedup("barnes_hut", "tc_strong", "mesi")),
        ("R10", "BH: tc_weak over mesi", "6.9", None, None, speedup("barnes_hut", "tc_weak", "mesi")),
        ("R10", "BH: rcc over mesi", "6.6", None, None, speedup("barnes_hut", "rcc", "mesi")),
        ("R10", "DLB: tc_strong over mesi", "3.1", None, None, speedup("load_balance", "tc_strong", "mesi")),
        ("R10", "DLB: tc_weak over mesi", "2.9", None, None, speedup("load_balance", "tc_weak", "mesi")),
        ("R10", "DLB: rcc over mesi", "3.3", None, None, speedup("load_balance", "rcc", "mesi")),
        ("R12", "SC stalls, rcc over mesi, inter", "0.48", 0.33, 0.63, stalls("mesi")),
        ("R12", "SC stalls, rcc over tc_strong, inter", "0.75", 0.60, 0.90, stalls("tc_strong")),
        ("R17", "L1 load miss rate of BFS, rcc less tc_weak", "0.21", 0.10, 1.0, runs["bfs", "rcc"]["l1_miss_rate"] - runs["bfs", "tc_weak"]["l1_miss_rate"]),
        ("R18", "rcc_wo over tc_weak, inter", "1.0", 0.95, 1.07, mean_speedup(inter, "rcc_wo", "tc_weak")),
        ("R19", "rcc_wo over rcc, inter", "1.07", 1.03, 1.12, mean_speedup(inter, "rcc_wo", "rcc")),
        ("R22", "flits of rcc over mesi, inter", "about 0.55 (energy)", None, None, gmean([relative(w, "rcc", "mesi", "traffic") for w in inter])),
        ("R23", "core cycles in which logical time advances by one", "1073", 107, 10730, sum(time) / len(time)),
    ]


def table():
    lines = ["| claim | what | paper | band | ours | |", "|---|---|---:|---:|---:|---|"]
    for claim, what, paper, low, high, ours in claim_rows():
        band = "" if low is None else f"{low:g}..{high:g}"
        verdict = "" if low is None else "in band" if low <= ours <= high else "**out**"
        lines.append(f"| {claim} | {what} | {paper} | {band} | {ours:.2f} | {verdict} |")
    return "\n".join(lines) + "\n"


def page_with(part, text):
    begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
    page = PAGE.read_text()
    head, rest = page.split(begin)
    return head + begin + text + end + rest.split(end)[1]


def main():
    wanted = {HERE / name: svg for name, svg in figures().items()}
    wanted[PAGE] = page_with("claims", table())
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"not current: {path.relative_to(HERE.parent.parent)} (run docs/figures/coherence.py)")
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


sys.exit(main())
