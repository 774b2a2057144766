#!/usr/bin/python3 -s
"""Figures and tables of docs/multi-gpu.md from the data of multi_gpu.sh: multi_gpu.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
Runs that the data do not have stand as "not run"; means are those of the programs that every bar of their group has.
"""
import csv
import sys

import plot
from claims import gmean, judge, of_band, tables
from pages import HERE, renew
from plot import Bar, Group, Panel

PAGE = HERE.parent / "multi-gpu.md"
GIGAHERTZ, LINK = 1.3, 12.5  # of hmg_scaled: the clock of its SMs, and GB/s of a link's direction
SHORT = {"conv": "conv", "md": "md", "hotspot": "hotsp", "stencil": "stencil", "pathfinder": "path", "multigrid": "mgrid", "cg": "cg",
         "nw": "nw", "rnn": "rnn", "rnn_dgrad": "dgrad", "rnn_wgrad": "wgrad", "lstm": "lstm", "sweep": "sweep", "bfs": "bfs", "sssp": "sssp", "mst": "mst"}
PROGRAMS = list(SHORT)
SOME = ["rnn_dgrad", "sssp", "mst"]  # of the figures of one GPU and of sizes, with inputs of `--size medium`
MEDIUM = "medium"  # variant: those on the machine of the table
NAMES = {"sw": "software", "nhcc": "NHCC", "sw_hierarchical": "software, hierarchical", "hmg": "HMG", "ideal_remote": "ideal"}
COLORS = dict(zip(NAMES, plot.COLORS))
BASE = "no_remote_caching"
IMPLEMENTABLE = ["nhcc", "sw_hierarchical", "hmg"]


def read(name):
    """The runs of a file, none where it was not collected."""
    path = HERE / f"multi_gpu_{name}.csv"
    if not path.exists():
        return {}
    with open(path) as file:
        return {(row["workload"], row["policy"], row["variant"]): {k: float(v) for k, v in row.items() if k not in ("workload", "policy", "variant")}
                for row in csv.DictReader(file)}


RUNS = {key: run for part in ("four_gpus", "one_gpu", "medium", "bandwidth", "directory", "granularity", "l2", "gpus", "causes") for key, run in read(part).items()}


def run(workload, policy, variant="four_gpus"):
    return RUNS.get((workload, policy, variant))


def mean(values):
    return sum(values) / len(values) if values else None


def speedups(policy, variant="four_gpus", base="four_gpus", programs=PROGRAMS, of=BASE):
    """By program: cycles of another policy over those of this one."""
    pairs = [(w, run(w, of, base), run(w, policy, variant)) for w in programs]
    return {w: a["cycles"] / b["cycles"] for w, a, b in pairs if a and b}


def bar(value):
    return None if value is None else Bar([value])


def speedup_panel(policies, variant, base):
    by = [speedups(p, variant, base) for p in policies]
    shared = [w for w in PROGRAMS if all(w in one for one in by)]
    groups = [Group(SHORT[w], [bar(one.get(w)) for one in by]) for w in PROGRAMS if any(w in one for one in by)]
    return groups, Group("gmean", [bar(gmean([one[w] for w in shared])) for one in by], True)


