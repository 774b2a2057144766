#!/usr/bin/python3 -s
"""Figures and tables of docs/figures-local-transactions.md from the data of local_transactions.sh: local_transactions.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import csv
import sys

import plot
from claims import gmean, judge, of_band, tables
from pages import HERE, renew
from plot import Bar, Group, Panel

PAGE = HERE.parent / "figures-local-transactions.md"
PROGRAMS = {f"{p}_{c}": f"{p.upper()}-{c[0].upper()}C" for p in ("ht", "it", "gc", "km") for c in ("high", "low")}
SELECTIONS = {"ascending_single": "ascending-single", "descending_single": "descending-single", "ascending_multiple": "ascending-multiple",
              "descending_multiple": "descending-multiple"}
DETECTIONS = {"prw_sig": "pRW-sig", "swo_sig": "sWO-sig", "dcd": "DCD", "smdcd": "SMDCD"}
BASE = "prw_sig-ascending_single"
BY_SELECTION = {f"prw_sig-{s}": name for s, name in SELECTIONS.items()}
BY_DETECTION = {f"{d}-ascending_single": name for d, name in DETECTIONS.items()}
SERIALISED = "sections"
OTHERS = {SERIALISED: "serialised by barriers", "serial-ascending_single": "`serial`", "locks": "locks, `its`", BASE: "pRW-sig", "smdcd-ascending_single": "SMDCD",
          "getm": "GETM, global memory"}
CAUSES = [("dcd_wide_bank", "dcd-ascending_single", "DCD whose banks read owners and keep words beside their other work"),
          ("prw_sig_32_bits", BASE, "pRW-sig with signatures of 32 bits"),
          ("prw_sig_no_phases", BASE, "pRW-sig whose phases take no time"),
          ("swo_sig_helper_of_banks", "swo_sig-ascending_single", "sWO-sig with a helper signature for each bank"),
          ("dcd_restart_200", "dcd-ascending_single", "DCD, 200 cycles before an attempt begins again"),
          ("smdcd_restart_200", "smdcd-ascending_single", "SMDCD, the same"),
          ("smdcd_ascending_multiple", "smdcd-ascending_single", "SMDCD with ascending-multiple")]


def read(name):
    with open(HERE / f"{name}.csv") as file:
        return {(r["workload"], r["variant"]): {k: v if k in ("workload", "variant") else float(v) for k, v in r.items()} for r in csv.DictReader(file)}


RUNS, CHANGED = read("local_transactions"), read("local_transactions_causes")


def time_over(program, variant, of=BASE, runs=None):
    return (runs or RUNS)[program, variant]["cycles"] / RUNS[program, of]["cycles"]


def speedup(program, variant, of=BASE):
    return 1 / time_over(program, variant, of)


def parts(run):
    """Cycles of warps: TX_Begin, TX_Commit, what accesses take longer, the rest of transactions, outside."""
    overhead = min(run["overhead"], run["runs"])
    return [run["waits"], run["at_end"], overhead, run["runs"] - overhead, run["resident"] - run["waits"] - run["at_end"] - run["runs"]]


PARTS = list(zip(["TXBegin", "TXCommit", "memory overheads", "TX code", "non-TX code"], plot.COLORS))


def modes(run):
    all_of = [run["ended_group_serial"], run["ended_wavefront_serial"], run["ended_transactional"]]
    return [n / sum(all_of) for n in all_of]


MODES = list(zip(["work-group serialisation", "wavefront serialisation", "transactional"], plot.COLORS))


def speedups(variants, title):
    groups = [Group(name, [Bar([speedup(p, v)]) for v in variants]) for p, name in PROGRAMS.items()]
    groups.append(Group("gmean", [Bar([gmean(speedup(p, v) for p in PROGRAMS)]) for v in variants], True))
    return plot.bars(title, list(zip(variants.values(), plot.COLORS)), [Panel(groups, "speed-up, GPU-LocalTM = 1", 4)])


def stacks(variants, title, of, names, unit):
    """Stacks in the order of the variants, over that of the first."""
    groups = []
    for p, name in PROGRAMS.items():
        base = sum(of(RUNS[p, next(iter(variants))]))
        groups.append(Group(name, [Bar([v / base for v in of(RUNS[p, variant])]) for variant in variants]))
    return plot.bars(title, [(name, "") for name in variants.values()], [Panel(groups, unit, 2 if of is parts else None)], names)


def figures():
    return {
        "local_selections.svg": speedups(BY_SELECTION, "Speed-up by selection, pRW-sig (figure 2)"),
        "local_selections_parts.svg": stacks(BY_SELECTION, "Cycles of wavefronts by selection (figure 3)", parts, PARTS, "ascending-single = 1"),
        "local_selections_modes.svg": stacks(BY_SELECTION, "Transactions of wavefronts by the mode that they came to (figure 4)", modes, MODES, "share"),
        "local_detections.svg": speedups(BY_DETECTION, "Speed-up by detection, ascending-single (figure 5)"),
        "local_detections_parts.svg": stacks(BY_DETECTION, "Cycles of wavefronts by detection (figure 6)", parts, PARTS, "pRW-sig = 1"),
        "local_detections_modes.svg": stacks(BY_DETECTION, "Transactions of wavefronts by the mode that they came to (figure 7)", modes, MODES, "share"),
        "local_claims.svg": plot.claims("Ours over the paper's value", tables(claims_table()), "paper"),
    }


def count(condition):
    return float(sum(1 for p in PROGRAMS if condition(p)))


def best(program, detections):
    return min(RUNS[program, f"{d}-ascending_single"]["cycles"] for d in detections)


def share_of_overhead(program, detection):
    run = RUNS[program, f"{detection}-ascending_single"]
    return parts(run)[2] / (sum(parts(run)) - parts(run)[4])


def serialised(run):
    """Percent of the transactions of wavefronts."""
    return 100 * sum(modes(run)[:2])


# Claim, what, the paper's value, band, ours.
def rows():
    best_of = max(speedup(p, v) for p in PROGRAMS for v in BY_SELECTION)
    yield "L1", "speed-up by a selection over ascending-single, most of any program", 1.3, 1.1, 1.4, best_of
    yield "L1", "the same, geometric mean of each program's best", None, None, None, gmean(max(speedup(p, v) for v in BY_SELECTION) for p in PROGRAMS)
    yield "L2", "time of ascending-multiple over ascending-single, KM-HC", "above 1", 1, 10, time_over("km_high", "prw_sig-ascending_multiple")
    yield "L2", "the same with one bank, whose signatures have aliases", "above 1", 1, 10, CHANGED["km_high", "one_bank_ascending_multiple"]["cycles"] / CHANGED["km_high", "one_bank_ascending_single"]["cycles"]
    yield "L3", "programs in which a descending selection is as fast as the ascending one or faster, within 2 %, single", "most", 5, 8, count(lambda p: time_over(p, "prw_sig-descending_single") < 1.02)
    yield "L3", "the same, multiple", "most", 5, 8, count(lambda p: time_over(p, "prw_sig-descending_multiple", "prw_sig-ascending_multiple") < 1.02)
    for p in ("ht_high", "ht_low", "gc_high", "gc_low"):
        yield "L4", f"speed-up by sWO-sig, {PROGRAMS[p]}", "above 1", 1, 100, speedup(p, "swo_sig-ascending_single")
    for p in ("it_high", "it_low", "km_high", "km_low"):
        yield "L4", f"speed-up by sWO-sig, {PROGRAMS[p]}", 1, 0.9, 1.1, speedup(p, "swo_sig-ascending_single")
    yield "L5", "programs in which a directory is faster than both signatures", 1, 1, 2, count(lambda p: best(p, ("dcd", "smdcd")) < best(p, ("prw_sig", "swo_sig")))
    yield "L5", "of these GC-LC", 1, 1, 1, float(best("gc_low", ("dcd", "smdcd")) < best("gc_low", ("prw_sig", "swo_sig")))
    yield "L6", "fastest other detection over pRW-sig, time, IT-HC", "above 1", 1, 100, best("it_high", ("swo_sig", "dcd", "smdcd")) / RUNS["it_high", BASE]["cycles"]
    yield "L7", "speed-up by detection over pRW-sig, most of any program", 9, 6, 10, max(speedup(p, v) for p in PROGRAMS for v in BY_DETECTION)
    yield "L7", "speed-up of pRW-sig over serialised sections, least of any program", 1.25, 1, 80, min(speedup(p, BASE, SERIALISED) for p in PROGRAMS)
    yield "L7", "the same, most of any program", 80, 5, 80, max(speedup(p, BASE, SERIALISED) for p in PROGRAMS)
    yield "L8", "share of time in transactions that is overhead of memory, DCD over pRW-sig, geometric mean", "above 1", 1, 10, gmean(share_of_overhead(p, "dcd") / share_of_overhead(p, "prw_sig") for p in PROGRAMS)
    yield "L8", "conflicts of pRW-sig over those of DCD, geometric mean", "above 1", 1, 10, gmean(RUNS[p, BASE]["conflicts"] / RUNS[p, "dcd-ascending_single"]["conflicts"] for p in PROGRAMS)
    for p in ("ht_low", "it_low"):
        for d in ("dcd", "smdcd"):
            yield "L9", f"transactions that are serialised, %, {DETECTIONS[d]}, {PROGRAMS[p]}", 0, 0, 1, serialised(RUNS[p, f"{d}-ascending_single"])


def claims_table():
    out = ["| claim | what | paper | band | ours | |", "|---|---|---:|---|---:|---|"]
    for claim, what, paper, low, high, ours in rows():
        shown = "" if paper is None else paper if isinstance(paper, str) else f"{paper:g}"
        out.append(f"| {claim} | {what} | {shown} | {of_band(low, high)} | {ours:.2f} | {judge(low, high, ours)} |")
    return "\n".join(out) + "\n"


def others_table():
    """Thousand cycles."""
    out = ["| program | " + " | ".join(OTHERS.values()) + " |", "|---|" + "---:|" * len(OTHERS)]
    for p, name in PROGRAMS.items():
        out.append(f"| {name} | " + " | ".join(f"{RUNS[p, v]['cycles'] / 1000:.1f}" for v in OTHERS) + " |")
    return "\n".join(out) + "\n"


def causes_table():
    out = ["| one change: time over that without | " + " | ".join(PROGRAMS.values()) + " |", "|---|" + "---:|" * len(PROGRAMS)]
    for variant, of, what in CAUSES:
        out.append(f"| {what} | " + " | ".join(f"{time_over(p, variant, of, CHANGED):.2f}" for p in PROGRAMS) + " |")
    return "\n".join(out) + "\n"


def serialised_table():
    out = ["| serialised, % | " + " | ".join(PROGRAMS.values()) + " |", "|---|" + "---:|" * len(PROGRAMS)]
    for d in ("prw_sig", "dcd", "smdcd"):
        for runs, variant, when in ((RUNS, f"{d}-ascending_single", "at once"), (CHANGED, f"{d}_restart_200", "after 200 cycles")):
            out.append(f"| {DETECTIONS[d]}, again {when} | " + " | ".join(f"{serialised(runs[p, variant]):.1f}" for p in PROGRAMS) + " |")
    return "\n".join(out) + "\n"


sys.exit(renew("local_transactions.py", PAGE, {"local claims": claims_table(), "local others": others_table(), "local causes": causes_table(),
                                               "local serialised": serialised_table()}, figures()))
