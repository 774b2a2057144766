#!/usr/bin/python3 -s
"""Figures and tables of docs/figures-transactions.md from the data of transactions.sh: transactions.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
Policies and programs that the data do not have are left out, or stand as "not run".
"""
import csv
import sys

import plot
from claims import gmean, judge, of_band, tables
from pages import HERE, renew
from plot import Bar, Group, Panel
from transactions_sizes import sizes_table, total

PAGE = HERE.parent / "figures-transactions.md"
SHORT = {"hash_table": "HT-H", "hash_table_m": "HT-M", "hash_table_l": "HT-L", "atm": "ATM", "cloth": "CL", "cloth_to": "CLto",
         "barnes_hut": "BH", "cuda_cuts": "CC", "apriori": "AP"}
PROGRAMS = list(SHORT)
NAMES = {"locks": "FGLock", "kilotm": "KiloTM", "warptm": "WarpTM", "eapg": "EAPG", "warptm_el": "WarpTM-EL", "getm": "GETM"}
COLORS = dict(zip(NAMES, ["#333333", *plot.COLORS[:4], plot.COLORS[5]]))
CONCURRENCY = ["1", "2", "4", "8", "16", "0"]
# Table 4.4: the best concurrency (0: no limit) and aborts per 1000 commits, of WarpTM, EAPG, WarpTM-EL and GETM.
TABLE_4_4 = {"hash_table": ([2, 2, 8, 8], [119, 113, 122, 460]), "hash_table_m": ([8, 4, 8, 8], [98, 84, 83, 172]),
             "hash_table_l": ([8, 4, 8, 8], [80, 78, 78, 207]), "atm": ([4, 4, 4, 4], [27, 26, 25, 114]),
             "cloth": ([2, 2, 4, 4], [93, 91, 119, 205]), "cloth_to": ([4, 2, 4, 4], [110, 61, 72, 176]),
             "barnes_hut": ([2, 2, 8, 0], [93, 86, 145, 865]), "cuda_cuts": ([0, 0, 0, 0], [6, 5, 1, 38]), "apriori": ([1, 1, 1, 1], [231, 237, 204, 9188])}
IN_4_4 = ["warptm", "eapg", "warptm_el", "getm"]


def read(name):
    """The runs of a file, none where it was not collected."""
    path = HERE / f"{name}.csv"
    if not path.exists():
        return []
    with open(path) as file:
        return [{k: v if k in ("workload", "policy", "concurrency", "variant") else float(v) for k, v in row.items()} for row in csv.DictReader(file)]


SWEEP = {(r["workload"], r["policy"], r["concurrency"]): r for r in read("transactions")}
CHANGED = {(r["workload"], r["policy"], r["variant"]): r for part in ("structures", "fermi56", "causes") for r in read(f"transactions_{part}")}


def best(workload, policy):
    """The run with the fewest cycles, at whatever concurrency; None where there is none."""
    runs = [run for (w, p, _), run in SWEEP.items() if (w, p) == (workload, policy)]
    return min(runs, key=lambda run: run["cycles"]) if runs else None


MEMORIES = [p for p in NAMES if p != "locks" and any(best(w, p) for w in PROGRAMS)]
BASE = "warptm" if "warptm" in MEMORIES else None  # what figures 4.10, 4.12 and 4.14 are relative to


def over(value, policy, of, programs=None):
    """Of a value of the best runs, by program."""
    pairs = [(w, best(w, policy), best(w, of)) for w in programs or PROGRAMS]
    return {w: value(a) / value(b) for w, a, b in pairs if a and b and value(a) > 0 and value(b) > 0}


def changed(value, policy, variant, programs=None):
    """Of a value of runs with a change over the best runs without, by program."""
    pairs = [(w, CHANGED.get((w, policy, variant)), best(w, policy)) for w in programs or PROGRAMS]
    return {w: value(a) / value(b) for w, a, b in pairs if a and b and value(b) > 0 and value(a) > 0}


def cycles(run):
    return run["cycles"]


def flits(run):
    return run["flits"]


def in_transactions(run):
    return run["executed_sum"] + run["waited_sum"]


def aborts(run):
    return 1000 * run["aborted"] / run["committed"]


