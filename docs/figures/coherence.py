#!/usr/bin/env python3
"""Figures and tables of docs/coherence.md from the data that coherence.sh collects: coherence.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import json
import math
import pathlib
import statistics
import sys

from bars import bars

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "coherence.md"
INTER = ["barnes_hut", "bfs", "cloth", "load_balance", "stencil", "place"]
INTRA = ["hotspot", "kmeans", "lps", "nw", "srad", "lud"]
SHORT = {"barnes_hut": "BH", "bfs": "BFS", "cloth": "CL", "load_balance": "DLB", "stencil": "STN", "place": "VPR",
         "hotspot": "HSP", "kmeans": "KMN", "lps": "LPS", "nw": "NDL", "srad": "SR", "lud": "LUD"}
COLORS = ["#4c5b6b", "#c8553d", "#e0a458", "#3a7d44", "#5b8db8", "#8a5a8c"]
TRAFFIC = ["load", "store", "atomic", "invalidate", "renew", "control"]

LEASES = [8, 32, 128, 512, 2048]


def read(name):
    data = json.loads((HERE / f"{name}.json").read_text())
    return {(r["workload"], r["policy"]): r for r in data["runs"]}


SEEDS = [seed for seed in (1, 2, 3) if (HERE / f"coherence_{seed}.json").exists()]
seeds = [read(f"coherence_{seed}") for seed in SEEDS]
base = runs = seeds[0]  # the figures', and what variants are compared with
without_renewal = read("coherence_renew_off")
fixed = {lease: read(f"coherence_lease_{lease}") for lease in LEASES}
leases_of_128 = fixed[128]


def gmean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0.0


def speedup(workload, policy, over):
    return runs[workload, over]["cycles"] / runs[workload, policy]["cycles"]


def relative(workload, policy, over, measure):
    base = runs[workload, over][measure]
    return runs[workload, policy][measure] / base if base else 0.0


def stalls(workload, policy):
    """Issue slots lost to the order of SC, and those of the cycles in which stores hold up the way to the L1; rcc16 has two slots a cycle."""
    return runs[workload, policy]["sc_stalls"] + 2 * runs[workload, policy]["store_held"]


def relative_stalls(workload, policy, over):
    base = stalls(workload, over)
    return stalls(workload, policy) / base if base else 0.0


def mean_speedup(workloads, policy, over):
    return gmean([speedup(w, policy, over) for w in workloads])


def policy_bars(title, policies, value, limit, workloads=INTER + INTRA):
    series = list(zip(policies, COLORS))
    groups = [(SHORT[w], [[(value(w, p), color)] for p, color in series]) for w in workloads]
    for name, part in (("gmean inter", INTER), ("gmean intra", INTRA)):
        if set(part) <= set(workloads):
            groups.append((name, [[(gmean([value(w, p) for w in part]), color)] for p, color in series]))
    return bars(title, series, groups, limit)


def stacks(title, policies, parts, whole, limit):
    """Bars of parts; `parts`: (name, measure), `whole(workload, policy)`: what they are divided by."""
    def stack(w, p):
        return [(runs[w, p][measure] / whole(w, p) if whole(w, p) else 0.0, COLORS[i]) for i, (_, measure) in enumerate(parts)]
    groups = [(SHORT[w], [stack(w, p) for p in policies]) for w in INTER + INTRA]
    return bars(f"{title}; bars: {', '.join(policies)}", policies, groups, limit).replace(
        "</svg>", "".join(f'<rect x="{44 + 110 * i}" y="242" width="10" height="10" fill="{COLORS[i]}"/><text x="{58 + 110 * i}" y="251">{name}</text>'
                          for i, (name, _) in enumerate(parts)) + "</svg>")


def variant_bars(title, variants, value, limit):
    """Inter-CTA programs under rcc; `variants`: (name, runs)."""
    series = [(name, COLORS[i]) for i, (name, _) in enumerate(variants)]
    groups = [(SHORT[w], [[(value(w, of), COLORS[i])] for i, (_, of) in enumerate(variants)]) for w in INTER]
    groups.append(("gmean", [[(gmean([value(w, of) for w in INTER]), COLORS[i])] for i, (_, of) in enumerate(variants)]))
    return bars(title, series, groups, limit)


def over(of, base, workload, measure):
    """A measure of rcc in `of`, over that in `base`."""
    below = base[workload, "rcc"][measure]
    return of[workload, "rcc"][measure] / below if below else 0.0


def figures():
    return {
        "stalled.svg": policy_bars("Memory instructions that SC held back (figure 3.1a)", ["mesi", "tc_strong", "rcc"],
                                   lambda w, p: runs[w, p]["sc_stalled"], 1),
        "behind.svg": stacks("Time of SC stalls by the older access (figure 3.1b)", ["mesi", "tc_strong", "rcc"],
                             [("load", "sc_wait_load"), ("store", "sc_wait_store"), ("atomic", "sc_wait_atomic")],
                             lambda w, p: sum(runs[w, p]["sc_wait_" + kind] for kind in ("load", "store", "atomic")), 1),
        "ideal.svg": policy_bars("Cycles of mesi over cycles (figure 3.1d)", ["ideal", "ideal_free"], lambda w, p: speedup(w, p, "mesi"), 5),
        "latency.svg": policy_bars("Store latency over load latency (figure 3.1c)", ["mesi", "tc_strong", "rcc"],
                                   lambda w, p: runs[w, p]["store_over_load"], 8),
        "expired.svg": policy_bars("Loads that find their line with its lease over, leases of 128 (figure 3.6)", ["rcc"],
                                   lambda w, p: fixed[128][w, p]["expired_loads"], 0.4),
        "renewable.svg": policy_bars("Share of these whose line the L2 still holds as it was, leases of 128 (figure 3.6)", ["rcc"],
                                     lambda w, p: fixed[128][w, p]["renewable"], 1),
        "speedup.svg": policy_bars("Cycles of mesi over cycles (figure 3.8)", ["mesi", "tc_strong", "tc_weak", "rcc"],
                                   lambda w, p: speedup(w, p, "mesi"), 9),
        "stalls.svg": policy_bars("Issue slots lost to SC, mesi = 1 (figure 3.9)", ["mesi", "tc_strong", "rcc"],
                                  lambda w, p: relative_stalls(w, p, "mesi"), 2),
        "resolve.svg": policy_bars("Time to resolve an SC stall, mesi = 1 (figure 3.9)", ["mesi", "tc_strong", "rcc"],
                                   lambda w, p: relative(w, p, "mesi", "sc_resolve"), 2),
        "renew.svg": variant_bars("Flits without and with renewal (figure 3.7)", [("-R", without_renewal), ("+R", base)],
                                  lambda w, of: over(of, without_renewal, w, "traffic"), 1.2),
        "predictor.svg": variant_bars("Loads on expired lines, lease fixed at 128 and predicted (figure 3.7)",
                                      [("-P", fixed[128]), ("+P", base)], lambda w, of: over(of, fixed[128], w, "expired_loads"), 1.6),
        "leases.svg": variant_bars("Cycles by the length of fixed leases, predicted = 1 (section 3.4.5)",
                                   [(str(lease), fixed[lease]) for lease in LEASES], lambda w, of: over(of, base, w, "cycles"), 1.6),
        "energy.svg": stacks("Energy of the crossbars, mesi = 1 (figure 3.11)", ["mesi", "tc_strong", "tc_weak", "rcc"],
                             [(name, "energy_" + name.replace(" ", "_")) for name in
                              ("link dynamic", "router dynamic", "link static", "router static")],
                             lambda w, p: runs[w, "mesi"]["energy"], 2),
        "weak.svg": policy_bars("Cycles of rcc over cycles (figure 3.10)", ["rcc", "rcc_wo", "tc_weak"],
                                lambda w, p: speedup(w, p, "rcc"), 3),
        "traffic.svg": stacks("Flits by class of message, mesi = 1 (figure 3.12)", ["mesi", "tc_strong", "tc_weak", "rcc"],
                              [(name, "traffic_" + name) for name in TRAFFIC], lambda w, p: runs[w, "mesi"]["traffic"], 3),
    }


def claim_rows(inter=INTER, intra=INTRA):
    """(claim, what, paper, band low, band high, value of the runs that are being looked at); a band of None has no number.

    A value is a function: where its programs were not run, the table has a gap."""
    def ratios(measure, policy, base, workloads=inter):
        return lambda: gmean([relative(w, policy, base, measure) for w in workloads])
    def faster(workloads, policy, base):
        return lambda: mean_speedup(workloads, policy, base)
    def one(workload, policy):
        return lambda: speedup(workload, policy, "mesi")
    def logical_time():
        time = [runs[w, "rcc"]["cycles_per_time"] for w in inter + intra if (w, "rcc") in runs]
        return sum(time) / len(time)
    def behind_stores():
        shares = [runs[w, p]["sc_behind_store"] for w in inter + intra for p in ("mesi", "tc_strong") if runs[w, p]["sc_resolve"]]
        return statistics.median(shares)
    def many_stalled():
        return sum(runs[w, p]["sc_stalled"] > 0.2 for w in inter + intra for p in ("mesi", "tc_strong"))
    return [
        ("R1", "programs (under mesi and tc_strong) with more than 20 % of memory instructions stalled by SC", "1", 0, 1, many_stalled),
        ("R2", "share of SC stall time behind stores and atomics, mesi and tc_strong, median of the programs", "near 1", 0.8, 1, behind_stores),
        ("R3", "store latency over load latency, mesi, inter, geometric mean", "2.4", 1.68, 3.12,
         lambda: gmean([runs[w, "mesi"]["store_over_load"] for w in inter])),
        ("R4", "ideal over mesi, inter", "1.6", 1.3, 2.0, faster(inter, "ideal", "mesi")),
        ("R4", "ideal over mesi, intra", "1.0", 0.97, 1.05, faster(intra, "ideal", "mesi")),
        ("R4", "a bound of it: ideal_free over mesi, inter", "", None, None, faster(inter, "ideal_free", "mesi")),
        ("R5", "rcc over mesi, inter", "1.76", 1.4, 2.1, faster(inter, "rcc", "mesi")),
        ("R6", "rcc over tc_strong, inter", "1.29", 1.15, 1.45, faster(inter, "rcc", "tc_strong")),
        ("R7", "rcc over tc_weak, inter", "0.93", 0.88, 1.0, faster(inter, "rcc", "tc_weak")),
        ("R8", "rcc over mesi, intra", "1.10", 1.03, 1.20, faster(intra, "rcc", "mesi")),
        ("R9", "rcc over tc_strong, intra", "1.0", 0.95, 1.03, faster(intra, "rcc", "tc_strong")),
        ("R9", "rcc over tc_weak, intra", "1.0", 0.95, 1.03, faster(intra, "rcc", "tc_weak")),
        ("R10", "BH: tc_strong over mesi", "5.8", None, None, one("barnes_hut", "tc_strong")),
        ("R10", "BH: tc_weak over mesi", "6.9", None, None, one("barnes_hut", "tc_weak")),
        ("R10", "BH: rcc over mesi", "6.6", None, None, one("barnes_hut", "rcc")),
        ("R10", "DLB: tc_strong over mesi", "3.1", None, None, one("load_balance", "tc_strong")),
        ("R10", "DLB: tc_weak over mesi", "2.9", None, None, one("load_balance", "tc_weak")),
        ("R10", "DLB: rcc over mesi", "3.3", None, None, one("load_balance", "rcc")),
        ("R12", "SC stalls, rcc over mesi, inter", "0.48", 0.33, 0.63, lambda: gmean([relative_stalls(w, "rcc", "mesi") for w in inter])),
        ("R12", "SC stalls, rcc over tc_strong, inter", "0.75", 0.60, 0.90, lambda: gmean([relative_stalls(w, "rcc", "tc_strong") for w in inter])),
        ("R13", "time to resolve an SC stall, rcc over mesi, inter", "0.65", 0.55, 0.75, ratios("sc_resolve", "rcc", "mesi")),
        ("R13", "time to resolve an SC stall, rcc over tc_strong, inter", "0.89", 0.79, 0.99, ratios("sc_resolve", "rcc", "tc_strong")),
        ("R14", "loads on expired lines, leases of 128, inter, geometric mean", "bars of figure 3.6", None, None,
         lambda: gmean([leases_of_128[w, "rcc"]["expired_loads"] for w in inter])),
        ("R14", "the same, intra, most of any program", "negligible", 0, 0.02,
         lambda: max(leases_of_128[w, "rcc"]["expired_loads"] for w in intra)),
        ("R14", "share of these whose line the L2 still holds as it was, inter, geometric mean", "most", 0.5, 1,
         lambda: gmean([leases_of_128[w, "rcc"]["renewable"] for w in inter])),
        ("R15", "flits of rcc with renewal over without, inter", "0.85", 0.75, 0.92,
         lambda: gmean([over(runs, without_renewal, w, "traffic") for w in inter if runs is base])),
        ("R16", "loads on expired lines, predicted lease over one of 128, inter", "0.69", 0.55, 0.85,
         lambda: gmean([over(runs, fixed[128], w, "expired_loads") for w in inter if runs is base])),
        ("R17", "L1 load miss rate of BFS, rcc less tc_weak", "0.21", 0.10, 1.0,
         lambda: runs["bfs", "rcc"]["l1_miss_rate"] - runs["bfs", "tc_weak"]["l1_miss_rate"]),
        ("R18", "rcc_wo over tc_weak, inter", "1.0", 0.95, 1.07, faster(inter, "rcc_wo", "tc_weak")),
        ("R19", "rcc_wo over rcc, inter", "1.07", 1.03, 1.12, faster(inter, "rcc_wo", "rcc")),
        ("R20", "energy of the crossbars, rcc over mesi, inter", "0.55", 0.43, 0.67, ratios("energy", "rcc", "mesi")),
        ("R20", "energy of the crossbars, rcc over tc_strong, inter", "0.75", 0.63, 0.87, ratios("energy", "rcc", "tc_strong")),
        ("R20", "energy of the crossbars, rcc over tc_weak, inter", "1.07", 0.95, 1.19, ratios("energy", "rcc", "tc_weak")),
        ("R21", "energy of the crossbars, rcc over mesi, intra", "0.75", 0.63, 0.87, ratios("energy", "rcc", "mesi", intra)),
        ("R21", "energy of the crossbars, rcc over tc_strong, intra", "1.0", 0.88, 1.12, ratios("energy", "rcc", "tc_strong", intra)),
        ("R21", "energy of the crossbars, rcc over tc_weak, intra", "1.0", 0.88, 1.12, ratios("energy", "rcc", "tc_weak", intra)),
        ("R22", "flits of rcc over mesi, inter", "about 0.55 (energy)", None, None, ratios("traffic", "rcc", "mesi")),
        ("R23", "core cycles in which logical time advances by one", "1073", 107, 10730, logical_time),
        ("R24", "cycles under fixed leases of 8 to 2048, longest over shortest, inter", "1.0", 1.0, 1.05, lease_spread),
    ]


def lease_spread():
    means = [gmean([over(of, base, w, "cycles") for w in INTER if runs is base]) for of in fixed.values()]
    return max(means) / min(means)


def value_of(claim, data, fixed_leases=fixed[128]):
    """The claim's value in `data`; None where its programs were not run."""
    global runs, leases_of_128
    runs, leases_of_128, kept = data, fixed_leases, (runs, leases_of_128)
    try:
        ours = claim()
    except (KeyError, ValueError, ZeroDivisionError):
        ours = None  # not among the runs
    runs, leases_of_128 = kept
    return ours