def policies_figure(title, policies, variant):
    groups, together = speedup_panel(policies, variant, variant)
    half = -(-len(groups) // 2)
    unit = "speedup"
    return plot.bars(title, [(NAMES[p], COLORS[p]) for p in policies], [Panel(groups[:half], unit), Panel([*groups[half:], together], unit)])


def size_mean(policy, variant, base=MEDIUM):
    """Geometric mean of the speedups of the programs that figures of sizes have, over no remote caching at the sizes of the table or of `base`."""
    found = speedups(policy, variant, base, SOME)
    return gmean([found[w] for w in SOME]) if set(found) == set(SOME) else None


def sizes_figure(title, variants):
    """Figures 5.13 to 5.16; `variants`: (variant of a policy, name)."""
    policies = [*IMPLEMENTABLE, "ideal_remote"]
    groups = [Group(name, [bar(size_mean(p, variant(p))) for p in policies]) for variant, name in variants]
    return plot.bars(title, [(NAMES[p], COLORS[p]) for p in policies], [Panel(groups, "speedup")])


def always(variant):
    return lambda policy: variant


def with_directory(variant):
    """Of HMG; the others are what they are with 12K entries of four lines."""
    return lambda policy: variant if policy == "hmg" else MEDIUM


LINKS = [("link_100", "100 GB/s"), (MEDIUM, "200 GB/s"), ("link_300", "300 GB/s"), ("link_400", "400 GB/s")]
L2S = [("l2_6", "6 MB a GPU"), (MEDIUM, "12 MB"), ("l2_24", "24 MB")]
ENTRIES = [("entries_3k", "3K entries a module"), ("entries_6k", "6K"), (MEDIUM, "12K")]
LINES = [("lines_1", "1 line an entry"), ("lines_2", "2 lines"), (MEDIUM, "4 lines")]
GPUS = [(MEDIUM, "4 GPUs"), ("gpus_8", "8 GPUs"), ("gpus_16", "16 GPUs")]


def by_program(value, policies, unit, title, variant="four_gpus"):
    """Bars of a value of runs; the mean is arithmetic, as in the thesis's figures of averages."""
    by = [{w: value(run(w, p, variant)) for w in PROGRAMS if run(w, p, variant) and value(run(w, p, variant)) is not None} for p in policies]
    shared = [w for w in PROGRAMS if all(w in one for one in by)]
    groups = [Group(SHORT[w], [bar(one.get(w)) for one in by]) for w in PROGRAMS if any(w in one for one in by)]
    groups.append(Group("mean", [bar(mean([one[w] for w in shared])) for one in by], True))
    return plot.bars(title, [(NAMES[p], COLORS[p]) for p in policies], [Panel(groups, unit)])


def seconds(one):
    return one["cycles"] / (GIGAHERTZ * 1e9)


def bandwidth(one):
    """All invalidations that L2s send, in GB/s."""
    return one["sent_INV_bytes"] / seconds(one) / 1e9


def for_a_store(one):
    """Where a directory forgets nothing: no statistic tells why a copy was invalidated."""
    return one["lines_invalidated"] / one["home_writes"] if one["home_writes"] and not one["directory_evictions"] else None


def saved_loads(workload):
    """Share of the lines that NHCC loads over links and HMG does not."""
    nhcc, hmg = run(workload, "nhcc"), run(workload, "hmg")
    return 1 - hmg["link_loads"] / nhcc["link_loads"] if nhcc and hmg and nhcc["link_loads"] else None


def for_an_eviction(workload):
    """Lines invalidated with a quarter of the table's entries beyond those with a directory that forgets nothing, for each that leaves."""
    some, all_of_it = run(workload, "hmg", "entries_3k"), run(workload, "hmg", "entries_all")
    if not some or not all_of_it or some["directory_evictions"] < 1000:
        return None
    return (some["lines_invalidated"] - all_of_it["lines_invalidated"]) / some["directory_evictions"]


def figures():
    made = {"multi_gpu_claims.svg": plot.claims("Claims of Ren's chapter 5 that are numbers: ours over the thesis's", tables(claims_table())),
            "multi_gpu_policies.svg": policies_figure("Four GPUs of four modules: speedup over no remote caching (figures 5.2 and 5.9)", list(NAMES), "four_gpus"),
            "multi_gpu_stores.svg": by_program(for_a_store, ["nhcc", "hmg"], "lines", "Lines invalidated for each store at its home (figure 5.10)"),
            "multi_gpu_invalidations.svg": by_program(bandwidth, ["nhcc", "hmg"], "GB/s", "Bandwidth of all invalidations (figure 5.12)")}
    if any(variant == "one_gpu" for _, _, variant in RUNS):
        made["multi_gpu_one.svg"] = policies_figure("One GPU of four modules: speedup over no remote caching (figure 5.8)", ["sw", "nhcc", "ideal_remote"], "one_gpu")
    for name, title, variants, of in (("bandwidth", "Speedup by bandwidth of a link, of the full machine (figure 5.13)", LINKS, always),
                                      ("l2", "Speedup by size of the L2, of the full machine (figure 5.14)", L2S, always),
                                      ("directory", "Speedup by entries of a directory, of the full machine (figure 5.15)", ENTRIES, with_directory),
                                      ("granularity", "Speedup by lines of an entry, as many lines altogether (figure 5.16)", LINES, with_directory)):
        if any(size_mean("hmg", variant) for variant, _ in variants if variant != MEDIUM):
            made[f"multi_gpu_{name}.svg"] = sizes_figure(title, [(of(variant), text) for variant, text in variants])
    if any(variant == "gpus_16" for _, _, variant in RUNS):
        groups = [Group(name, [bar(size_mean(p, variant, variant)) for p in NAMES]) for variant, name in GPUS]
        made["multi_gpu_gpus.svg"] = plot.bars("More GPUs, four at a switch: speedup over no remote caching on as many", [(NAMES[p], COLORS[p]) for p in NAMES],
                                               [Panel(groups, "speedup")])
    return made


def key(name):
    """A number among the keys as a build has them."""
    with open(HERE / "multi_gpu_sizes.csv") as file:
        return float(dict(csv.reader(file))[name])


def directory_kilobytes():
    """A tag of 48 bits, a state, and a bit for each of the other modules of a GPU and the other GPUs of table 5.2."""
    return key("coherence.nhcc.directory_sets") * key("coherence.nhcc.directory_ways") * (48 + 1 + 3 + 3) / 8 / 1000


def table(policy, machine):
    """Transient states and transitions of a machine, as `syncline describe` counts them."""
    with open(HERE / "multi_gpu_tables.csv") as file:
        return next((float(states), float(rows)) for p, m, states, rows in csv.reader(file) if (p, m) == (policy, f"{machine} machine"))


def claims():
    """(claim, what, thesis, band low, band high, value); a value is a function, which gives None where runs are missing."""
    def over(policy, of, programs=PROGRAMS, variant="four_gpus"):
        return lambda: gmean(list(speedups(policy, variant, variant, programs, of).values()))

    def best_at(variants, of):
        """At how many sizes HMG is the fastest of what can be built."""
        means = [{p: size_mean(p, of(variant)(p)) for p in IMPLEMENTABLE} for variant, _ in variants]
        return None if any(None in one.values() for one in means) else sum(max(one, key=one.get) == "hmg" for one in means)

    def gain(variant, than="sw_hierarchical", other=None):
        """HMG over another policy; both of a size, or the other one's where that has no directory."""
        hmg, base = size_mean("hmg", variant), size_mean(than, other or variant)
        return hmg / base if hmg and base else None

    def ratio(a, b):
        return a / b if a and b else None

    def spread(means):
        return None if None in means else max(means) / min(means)

    def of_all(value, policy="hmg"):
        return [value(run(w, policy)) for w in PROGRAMS if run(w, policy) and value(run(w, policy)) is not None]
    flowing = [w for w in PROGRAMS if w != "stencil"]  # whose CTAs meet at barriers of the grid
    evictions = {w: for_an_eviction(w) for w in PROGRAMS if for_an_eviction(w) is not None}
    saved = [saved_loads(w) for w in PROGRAMS if saved_loads(w) is not None]
    return [
        ("H1", "HMG over software coherence, geometric mean", "1.26", 1.15, 1.4, over("hmg", "sw")),
        ("H1", "the same without stencil", "", None, None, over("hmg", "sw", flowing)),
        ("H1", "HMG over hierarchical software coherence", "", None, None, over("hmg", "sw_hierarchical")),
        ("H2", "HMG over NHCC, geometric mean", "1.18", 1.08, 1.3, over("hmg", "nhcc")),
        ("H3", "HMG over ideal, geometric mean", "0.97", 0.93, 1.05, over("hmg", "ideal_remote")),
        ("H3", "the same without stencil", "", None, None, over("hmg", "ideal_remote", flowing)),
        *[("H4", f"{SHORT[w]}: {NAMES[p]} over no remote caching", t, None, None, over(p, BASE, [w])) for w, bars_of in
          (("lstm", ("3.4", "3.5", "3.7", "4.1", "4.0")), ("rnn_wgrad", ("3.3", "3.4", "7.0", "7.2", "7.1"))) for p, t in zip(NAMES, bars_of)],
        ("H5", "lines that NHCC loads over links and HMG does not, mean share", "bars of figure 5.3", None, None, lambda: mean(saved)),
        ("H6", "one GPU: best over worst geometric mean of software, NHCC, ideal", "1.0", 1, 1.05,
         lambda: spread([gmean(list(speedups(p, "one_gpu", "one_gpu").values())) for p in ("sw", "nhcc", "ideal_remote")])),
        ("H7", "lines invalidated for each store at its home, shared or not, most of any program whose directory forgets nothing", "about 2", 0, 2.1, lambda: max(of_all(for_a_store))),
        ("H8", "lines invalidated for each entry that leaves, 3K entries, most of any program", "3.5", None, None, lambda: max(evictions.values(), default=None)),
        ("H9", "bandwidth of all invalidations, % of a link, mean", "below 10", 0, 10, lambda: mean(of_all(lambda r: 100 * bandwidth(r) / LINK))),
        ("H9", "the same, most of any program", "9.8", None, None, lambda: max(of_all(lambda r: 100 * bandwidth(r) / LINK))),
        ("H10", "bandwidths of links at which HMG is best of what can be built", "4", 4, 4, lambda: best_at(LINKS, always)),
        ("H10", "HMG over NHCC at 400 GB/s over that at 100 GB/s", "below 1", None, None, lambda: ratio(gain("link_400", "nhcc"), gain("link_100", "nhcc"))),
        ("H11", "sizes of the L2 at which HMG is best of what can be built", "3", 3, 3, lambda: best_at(L2S, always)),
        ("H11", "HMG over hierarchical software, 24 MB over 6 MB", "above 1", 1, 10, lambda: ratio(gain("l2_24"), gain("l2_6"))),
        ("H12", "HMG over hierarchical software with 6K entries", "above 1", 1, 10, lambda: gain("entries_6k", other=MEDIUM)),
        ("H12", "HMG over hierarchical software with 12K entries", "above 1", 1, 10, lambda: gain(MEDIUM)),
        ("H13", "HMG with 1, 2, 4 lines an entry, best over worst", "1.0", 1, 1.03, lambda: spread([size_mean("hmg", v) for v, _ in LINES])),
        ("H14", "kilobytes of the directory of a module (table 5.2)", "84", 82, 86, directory_kilobytes),
        ("H15", "transient states of GPU-VI's L1", "3", None, None, lambda: table("gpu_vi", "L1")[0]),
        ("H15", "transient states of GPU-VI's L2", "12", None, None, lambda: table("gpu_vi", "home")[0]),
        ("H15", "transitions of the L1 of GPU-VI beyond those of HMG's", "24", None, None, lambda: table("gpu_vi", "L1")[1] - table("hmg", "L1")[1]),
        ("H17", "mst: time of NHCC over software coherence", "above 1", 1, 10, over("sw", "nhcc", ["mst"])),
        ("H17", "mst: time of HMG over hierarchical software", "above 1", 1, 10, over("sw_hierarchical", "hmg", ["mst"])),
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
        out.append(f"| {claim} | {what} | {thesis} | {of_band(low, high)} | {ours:.2f} | {verdict} |")
    return "\n".join(out) + f"\n\n{inside} of the {judged} rows with a band that were run are in it; {missing} rows were not run.\n"


def runs_table():
    """What the runs of figure 5.9 did, by program: speedups, and what crossed the links."""
    out = ["| program | 1000 cycles without remote caching | " + " | ".join(NAMES.values()) +
           " | bytes over links, HMG over none | of these for releases, % | invalidations of HMG | entries that left |",
           "|---|" + "---:|" * (len(NAMES) + 5)]
    for w in PROGRAMS:
        base, hmg = run(w, BASE), run(w, "hmg")
        if base and hmg:
            cells = [f"{base['cycles'] / run(w, p)['cycles']:.2f}" if run(w, p) else "not run" for p in NAMES]
            out.append(f"| {SHORT[w]} | {base['cycles'] / 1000:.0f} | " + " | ".join(cells) +
                       f" | {hmg['link_bytes'] / base['link_bytes']:.2f} | {100 * hmg['link_marker_bytes'] / hmg['link_bytes']:.0f} | {hmg['sent_INV']:.0f} | {hmg['directory_evictions']:.0f} |")
    return "\n".join(out) + "\n"


CHANGES = [(MEDIUM, "none"), ("latency", "links of a tenth of the latency"), ("width", "networks as wide as in the full machine"),
           ("entries_all", "a directory that forgets nothing"), ("lines_1", "entries of one line, as many lines")]


def causes_table():
    """One change each, for the programs that were run with it: speedups over no remote caching on the same machine."""
    policies = [p for p in NAMES if any((w, p, variant) in RUNS for w in PROGRAMS for variant, _ in CHANGES[1:])]
    out = ["| one change | program | " + " | ".join(NAMES[p] for p in policies) + " |", "|---|---|" + "---:|" * len(policies)]
    for w in PROGRAMS:
        changes = [change for change in CHANGES if run(w, BASE, change[0])]
        for variant, text in changes if len(changes) > 1 else []:
            found = [speedups(p, variant, variant, [w]).get(w) for p in policies]
            out.append(f"| {text} | {SHORT[w]} | " + " | ".join("not run" if v is None else f"{v:.2f}" for v in found) + " |")
    return "\n".join(out) + "\n"


sys.exit(renew("multi_gpu.py", PAGE, {"multi gpu claims": claims_table(), "multi gpu runs": runs_table(), "multi gpu causes": causes_table()}, figures()))