def mean(run, name):
    return run[f"{name}_sum"] / run[f"{name}_count"] if run[f"{name}_count"] else 0.0


def bar(value):
    return None if value is None else Bar([value])


def with_mean(groups_of, policies):
    """Groups of a bar for each policy from its values by program, and the geometric mean of the programs that all have run."""
    values = {p: groups_of(p) for p in policies}
    groups = [Group(SHORT[w], [bar(values[p].get(w)) for p in policies]) for w in PROGRAMS if any(w in values[p] for p in policies)]
    shared = [w for w in PROGRAMS if all(w in values[p] for p in policies)]
    return groups + [Group("gmean of\nthose of all", [bar(gmean([values[p][w] for w in shared])) for p in policies], True)]


def series(policies):
    return [(NAMES[p], COLORS[p]) for p in policies]


def concurrency_figure(workload):
    """Figure 4.3, by committed transaction."""
    groups = []
    for c in CONCURRENCY:
        runs = [SWEEP.get((workload, p, c)) for p in MEMORIES]
        groups.append(Group("no limit" if c == "0" else c, [Bar([r["executed_sum"] / r["committed"] / 1000, r["waited_sum"] / r["committed"] / 1000]) if r else None for r in runs]))
    return plot.bars(f"{SHORT[workload]}: cycles of warps for each transaction by warps in transactions in an SM (figure 4.3)",
                     [(NAMES[p], "") for p in MEMORIES], [Panel(groups, "1000 cycles")], [("executing", plot.COLORS[0]), ("waiting", plot.COLORS[1])])


def cycles_figure():
    """Figure 4.10, and 4.4 (a)."""
    groups = []
    for w in PROGRAMS:
        runs = [best(w, p) for p in MEMORIES]
        if not any(runs) or BASE and not best(w, BASE):
            continue
        base = in_transactions(best(w, BASE)) if BASE else 100.0 * next(r for r in runs if r)["committed"]
        groups.append(Group(SHORT[w], [Bar([r["executed_sum"] / base, r["waited_sum"] / base]) if r else None for r in runs]))
    unit = f"{NAMES[BASE]} = 1" if BASE else "100 cycles a transaction"
    return plot.bars("Cycles of warps in transactions, at the best concurrency (figure 4.10)", [(NAMES[p], "") for p in MEMORIES], [Panel(groups, unit, None if BASE else 60)],
                     [("executing", plot.COLORS[0]), ("waiting", plot.COLORS[1])])


def time_figure():
    shown = [p for p in MEMORIES if p in IN_4_4]
    return plot.bars("Time at the best concurrency over that with fine-grained locks (figure 4.11)", series(shown),
                     [Panel(with_mean(lambda p: over(cycles, p, "locks"), shown), "time, FGLock = 1", 5)])


def traffic_figure():
    base = BASE or "locks"
    shown = [p for p in MEMORIES if p in IN_4_4 and p != base]
    return plot.bars(f"Flits of both crossbars over those with {NAMES[base]} (figure 4.12)", series(shown),
                     [Panel(with_mean(lambda p: over(flits, p, base), shown), f"{NAMES[base]} = 1", 8)])


def getm_figure(title, panels):
    """Single bars of GETM; panels: (value of a run, unit)."""
    runs = [(w, best(w, "getm")) for w in PROGRAMS if best(w, "getm")]
    return plot.bars(title, [("GETM", COLORS["getm"])], [Panel([Group(SHORT[w], [Bar([value(run)])]) for w, run in runs], unit) for value, unit in panels])


