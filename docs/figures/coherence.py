#!/usr/bin/python3 -s
"""Figures and tables of docs/coherence.md from the data that coherence.sh collects: coherence.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import json
import math
import statistics
import sys

import plot
from claims import changes_table, judge, number, of_band, tables
from pages import HERE, renew
from plot import Bar, Group, Panel

PAGE = HERE.parent / "coherence.md"
INTER = ["barnes_hut", "bfs", "cloth", "load_balance", "stencil", "place"]
INTRA = ["hotspot", "kmeans", "lps", "nw", "srad", "lud"]
SHORT = {"barnes_hut": "BH", "bfs": "BFS", "cloth": "CL", "load_balance": "DLB", "stencil": "STN", "place": "VPR",
         "hotspot": "HSP", "kmeans": "KMN", "lps": "LPS", "nw": "NDL", "srad": "SR", "lud": "LUD"}
COLORS = {"mesi": "#333333", "ideal": "#009E73", "ideal_free": "#A8DCCB", "tc_strong": "#0072B2", "tc_weak": "#56B4E9", "rcc": "#F0E442",
          "rcc_wo": "#D55E00"}
TRAFFIC = ["load", "store", "atomic", "invalidate", "renew", "control"]

LEASES = [8, 32, 128, 512, 2048]


def read(name, policy=None):
    """The runs of a file by workload and policy; `policy`: under this name instead, where one policy was run with other keys."""
    data = json.loads((HERE / f"{name}.json").read_text())
    return {(r["workload"], policy or r["policy"]): r for r in data["runs"]}


def of_lease(lease):
    """What runs of rcc with fixed leases are called here."""
    return f"lease {lease}"


def read_seed(seed):
    data = read(f"coherence_{seed}")
    for name, policy in [("renew_off", "-R"), *((f"lease_{lease}", of_lease(lease)) for lease in LEASES)]:
        if (HERE / f"coherence_{name}_{seed}.json").exists():
            data.update(read(f"coherence_{name}_{seed}", policy))
    return data


SEEDS = [seed for seed in (1, 2, 3) if (HERE / f"coherence_{seed}.json").exists()]
seeds = [read_seed(seed) for seed in SEEDS]
base = runs = seeds[0]  # what changes are compared with, and the runs that are being looked at


def gmean(values):
    if not values:
        raise ValueError("no run to take the mean of")
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


def bar_of(value, paper=None):
    """A bar of what `value` gives for each of the seeds; nothing where its runs are missing."""
    ours = [v for v in (value_of(value, data) for data in seeds) if v is not None]
    return Bar([sum(ours) / len(ours)], min(ours), max(ours), paper) if ours else None


def policy_bars(title, unit, policies, value, papers={}, highest={}, limits=(None, None), line=None):
    """Bars of all programs; `papers`: by (policy, INTER or INTRA's name) or (policy, program), `highest`: by program, `limits`: of inter, intra."""
    def group(label, bars, mean=False, most=None):
        return Group(label, bars, mean, most)

    def panel(name, programs, limit, line):
        groups = [group(SHORT[w], [bar_of(lambda: value(w, p), papers.get((p, w))) for p in policies], most=highest.get(w)) for w in programs]
        means = [bar_of(lambda: gmean([value(w, p) for w in programs]), papers.get((p, name))) for p in policies]
        return Panel(groups + [group("gmean" if len(policies) > 2 else f"gmean\n{name}", means, True)], unit, limit, line)
    inter, intra = panel("inter", INTER, limits[0], line), panel("intra", INTRA, limits[1], None)
    panels = [inter, intra] if len(policies) > 2 else [Panel([*inter.groups, *intra.groups], unit, limits[0], line)]
    return plot.bars(title, [(p, COLORS[p]) for p in policies], panels)


def stacks(title, unit, policies, parts, whole, papers={}, highest={}, means=True, limit=None):
    """Bars of parts; `parts`: (name, measure), `whole(workload, policy)`: what they are divided by."""
    def bar(w, p):
        of = [value_of(lambda: whole(w, p), data) for data in seeds]
        shares = [[data[w, p][measure] / all_of if all_of else 0.0 for _, measure in parts] for data, all_of in zip(seeds, of) if all_of is not None]
        totals = list(map(sum, shares))
        return Bar([sum(s) / len(shares) for s in zip(*shares)], min(totals), max(totals), papers.get((p, w))) if shares else None

    def mean(programs, name, p):
        return bar_of(lambda: gmean([sum(runs[w, p][measure] for _, measure in parts) / whole(w, p) for w in programs]), papers.get((p, name)))
    panels = []
    for name, programs in (("inter", INTER), ("intra", INTRA)):
        groups = [Group(SHORT[w], [bar(w, p) for p in policies], highest=highest.get(w)) for w in programs]
        panels.append(Panel(groups + [Group("gmean", [mean(programs, name, p) for p in policies], True)] * means, unit, limit))
    return plot.bars(title, [(p, "") for p in policies], panels, list(zip([n for n, _ in parts], plot.COLORS)))


def variant_bars(title, unit, variants, over, measure, papers={}):
    """A measure of inter-CTA programs over that of the runs called `over`; `variants`: (name, runs), `papers`: of their means."""
    def bar(programs, of, paper=None):
        return bar_of(lambda: gmean([relative(w, of, over, measure) for w in programs]), paper)
    groups = [Group(SHORT[w], [bar([w], of) for _, of in variants]) for w in INTER]
    groups.append(Group("gmean", [bar(INTER, of, papers.get(name)) for name, of in variants], True))
    return plot.bars(title, list(zip([n for n, _ in variants], plot.ramp(len(variants)))), [Panel(groups, unit)])


def thesis(claim, what):
    """The paper's value in the claim's row that says `what`."""
    return next(number(paper) for name, said, paper, *_ in claim_rows() if name == claim and what in said and number(paper) is not None)


def means_of(ours, *others):
    """Papers' means of a figure with mesi = 1: `ours` of rcc by INTER's or INTRA's name, and from `others`, (policy, rcc's over it by name)."""
    found = {("rcc", name): value for name, value in ours.items()}
    for policy, ratios in others:
        found.update({(policy, name): ours[name] / ratio for name, ratio in ratios.items()})
    return found


def figures():
    strong, weak = "tc_strong", "tc_weak"
    speedups = means_of({"inter": thesis("R5", "inter"), "intra": thesis("R8", "intra")},
                        (strong, {"inter": thesis("R6", "inter"), "intra": thesis("R9", "tc_strong")}),
                        (weak, {"inter": thesis("R7", "inter"), "intra": thesis("R9", "tc_weak")}))
    for workload, program in (("barnes_hut", "BH"), ("load_balance", "DLB")):
        speedups.update({(p, workload): thesis("R10", f"{program}: {p}") for p in (strong, weak, "rcc")})
    energies = means_of({"inter": thesis("R20", "mesi"), "intra": thesis("R21", "mesi")},
                        (strong, {"inter": thesis("R20", "tc_strong"), "intra": thesis("R21", "tc_strong")}),
                        (weak, {"inter": thesis("R20", "tc_weak"), "intra": thesis("R21", "tc_weak")}))
    order = ["mesi", strong, "rcc"]
    kinds = ["load", "store", "atomic"]
    return {
        "claims.svg": plot.claims("Claims of the RCC thesis that are numbers: ours over the thesis's", tables(table())),
        "stalled.svg": policy_bars("Memory instructions that SC held back (figure 3.1a)", "share of instructions", order,
                                   lambda w, p: runs[w, p]["sc_stalled"], line=(0.2, "thesis: one case above")),
        "behind.svg": stacks("Time of SC stalls by the older access (figure 3.1b; the thesis: nearly all behind stores)", "share of time", order,
                             [(kind, "sc_wait_" + kind) for kind in kinds], lambda w, p: sum(runs[w, p]["sc_wait_" + kind] for kind in kinds),
                             means=False, limit=1),
        "ideal.svg": policy_bars("Cycles of mesi over cycles (figure 3.1d)", "speedup over mesi", ["ideal", "ideal_free"],
                                 lambda w, p: speedup(w, p, "mesi"),
                                 {("ideal", "inter"): thesis("R4", "inter"), ("ideal", "intra"): thesis("R4", "intra")}),
        "latency.svg": policy_bars("Latency of stores over that of loads (figure 3.1c)", "store / load latency", order,
                                   lambda w, p: runs[w, p]["store_over_load"], {("mesi", "inter"): thesis("R3", "inter")},
                                   line=(3.7, "thesis, mesi: at most")),
        "expired.svg": policy_bars("Loads that find their line with its lease over, leases of 128 (figure 3.6)", "share of loads", ["rcc"],
                                   lambda w, p: runs[w, of_lease(128)]["expired_loads"]),
        "renewable.svg": policy_bars("Share of these whose line the L2 still holds as it was, leases of 128 (figure 3.6)", "share", ["rcc"],
                                     lambda w, p: runs[w, of_lease(128)]["renewable"]),
        "speedup.svg": policy_bars("Cycles of mesi over cycles (figure 3.8)", "speedup over mesi", ["mesi", strong, weak, "rcc"],
                                   lambda w, p: speedup(w, p, "mesi"), speedups),
        "stalls.svg": policy_bars("Issue slots lost to SC (figure 3.9)", "slots, mesi = 1", order, lambda w, p: relative_stalls(w, p, "mesi"),
                                  means_of({"inter": thesis("R12", "mesi")}, (strong, {"inter": thesis("R12", "tc_strong")})),
                                  {"stencil": 1.7, "place": 1.8}),
        "resolve.svg": policy_bars("Time to resolve an SC stall (figure 3.9)", "time, mesi = 1", order, lambda w, p: relative(w, p, "mesi", "sc_resolve"),
                                   means_of({"inter": thesis("R13", "mesi")}, (strong, {"inter": thesis("R13", "tc_strong")})),
                                   {"stencil": 1.3, "place": 1.8}),
        "renew.svg": variant_bars("Flits without and with renewal (figure 3.7)", "flits, -R = 1", [("-R", "-R"), ("+R", "rcc")],
                                  "-R", "traffic", {"+R": thesis("R15", "inter")}),
        "predictor.svg": variant_bars("Loads on expired lines, lease fixed at 128 (-P) and predicted (+P) (figure 3.7)", "loads, -P = 1",
                                      [("-P", of_lease(128)), ("+P", "rcc")], of_lease(128), "expired_loads",
                                      {"+P": thesis("R16", "inter")}),
        "leases.svg": variant_bars("Cycles by the length of fixed leases (section 3.4.5; the thesis: hardly any difference)", "cycles, predicted = 1",
                                   [(str(lease), of_lease(lease)) for lease in LEASES], "rcc", "cycles"),
        "energy.svg": stacks("Energy of the crossbars (figure 3.11)", "energy, mesi = 1", ["mesi", strong, weak, "rcc"],
                             [(name, "energy_" + name.replace(" ", "_")) for name in
                              ("link dynamic", "router dynamic", "link static", "router static")],
                             lambda w, p: runs[w, "mesi"]["energy"], energies, {"stencil": 1.67, "place": 1.40}),
        "weak.svg": policy_bars("Cycles of rcc over cycles (figure 3.10)", "speedup over rcc", ["rcc", "rcc_wo", weak], lambda w, p: speedup(w, p, "rcc"),
                                {("rcc_wo", "inter"): thesis("R19", "inter"), (weak, "inter"): thesis("R19", "inter") / thesis("R18", "inter")}),
        "traffic.svg": stacks("Flits by class of message (figure 3.12)", "flits, mesi = 1", ["mesi", strong, weak, "rcc"],
                              [(name, "traffic_" + name) for name in TRAFFIC], lambda w, p: runs[w, "mesi"]["traffic"],
                              highest={"stencil": 1.72, "place": 1.54}),
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
         lambda: gmean([runs[w, of_lease(128)]["expired_loads"] for w in inter])),
        ("R14", "the same, intra, most of any program", "negligible", 0, 0.02,
         lambda: max(runs[w, of_lease(128)]["expired_loads"] for w in intra)),
        ("R14", "share of these whose line the L2 still holds as it was, inter, geometric mean", "most", 0.5, 1,
         lambda: gmean([runs[w, of_lease(128)]["renewable"] for w in inter])),
        ("R15", "flits of rcc with renewal over without, inter", "0.85", 0.75, 0.92,
         ratios("traffic", "rcc", "-R")),
        ("R16", "loads on expired lines, predicted lease over one of 128, inter", "0.69", 0.55, 0.85,
         ratios("expired_loads", "rcc", of_lease(128))),
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
    means = [gmean([relative(w, of_lease(lease), "rcc", "cycles") for w in INTER]) for lease in LEASES]
    return max(means) / min(means)


def value_of(claim, data):
    """The claim's value in `data`; None where its programs were not run."""
    global runs
    runs, kept = data, runs
    try:
        ours = claim()
    except (KeyError, ValueError, ZeroDivisionError):
        ours = None  # not among the runs
    runs = kept
    return ours


def table():
    lines = ["| claim | what | paper | band | ours | least..most | |", "|---|---|---:|---:|---:|---:|---|"]
    inside = judged = 0
    for claim, what, paper, low, high, function in claim_rows():
        ours = [value for value in (value_of(function, data) for data in seeds) if value is not None]
        band = of_band(low, high)
        if not ours:
            lines.append(f"| {claim} | {what} | {paper} | {band} | | | |")
            continue
        mean = sum(ours) / len(ours)
        verdict = judge(low, high, mean)
        judged += low is not None
        inside += verdict == "in band"
        spread = f"{min(ours):.2f}..{max(ours):.2f}" if max(ours) > min(ours) else ""
        lines.append(f"| {claim} | {what} | {paper} | {band} | {mean:.2f} | {spread} | {verdict} |")
    lines += ["", f"{inside} of {judged} rows with a band are in it; seeds {', '.join(map(str, SEEDS))}."]
    return "\n".join(lines) + "\n"


def without_leakage(data):
    return {key: {**run, "energy": run["energy_link_dynamic"] + run["energy_router_dynamic"]} for key, run in data.items()}


# What was changed alone, its runs, the claims that were looked at (name, and a part of what it says), and which runs it stands for.
LATENCY = [("R3", ""), ("R4", "ideal over mesi, inter"), ("R5", ""), ("R10", "BH: rcc"), ("R12", "rcc over mesi")]
AGAINST_TC = [("R6", ""), ("R10", "BH: tc_strong"), ("R12", "over tc_strong"), ("R13", "over tc_strong")]
CAUSES = [("`tc_strong` whose queue stands behind a store that waits (`coherence.tc.recycle_cycles=0cycles`)", "cause_standing",
           AGAINST_TC + [("R9", "over tc_strong"), ("R20", "over tc_strong")]),
          ("`tc_strong` with leases of 400 core cycles instead of 1600", "cause_lease",
           AGAINST_TC + [("R9", "over tc_strong"), ("R20", "over tc_strong")]),
          ("hits in the L1 of 8 core cycles instead of 20, four of the crossbar as in the released simulator", "cause_hit_latency",
           [("R1", ""), ("R2", "")]),
          ("registers for 48 warps of any program (`sm.registers=131072`)", "cause_registers",
           [("R5", ""), ("R6", ""), ("R7", ""), ("R10", "BH:"), ("R13", ""), ("R18", ""), ("R19", "")]),
          ("loads beyond the L1 may hit a living lease (`coherence.rcc.around_l1=hit`); BH, BFS, CL, VPR alone", "cause_hit",
           [("R5", ""), ("R12", "over mesi"), ("R13", "over mesi"), ("R19", ""), ("R20", "over mesi"), ("R22", "")]),
          ("an L1 of 1 MiB", "cause_l1", [("R17", "")]),
          ("fixed leases of 2048 instead of 128", "cause_long_lease", [("R14", "intra")], of_lease(128)),
          ("the released simulator's predictor, leases of 8 to 64", "cause_released", [("R5", ""), ("R23", "")]),
          ("crossbars that leak nothing", without_leakage, [("R20", ""), ("R21", "")]),
          ("`l1.send_latency` of 180 cycles, loads as long as before", "latency_180", LATENCY),
          ("`l1.send_latency` of 220 cycles, loads as long as before", "latency_220", LATENCY)]


def causes():
    def run(change, of, wanted, *policy):
        alone = of(base) if callable(of) else read(f"coherence_{of}", *policy)
        programs = {w for w, _ in alone}
        return change, {**base, **alone}, claim_rows([w for w in INTER if w in programs] or INTER), wanted
    return changes_table([run(*cause) for cause in CAUSES], value_of, base)


sys.exit(renew("coherence.py", PAGE, {"claims": table(), "causes": causes()}, figures()))