def table():
    lines = ["| claim | what | paper | band | ours | least..most | |", "|---|---|---:|---:|---:|---:|---|"]
    inside = judged = 0
    for claim, what, paper, low, high, function in claim_rows():
        ours = [value for value in (value_of(function, data) for data in seeds) if value is not None]
        band = "" if low is None else f"{low:g}..{high:g}"
        if not ours:
            lines.append(f"| {claim} | {what} | {paper} | {band} | | | |")
            continue
        mean = sum(ours) / len(ours)
        verdict = "" if low is None else "in band" if low <= mean <= high else "**out**"
        judged += low is not None
        inside += verdict == "in band"
        spread = f"{min(ours):.2f}..{max(ours):.2f}" if max(ours) > min(ours) else ""
        lines.append(f"| {claim} | {what} | {paper} | {band} | {mean:.2f} | {spread} | {verdict} |")
    lines += ["", f"{inside} of {judged} rows with a band are in it; seeds {', '.join(map(str, SEEDS))}."]
    return "\n".join(lines) + "\n"


def without_leakage(data):
    return {key: {**run, "energy": run["energy_link_dynamic"] + run["energy_router_dynamic"]} for key, run in data.items()}


# What was changed alone, its runs, and the claims that were looked at: the claim's name and a part of what it says.
LATENCY = [("R3", ""), ("R4", "ideal over mesi, inter"), ("R5", ""), ("R10", "BH: rcc"), ("R12", "rcc over mesi")]
AGAINST_TC = [("R6", ""), ("R10", "BH: tc_strong"), ("R12", "over tc_strong"), ("R13", "over tc_strong")]
CAUSES = [("`tc_strong` whose queue stands behind a store that waits (`coherence.tc.recycle_cycles=0cycles`)", "cause_standing",
           AGAINST_TC + [("R9", "over tc_strong"), ("R20", "over tc_strong")]),
          ("`tc_strong` with leases of 400 core cycles instead of 1600", "cause_lease", AGAINST_TC + [("R20", "over tc_strong")]),
          ("registers for 48 warps of any program (`sm.registers=131072`)", "cause_registers",
           [("R5", ""), ("R6", ""), ("R7", ""), ("R10", "BH:"), ("R13", ""), ("R18", ""), ("R19", "")]),
          ("loads beyond the L1 may hit a living lease (`coherence.rcc.around_l1=hit`); BH, BFS, CL, VPR alone", "cause_hit",
           [("R5", ""), ("R12", "over mesi"), ("R13", "over mesi"), ("R19", ""), ("R20", "over mesi"), ("R22", "")]),
          ("an L1 of 1 MiB", "cause_l1", [("R17", "")]),
          ("fixed leases of 2048 instead of 128", "cause_long_lease", [("R14", "intra")]),
          ("the released simulator's predictor, leases of 8 to 64", "cause_released", [("R5", ""), ("R23", "")]),
          ("crossbars that leak nothing", without_leakage, [("R20", ""), ("R21", "")]),
          ("`l1.send_latency` of 180 cycles, loads as long as before", "latency_180", LATENCY),
          ("`l1.send_latency` of 220 cycles, loads as long as before", "latency_220", LATENCY)]


def causes():
    lines = ["| one change | claim | band | seed 1 | with it |", "|---|---|---|---:|---:|"]
    for change, of, claims in CAUSES:
        alone = of(base) if callable(of) else read(f"coherence_{of}")
        programs = {w for w, _ in alone}
        rows = claim_rows([w for w in INTER if w in programs] or INTER)
        for claim, what, _, low, high, function in rows:
            if any(claim == wanted and part in what for wanted, part in claims):
                band = "" if low is None else f"{low:g}..{high:g}"
                before = value_of(function, base)
                after = value_of(function, {**base, **alone}, {**fixed[128], **alone})
                lines.append(f"| {change} | {claim}: {what} | {band} | {before:.2f} | {after:.2f} |")
                change = ""
    return "\n".join(lines) + "\n"


def page_with(page, part, text):
    begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
    head, rest = page.split(begin)
    return head + begin + text + end + rest.split(end)[1]


def main():
    wanted = {HERE / name: svg for name, svg in figures().items()}
    wanted[PAGE] = page_with(page_with(PAGE.read_text(), "claims", table()), "causes", causes())
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"not current: {path.relative_to(HERE.parent.parent)} (run docs/figures/coherence.py)")
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


sys.exit(main())