def structures_figure():
    """Figure 4.14, over the sizes that are the default."""
    def panel(variants):
        def values(variant):
            return changed(cycles, "getm", variant) if variant else {w: 1.0 for w in PROGRAMS if best(w, "getm")}
        by = [values(v) for v, _ in variants]
        groups = [Group(SHORT[w], [bar(one.get(w)) for one in by]) for w in PROGRAMS if best(w, "getm")]
        groups.append(Group("gmean", [bar(gmean(list(one.values()))) for one in by], True))
        return Panel(groups, "time", 3)
    sizes = [("precise_2048", "2K entries"), (None, "4K"), ("precise_8192", "8K")]
    bytes_of = [("granularity_128", "128 bytes"), ("granularity_64", "64"), (None, "32"), ("granularity_16", "16")]
    return {"transactions_metadata.svg": plot.bars("GETM: time by entries of the precise table (figure 4.14 a)", list(zip([n for _, n in sizes], plot.ramp(3))), [panel(sizes)]),
            "transactions_granularity.svg": plot.bars("GETM: time by bytes that share metadata (figure 4.14 b)", list(zip([n for _, n in bytes_of], plot.ramp(4))), [panel(bytes_of)])}


def larger_figure():
    """Figure 4.17, over FGLock of its machine where there is no WarpTM."""
    base = BASE or "locks"
    shown = [p for p in MEMORIES if any((w, p, "fermi56") in CHANGED for w in PROGRAMS)]
    def values(policy, variant):
        runs = [(w, CHANGED.get((w, policy, variant)) if variant else best(w, policy), best(w, base)) for w in PROGRAMS]
        return {w: run["cycles"] / of["cycles"] for w, run, of in runs if run and of}
    columns = [(p, None) for p in shown] + [(p, "fermi56") for p in shown]
    by = [values(*column) for column in columns]
    groups = [Group(SHORT[w], [bar(one.get(w)) for one in by]) for w in PROGRAMS if all(w in one for one in by)]
    groups.append(Group("gmean", [bar(gmean([one[w] for w in PROGRAMS if all(w in other for other in by)])) for one in by], True))
    names = [(NAMES[p] + (", 56 SMs" if v else ""), "") for p, v in columns]
    return plot.bars(f"Time with 15 and 56 SMs over {NAMES[base]} with 15 (figure 4.17)", list(zip([n for n, _ in names], plot.ramp(len(names)))),
                     [Panel(groups, f"{NAMES[base]} = 1")])


def figures():
    made = {"transactions_claims.svg": plot.claims("Claims of Ren's chapter 4 that are numbers: ours over the thesis's", tables(claims_table())),
            "transactions_concurrency.svg": concurrency_figure("hash_table"), "transactions_cycles.svg": cycles_figure(),
            "transactions_time.svg": time_figure(), "transactions_traffic.svg": traffic_figure(),
            "transactions_cuckoo.svg": getm_figure("GETM: cycles of a decision in the metadata tables (figure 4.13)", [(lambda r: mean(r, "access_cycles"), "cycles")]),
            "transactions_stalls.svg": getm_figure("GETM: stall buffers (figures 4.15 and 4.16)", [
                (lambda r: r["stalled_addresses_max_of_all"], "addresses, at most"), (lambda r: mean(r, "stalled_requests"), "requests an address")])}
    if any(part.startswith("precise") for _, _, part in CHANGED):
        made.update(structures_figure())
    if any(variant == "fermi56" for _, _, variant in CHANGED):
        made["transactions_larger.svg"] = larger_figure()
    return made


def values_of(value, policy, programs=None):
    return [value(best(w, policy)) for w in programs or PROGRAMS if best(w, policy)]


def claims():
    """(claim, what, thesis, band low, band high, value); a value is a function, which gives None where runs are missing."""
    def ratio(policy, of, programs=None):
        return lambda: gmean(list(over(cycles, policy, of, programs).values()))

    def most(value, policy="getm"):
        return lambda: max(values_of(value, policy), default=None)

    def middle(value, policy="getm"):
        values = values_of(value, policy)
        return sum(values) / len(values) if values else None

    def as_fast(policy, than):
        """Programs whose best concurrency is at least that of another policy."""
        runs = [(int(best(w, policy)["concurrency"]) or 64, int(best(w, than)["concurrency"]) or 64) for w in PROGRAMS if best(w, policy) and best(w, than)]
        return sum(a >= b for a, b in runs) if runs else None

    def pauses():
        runs = [best(w, "eapg") for w in PROGRAMS if best(w, "eapg")]
        return 100 * sum(r["paused"] for r in runs) / sum(r["committed"] for r in runs) if runs else None

    def share(part):
        runs = [best(w, "eapg") for w in PROGRAMS if best(w, "eapg")]
        return 100 * sum(r.get(part, 0) for r in runs) / max(1, sum(r["aborted"] for r in runs)) if runs else None

    return [
        ("G1", "time of WarpTM over GETM, geometric mean", "1.2", 1.1, 1.4, ratio("warptm", "getm")),
        ("G1", "the same without BH", "", None, None, ratio("warptm", "getm", [w for w in PROGRAMS if w != "barnes_hut"])),
        ("G2", "the same of HT-H", "2.1", 1.6, 2.6, ratio("warptm", "getm", ["hash_table"])),
        ("G3", "time of FGLock over GETM, geometric mean", "0.93", 0.85, 1.05, ratio("locks", "getm")),
        ("G3", "the same without CL, CLto and BH", "", None, None,
         ratio("locks", "getm", [w for w in PROGRAMS if w not in ("cloth", "cloth_to", "barnes_hut")])),
        *[("G4", f"time of {NAMES[p]} over FGLock, {SHORT[w]}", t, None, None, ratio(p, "locks", [w]))
          for p, w, t in (("warptm", "hash_table", "2.9"), ("eapg", "hash_table", "3.3"), ("warptm", "hash_table_m", "2.0"),
                          ("eapg", "hash_table_m", "2.5"), ("eapg", "cloth", "1.6"))],
        ("G5", "cycles in transactions of WarpTM-EL over WarpTM, geometric mean", "below 1", 0, 1,
         lambda: gmean(list(over(in_transactions, "warptm_el", "warptm").values()))),
        ("G6", "aborts of EAPG that are early, %", "5.2", 0, 15, lambda: share("aborted_early")),
        ("G7", "pauses for 100 transactions of EAPG (a transaction may pause more than once)", "1.3", 0, 5, pauses),
        ("G8", "time of EAPG over WarpTM, geometric mean", "above 1", 1, 10, ratio("eapg", "warptm")),
        ("G9", "cycles in transactions of GETM over WarpTM, geometric mean", "below 1", 0, 1,
         lambda: gmean(list(over(in_transactions, "getm", "warptm").values()))),
        ("G10", "flits of GETM over WarpTM, geometric mean", "slightly above 1", 0.9, 1.5, lambda: gmean(list(over(flits, "getm", "warptm").values()))),
        ("G11", "cycles of a decision in the tables, mean of the programs", "1 to 1.5", 1, 2, lambda: middle(lambda r: mean(r, "access_cycles"))),
        ("G12", "decisions that went to the list in memory, % (most of any program)", "0", 0, 1,
         most(lambda r: 100 * r["overflowed"] / max(1, r["access_cycles_count"]))),
        ("G13", "time with 2K entries over 4K, geometric mean", "above 1", 1, 3, lambda: gmean(list(changed(cycles, "getm", "precise_2048").values()))),
        ("G13", "time with 8K entries over 4K, geometric mean", "1", 0.95, 1.02, lambda: gmean(list(changed(cycles, "getm", "precise_8192").values()))),
        ("G14", "time with 128 bytes over 32, geometric mean", "above 1", 1, 3, lambda: gmean(list(changed(cycles, "getm", "granularity_128").values()))),
        ("G15", "addresses in all stall buffers, most of any program (at most)", "12", 0, 16, most(lambda r: r["stalled_addresses_max_of_all"])),
        ("G16", "requests that wait for an address, mean of the programs", "1", 0, 1.5, lambda: middle(lambda r: mean(r, "stalled_requests"))),
        ("G17", "programs in which GETM is best with as much concurrency as WarpTM or more", "9", 9, 9, lambda: as_fast("getm", "warptm")),
        *[("G18", f"aborts of GETM for 1000 commits, {SHORT[w]}", str(TABLE_4_4[w][1][3]), None, None,
           lambda w=w: aborts(best(w, "getm")) if best(w, "getm") else None) for w in PROGRAMS],
        ("G18", "GETM's aborts are the most in AP", "yes", 1, 1,
         lambda: float(max(PROGRAMS, key=lambda w: aborts(best(w, "getm"))) == "apriori") if all(best(w, "getm") for w in PROGRAMS) else None),
        ("G19", "56 SMs: time of WarpTM over GETM, geometric mean", "above 1", 1, 3, lambda: gmean([
            CHANGED[w, "warptm", "fermi56"]["cycles"] / CHANGED[w, "getm", "fermi56"]["cycles"] for w in PROGRAMS
            if (w, "warptm", "fermi56") in CHANGED and (w, "getm", "fermi56") in CHANGED])),
        ("G20", "cycles for a step of the logical time, least of the programs", "1265", 400, 4000,
         lambda: min(values_of(lambda r: r["cycles"] / r["warpts"], "getm"), default=None)),
        ("G20", "the same, most", "15836", 5000, 50000, lambda: max(values_of(lambda r: r["cycles"] / r["warpts"], "getm"), default=None)),
        ("G21", "area of WarpTM over GETM", "3.6", 3.5, 3.7, lambda: total("WarpTM", "area") / total("GETM", "area")),
        ("G21", "area of EAPG over GETM", "4.9", 4.8, 5.0, lambda: total("EAPG", "area") / total("GETM", "area")),
        ("G22", "power of WarpTM over GETM", "2.2", 2.1, 2.3, lambda: total("WarpTM", "power") / total("GETM", "power")),
        ("G22", "power of EAPG over GETM", "3.6", 3.4, 3.7, lambda: total("EAPG", "power") / total("GETM", "power")),
        ("G24", "commit IDs in a ring of WarpTM, most of any run", "700", 500, 1024, lambda: max(
            (run["in_ring_max"] for (_, policy, _), run in SWEEP.items() if policy == "warptm"), default=None)),
        ("G27", "time of FGLock over KiloTM, geometric mean", "0.59", 0.4, 0.8, ratio("locks", "kilotm")),
    ]


def claims_table():
    out = ["| claim | what | thesis | band | ours | |", "|---|---|---:|---|---:|---|"]
    inside = judged = missing = 0
    for claim, what, thesis, low, high, function in claims():
        ours = function()
        if ours is None:
            missing += 1
            out.append(f"| {claim} | {what} | {thesis} | {of_band(low, high)} | not run | |")
            continue
        verdict = judge(low, high, ours)
        judged += low is not None
        inside += verdict == "in band"
        out.append(f"| {claim} | {what} | {thesis} | {of_band(low, high)} | {ours:{'.0f' if ours >= 100 else '.2f'}} | {verdict} |")
    return "\n".join(out) + f"\n\n{inside} of the {judged} rows with a band that were run are in it; {missing} rows were not run.\n"


def named(concurrency):
    return "no limit" if int(concurrency) == 0 else str(concurrency)


def optimum_table():
    """Table 4.4."""
    shown = [p for p in MEMORIES if p in IN_4_4]
    out = ["| program | " + " | ".join(f"{NAMES[p]}: best concurrency, thesis | ours | aborts for 1000 commits, thesis | ours" for p in shown) + " |",
           "|---|" + "---:|" * (4 * len(shown))]
    for w in PROGRAMS:
        cells = []
        for p in shown:
            run, (concurrency, aborted) = best(w, p), TABLE_4_4[w]
            cells += [named(concurrency[IN_4_4.index(p)]), named(run["concurrency"]) if run else "not run", str(aborted[IN_4_4.index(p)]),
                      f"{aborts(run):.0f}" if run else "not run"]
        out.append(f"| {SHORT[w]} | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def columns(prefix, runs):
    return [name for name in (runs[0] if runs else {}) if name.startswith(prefix) and any(run[name] for run in runs)]


def parts_table(prefix, policy, of):
    """Columns of the best runs that begin with `prefix`, each divided by `of`."""
    runs = [(w, best(w, policy)) for w in PROGRAMS if best(w, policy)]
    names = columns(prefix, [run for _, run in runs])
    out = ["| program | " + " | ".join(n.removeprefix(prefix).replace("_", " ") for n in names) + " | all |", "|---|" + "---:|" * (len(names) + 1)]
    for w, run in runs:
        out.append(f"| {SHORT[w]} | " + " | ".join(f"{of(run, n):.1f}" for n in names) + f" | {sum(of(run, n) for n in names):.1f} |")
    return "\n".join(out) + "\n"


def structures_table():
    """What GETM's structures saw in the best runs."""
    out = ["| program | cycles for a step of the logical time | decisions | cycles of one | granules evicted to the filter | accesses to the list in memory | most in a stash | "
           "addresses in all stall buffers, at most | requests an address |", "|---|" + "---:|" * 8]
    for w in PROGRAMS:
        run = best(w, "getm")
        if run:
            out.append(f"| {SHORT[w]} | {run['cycles'] / run['warpts']:.0f} | {run['access_cycles_count']:.0f} | {mean(run, 'access_cycles'):.2f} | {run['evicted']:.0f} | "
                       f"{run['overflowed']:.0f} | {run['stashed_max']:.0f} | {run['stalled_addresses_max_of_all']:.0f} | {mean(run, 'stalled_requests'):.2f} |")
    return "\n".join(out) + "\n"


def sweep_table():
    """Million cycles at each concurrency."""
    out = ["| program | policy | " + " | ".join(named(c) for c in CONCURRENCY) + " | FGLock |", "|---|---|" + "---:|" * (len(CONCURRENCY) + 1)]
    for w in PROGRAMS:
        for p in MEMORIES:
            if not best(w, p):
                continue
            cells = [f"{SWEEP[w, p, c]['cycles'] / 1e6:.3f}" if (w, p, c) in SWEEP else "not run" for c in CONCURRENCY]
            locks = best(w, "locks")
            out.append(f"| {SHORT[w]} | {NAMES[p]} | " + " | ".join(cells) + f" | {locks['cycles'] / 1e6:.3f} |" if locks else " | not run |")
    return "\n".join(out) + "\n"


# (policy, variant of the data, what is changed alone)
CAUSES = [("getm", "exact", "1M entries in the precise table: nothing is evicted"), ("getm", "filter_6k", "six times as many entries in the filter"),
          ("getm", "released", "tables, stall buffers and lookup of the released simulator"), ("getm", "thesis_tie", "`tie_rule=thesis`"),
          ("getm", "begins_at_warp", "`begins_at=warp`, the rule of the text"),
          ("getm", "tags", "`attempt_tags=4`"), ("getm", "no_backoff", "back-off in steps of 1 cycle"),
          ("getm", "as_gtx480", "crossbars, scheduler and L2 of `gtx480` as it is"), ("eapg", "no_pauses", "`pause_and_go=false`"),
          ("eapg", "no_early_aborts", "`early_abort=false`")]


def causes_table():
    """One change each at the best concurrency: time over that without, and aborts."""
    programs = [w for w in PROGRAMS if any((w, p, v) in CHANGED for p, v, _ in CAUSES)]
    out = ["| policy | one change | " + " | ".join(f"{SHORT[w]}: time, aborts for 1000 commits" for w in programs) + " |", "|---|---|" + "---:|" * len(programs)]
    for policy in dict.fromkeys(policy for policy, _, _ in CAUSES):
        changes = [(variant, what) for p, variant, what in CAUSES if p == policy and any((w, p, variant) in CHANGED for w in programs)]
        if changes:
            out.append(f"| {NAMES[policy]} | none | " + " | ".join(f"1, {aborts(run):.0f}" if run else "not run" for run in (best(w, policy) for w in programs)) + " |")
        for variant, what in changes:
            runs = [(CHANGED.get((w, policy, variant)), best(w, policy)) for w in programs]
            cells = [f"{run['cycles'] / base['cycles']:.2f}, {aborts(run):.0f}" if run and base else "not run" for run, base in runs]
            out.append(f"| {NAMES[policy]} | {what} | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


sys.exit(renew("transactions.py", PAGE, {
    "transactions claims": claims_table(), "transactions optimum": optimum_table(), "transactions sweep": sweep_table(),
    "transactions aborts": parts_table("aborted_", "getm", lambda run, name: 1000 * run[name] / run["committed"]),
    "transactions traffic": parts_table("flits_", "getm", lambda run, name: run[name] / run["committed"]),
    "transactions structures": structures_table(), "transactions causes": causes_table(), "transactions sizes": sizes_table()}, figures()))
