#!/usr/bin/python3 -s
"""Figures and tables of docs/determinism.md, "GPUDet", from the data of determinism_gpudet.sh: determinism_gpudet.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import csv
import sys

import plot
from claims import changes_table, gmean, judge, number, of_band, tables
from pages import HERE, renew
from plot import Bar, Group, Panel

PAGE = HERE.parent / "determinism.md"
SHORT = {"aes": "AES", "bfs_racy": "BFSr", "bfs_plain": "BFSf", "cfd": "CFD", "cp": "CP", "hotspot": "HOTSP", "lib": "LIB",
         "lps": "LPS", "srad": "SRAD", "cloth": "CL", "cloth_opt": "CLopt", "hash_table": "HT", "atm": "ATM"}
PROGRAMS = list(SHORT)
AVERAGED = [w for w in PROGRAMS if w != "cloth"]  # the thesis's means (6.3.1)
ATOMICS = ["cloth_opt", "hash_table", "atm"]
BARRIERS = ["aes", "hotspot", "lps", "srad"]
SEARCHES = ["bfs_racy", "bfs_plain", "cfd"]
REASONS = ["instruction_count", "atomic", "fence", "barrier", "exit", "log_full"]
TIMELINES = ["aes_base", "aes_bta", "bfs_racy_base", "bfs_racy_bta_dwp"]


def read(name):
    with open(HERE / f"{name}.csv") as file:
        return {(r["workload"], r["variant"]): {k: v if k in ("workload", "variant") else float(v) for k, v in r.items()}
                for r in csv.DictReader(file)}


SEEDS = [seed for seed in (1, 2, 3) if (HERE / f"determinism_gpudet_paper_{seed}.csv").exists()]
PAPER = [read(f"determinism_gpudet_paper_{seed}") for seed in SEEDS]
DATA = {"small": read("determinism_gpudet"), "paper": PAPER[0]}
OVERLAP = read("determinism_gpudet_overlap")
OVERLAPS = {"overlap": "gpudet", "overlap_base": "base", "overlap_sync_100": "sync_100"}  # and what each is compared with


def time_of(workload, variant, size="small"):
    """Cycles over those without determinism."""
    runs = DATA[size]
    return runs[workload, variant]["cycles"] / runs[workload, "none"]["cycles"]


def parts_of(workload, variant, size="small"):
    """Of time_of: parallel mode with all that is no other, commit mode, serial mode."""
    run, base = DATA[size][workload, variant], DATA[size][workload, "none"]["cycles"]
    commit = (run["cycles_clear"] + run["cycles_commit"] + run["cycles_invalidate"]) / base
    serial = run["cycles_serial"] / base
    return run["cycles"] / base - commit - serial, commit, serial


SERIAL = ["cloth"] + ATOMICS  # the programs with atomics; the others:
PARALLEL = [w for w in PROGRAMS if w not in SERIAL]
LOADED = "paper"  # the inputs of the figures that are not sweeps
TIME = "time, none = 1"


def measured(value):
    """What a function gives for each seed of the data; empty where its runs are missing."""
    return [ours for ours in (value_of(value, data) for data in PAPER) if ours is not None]


def bar_of(value, paper=None):
    ours = measured(value)
    return Bar([mean(ours)], min(ours), max(ours), paper) if ours else None


def claimed(claim, what):
    """What the thesis says in the claim's row that says `what`, and what gives ours."""
    thesis, ours = next((number(row[2]), row[6]) for row in claims() if row[0] == claim and what in row[1])
    return thesis, ours if callable(ours) else lambda: ours


def mean(values):
    return sum(values) / len(values)


def ratios(*rows):
    """A panel of claims that are ratios; `rows`: (name, claim, what its row says)."""
    said = [(name, *claimed(claim, what)) for name, claim, what in rows]
    return Panel([Group(name, [bar_of(value, paper)]) for name, paper, value in said], "ratio", 1.25 * max(paper for _, paper, _ in said), beside=True)


def stacked(title, variants, size, limits=(None, None), said=None, mean_of=True):
    """Times by mode; variants: (name, variant, the thesis's mean). Without a mean, of the programs with atomics alone."""
    def stack(w, v):
        totals = measured(lambda: time_of(w, v, size))
        parts = [mean(measured(lambda: parts_of(w, v, size)[i])) for i in range(3)] if totals else []
        return Bar(parts, min(totals), max(totals)) if totals else None

    def panel(programs, limit, means):
        groups = [Group(SHORT[w], [stack(w, v) for _, v, _ in variants]) for w in programs]
        if means:
            groups.append(Group("mean", [bar_of(lambda: mean([time_of(w, v, size) for w in AVERAGED]), paper) for _, v, paper in variants], True))
        return Panel(groups, TIME, limit)

    panels = [panel(SERIAL, limits[1], mean_of)]
    if mean_of:
        panels.insert(0, panel(PARALLEL, limits[0], False))
    panels += [said] if said else []
    return plot.bars(title, [(name, "") for name, _, _ in variants], panels,
                     list(zip(["parallel mode", "commit", "serial mode"], plot.COLORS)))


def side_by_side(title, variants, limits=(None, None), said=None):
    """Times of an ordered series of variants: (name, variant, the thesis's mean)."""
    def bars_of(value):
        return [bar_of(lambda: value(v)) for _, v, _ in variants]
    panels = [Panel([Group(SHORT[w], bars_of(lambda v: time_of(w, v))) for w in programs], TIME, limit)
              for programs, limit in zip((PARALLEL, SERIAL), limits)]
    means = [bar_of(lambda: mean([time_of(w, v) for w in AVERAGED]), paper) for _, v, paper in variants]
    panels[1].groups.append(Group("mean", means, True))
    return plot.bars(title, list(zip([n for n, _, _ in variants], plot.ramp(len(variants)))), panels + ([said] if said else []))


def ends():
    def share(w, reason):
        run = DATA[LOADED][w, "base"]
        return run[f"ends_{reason}"] / sum(run[f"ends_{r}"] for r in REASONS)
    groups = [Group(SHORT[w], [Bar([mean(measured(lambda: share(w, r))) for r in REASONS])]) for w in PROGRAMS]
    return plot.bars("Why warps end their quantum, base form (figure 4.2)", [("base", "")],
                     [Panel(groups, "share of ends", 1)], list(zip([r.replace("_", " ") for r in REASONS], plot.COLORS)))


def barriers():
    """Times over those with barriers of no cycles; the thesis's for the two lengths of which its text speaks."""
    lengths = [1, 4, 16, 64, 100, 256, 1000, 1024, 2048]
    times = [ratio(f"sync_{n}", "gpudet", PROGRAMS, "small") for n in lengths]
    return plot.points("Time by cycles of a barrier over all SMs (figure 6.7), small inputs", "cycles of a barrier", "time, 0 cycles = 1", [
        ("all programs, geometric mean", [0] + lengths, [1.0] + times, {"color": plot.COLORS[0], "marker": "o", "markersize": 4}, None),
        ("thesis", [0, 100, 1000], [1.0] + [claimed("D13", f"of {n} cycles")[0] for n in (100, 1000)], "paper", None)])


def timeline(name, title):
    """A row for each SM, time to the right, darker for more instructions; lines where quanta begin."""
    with open(HERE / f"timeline_{name}.csv") as file:
        rows = list(csv.DictReader(file))
    busy = [i for i, row in enumerate(rows) if float(row["gpu.quanta.phase"]) != 0 or any(
        float(v) for k, v in row.items() if k.endswith("warp_instructions/cycle"))]
    rows = rows[busy[0]:busy[-1] + 1]
    sms = sorted((k for k in rows[0] if k.endswith("warp_instructions/cycle")), key=lambda k: int(k.split(".")[1][2:]))
    step = int(rows[1]["cycle"]) - int(rows[0]["cycle"])
    first = int(rows[0]["cycle"]) - step  # a row counts the cycles before its own
    begins = [first + step * i for i, row in enumerate(rows) if float(row["gpu.quanta.quanta/cycle"]) > 0]
    return plot.rows_of_shades(title, [f"SM {s}" for s in range(len(sms))], [[float(row[sm]) for row in rows] for sm in sms], "cycle", first, step,
                               begins, "{:.2f} instructions a cycle", "a quantum begins")


def figures():
    whole, _ = claimed("D1", "arithmetic mean")
    quanta = [(f"{n} instructions", v, whole if v == "gpudet" else None)
              for n, v in ((100, "quantum_100"), (200, "gpudet"), (600, "quantum_600"), (1000, "quantum_1000"))]
    bloom = [(n, v, whole if v == "gpudet" else None) for n, v in (("128 bits", "bloom_128"), ("256", "bloom_256"), ("512", "bloom_512"),
                                                                   ("1024", "gpudet"), ("ideal", "bloom_ideal"))]
    made = {
        "determinism_claims.svg": plot.claims("Claims of the GPUDet thesis that are numbers: ours over the thesis's", tables(claims_table())),
        "determinism_ends.svg": ends(),
        "determinism_time.svg": stacked(f"Time by mode (figure 6.1), {LOADED} inputs", [("gpudet", "gpudet", whole)], LOADED),
        "determinism_formation.svg": stacked(
            f"Time by the forms of quanta (figure 6.2), {LOADED} inputs", [("base", "base", None), ("bta", "bta", None), ("bta_dwp", "gpudet", whole)],
            LOADED, said=ratios(("bta/base\ntime,\nall", "D6", "bta over base"), ("base/bta\nquanta,\nbarriers", "D6", "base over bta, quanta"),
                                ("base/bta\ntime,\nbarriers", "D6", "base over bta, time"), ("bta/\nbta_dwp\nsearches", "D7", "bta over bta_dwp"))),
        "determinism_commit.svg": stacked(
            f"Time with commits through Z-units and under locks (figure 6.3), {LOADED} inputs", [("z_unit", "gpudet", whole), ("lock", "lock", None)], LOADED, (8, 24),
            ratios(("lock/z_unit\ntime, all", "D8", "z_unit, time"), ("lock/z_unit\ncommit, HT", "D8", "commit mode of HT"))),
        "determinism_serial.svg": stacked(
            f"Time with serial mode by SMs and by warps (figure 6.4), {LOADED} inputs", [("cu_ser", "gpudet", None), ("w_ser", "w_ser", None)], LOADED, (None, 16),
            ratios(("w_ser/cu_ser\nserial mode,\nCLopt HT ATM", "D9", "w_ser over cu_ser")), False),
        "determinism_quantum.svg": side_by_side(
            "Time by quantum size (figure 6.5), small inputs", quanta, said=ratios(("1000/200\ninstructions,\nBFSr", "D10", "instructions of BFSr"))),
        "determinism_bloom.svg": side_by_side("Time by bits of the Bloom filters (figure 6.6), small inputs", bloom),
        "determinism_sync.svg": barriers(),
    }
    titles = {"aes_base": "AES, base, 1000 instructions (figure 5.1)", "aes_bta": "AES, bta, 1000 instructions (figure 5.2)",
              "bfs_racy_base": "BFSr, base (figure 5.3)", "bfs_racy_bta_dwp": "BFSr, bta_dwp (figure 5.4)"}
    for name in TIMELINES:
        made[f"timeline_{name}.svg"] = timeline(name, "Instructions of each SM: " + titles[name])
    return made


def amean(variant, programs=AVERAGED):
    """As the bars of the thesis's averages: of the times over those without determinism."""
    return mean([time_of(w, variant, "paper") for w in programs])


def over(value, programs, variant, of, size="paper"):
    """Geometric mean of a value of the runs over that of other runs."""
    runs = DATA[size]
    return gmean([value(runs[w, variant]) / value(runs[w, of]) for w in programs])


def ratio(variant, of, programs, size="paper"):
    """Of times."""
    return over(lambda run: run["cycles"], programs, variant, of, size)


def ends_by(reason, programs):
    """Mean share among the reasons of figure 4.2, which has no fences."""
    runs = DATA["paper"]
    shown = [r for r in REASONS if r in ("instruction_count", "atomic", "barrier", "exit")]
    return mean([runs[w, "base"][f"ends_{reason}"] / sum(runs[w, "base"][f"ends_{r}"] for r in shown) for w in programs])


def in_parallel(run):
    return run["cycles"] - run["cycles_clear"] - run["cycles_commit"] - run["cycles_invalidate"] - run["cycles_serial"]


def outputs_of_none():
    with open(HERE / "determinism_none_bfs.csv") as file:
        outputs = [(int(r["edges"]), int(r["outputs"])) for r in csv.DictReader(file)]
    fewest, most = min(outputs)[0], max(outputs)[0]
    return sum(n for e, n in outputs if e == most) / sum(n for e, n in outputs if e == fewest)


def outputs_of_gpudet():
    with open(HERE / "determinism_gpudet_bfs.csv") as file:
        return max(float(r["outputs"]) for r in csv.DictReader(file))


def claims():
    """(claim, what, thesis, band low, band high, inputs, value of DATA["paper"]); without a band there is no number to meet.

    A value is a function: where a seed has not the runs, it counts for nothing."""
    no_atomics = [w for w in AVERAGED if w not in ATOMICS]
    searched = "[above](#outputs-of-a-racy-breadth-first-search)"
    return [
        ("D1", "time, arithmetic mean, without CL", "2.05", 1.6, 2.6, "paper", lambda: amean("gpudet")),
        ("D1", "the same without those with atomics", "", None, None, "paper", lambda: amean("gpudet", no_atomics)),
        ("D1", "the same of those with atomics: CLopt HT ATM", "", None, None, "paper", lambda: amean("gpudet", ATOMICS)),
        ("D1", "time of CL", "", None, None, "paper", lambda: time_of("cloth", "gpudet", "paper")),
        ("D2", "time of AES", "slightly below 1", 0.9, 1.04, "paper", lambda: time_of("aes", "gpudet", "paper")),
        ("D2", "time of CP", "slightly below 1", 0.9, 1.04, "paper", lambda: time_of("cp", "gpudet", "paper")),
        ("D3", "programs with serial mode: CL CLopt HT ATM only", "yes", 1, 1, "paper", lambda: float(
            {w for w in PROGRAMS if DATA["paper"][w, "gpudet"]["cycles_serial"] > 0} == {"cloth", *ATOMICS})),
        ("D4", "ends by atomics, mean of ATM CL HT", "most", 0.5, 1, "paper", lambda: ends_by("atomic", ["atm", "cloth", "hash_table"])),
        ("D4", "ends by barriers, mean of AES HOTSP LPS SRAD", "most", 0.5, 1, "paper", lambda: ends_by("barrier", BARRIERS)),
        ("D4", "ends by the end of the kernel, mean of BFSr BFSf CFD", "> 0.5", 0.5, 1, "paper", lambda: ends_by("exit", SEARCHES)),
        ("D5", "instructions of a quantum of AES, base, limit 1000", "35", 20, 60, "paper",
         lambda: DATA["paper"]["aes", "base_1000"]["quantum_instructions"]),
        ("D6", "bta over base, mean time", "0.96", 0.92, 0.99, "paper", lambda: amean("bta") / amean("base")),
        ("D6", "base over bta, quanta, AES HOTSP LPS SRAD", "3.8", 2.5, 5.5, "paper",
         lambda: over(lambda run: run["quanta"], BARRIERS, "base", "bta")),
        ("D6", "base over bta, time, AES HOTSP LPS SRAD", "1.20", 1.1, 1.3, "paper", lambda: ratio("base", "bta", BARRIERS)),
        ("D7", "bta over bta_dwp, time, BFSr BFSf CFD", "1.19", 1.1, 1.3, "paper", lambda: ratio("bta", "gpudet", SEARCHES)),
        ("D8", "lock over z_unit, time", "1.6", 1.3, 1.9, "paper", lambda: ratio("lock", "gpudet", AVERAGED)),
        ("D8", "lock over z_unit, commit mode of HT", "2.3", 1.8, 3, "paper",
         lambda: over(lambda run: run["cycles_commit"], ["hash_table"], "lock", "gpudet")),
        ("D9", "w_ser over cu_ser, serial mode of CLopt HT ATM", "6.1", 4, 8, "paper",
         lambda: over(lambda run: run["cycles_serial"], ATOMICS, "w_ser", "gpudet")),
        ("D10", "time at 1000 over 200: AES CP HOTSP LIB", "below 1", 0.5, 1, "paper",
         lambda: ratio("quantum_1000", "gpudet", ["aes", "cp", "hotspot", "lib"])),
        ("D10", "time at 1000 over 200: BFSr BFSf", "above 1", 1.001, 2, "paper", lambda: ratio("quantum_1000", "gpudet", SEARCHES[:2])),
        ("D10", "time at 1000 over 200: ATM HT", "1", 0.97, 1.03, "paper", lambda: ratio("quantum_1000", "gpudet", ["atm", "hash_table"])),
        ("D10", "instructions of BFSr at 1000 over 200", "1.26", 1.1, 1.4, "paper",
         lambda: over(lambda run: run["warp_instructions"], ["bfs_racy"], "quantum_1000", "gpudet")),
        ("D11", "parallel mode with 256 bits over ideal, without BFSr CL", "1", 0.98, 1.03, "paper",
         lambda: over(in_parallel, [w for w in AVERAGED if w != "bfs_racy"], "bloom_256", "bloom_ideal")),
        ("D12", "time with Z-caches of 8 KB over 128 KB", "< 1.03", 0.99, 1.03, "paper", lambda: ratio("z_cache_8", "z_cache_128", AVERAGED)),
        ("D13", "mean time with barriers of 100 cycles over 0", "1", 0.97, 1.05, "paper", lambda: amean("sync_100") / amean("gpudet")),
        ("D13", "mean time with barriers of 1000 cycles over 0", "1.28", 1.15, 1.45, "paper", lambda: amean("sync_1000") / amean("gpudet")),
        ("D14", "CL over CLopt, without determinism", "1.30", 1.15, 1.5, "paper",
         lambda: DATA["paper"]["cloth", "none"]["cycles"] / DATA["paper"]["cloth_opt", "none"]["cycles"]),
        ("D18", "outputs of BFSr with the most edges over the fewest, without determinism", "rising", 2, 1000, searched, outputs_of_none),
        ("D18", "outputs of BFSr with the most edges, most of any graph", "1", 1, 1, searched, outputs_of_gpudet),
        ("", "logs packed over a line for each store (`store_buffer.data=packed`), time", "", None, None, "paper",
         lambda: ratio("packed", "gpudet", AVERAGED)),
        ("", "depths for bytes over words (`z_unit.granule=1`), time", "", None, None, "small", lambda: ratio("bytes", "gpudet", PROGRAMS, "small")),
        ("", "order at shared memory over none (`shared_order=instructions`), time", "", None, None, "small",
         lambda: ratio("shared_order", "gpudet", PROGRAMS, "small")),
    ]


def value_of(claim, data):
    """The value of a claim's function where `data` stands for the runs with the papers' inputs, None where runs are missing."""
    DATA["paper"], kept = data, DATA["paper"]
    try:
        return claim()
    except (KeyError, ZeroDivisionError):
        return None
    finally:
        DATA["paper"] = kept


def claims_table():
    out = ["| claim | what | thesis | band | inputs | ours | least..most | |", "|---|---|---:|---:|---|---:|---:|---|"]
    inside = judged = 0
    for claim, what, thesis, low, high, inputs, function in claims():
        ours = [value for value in (value_of(function, data) for data in PAPER) if value is not None]
        verdict = judge(low, high, mean(ours))
        judged += low is not None
        inside += verdict == "in band"
        spread = f"{min(ours):.2f}..{max(ours):.2f}" if inputs == "paper" and len(ours) > 1 else ""
        if inputs == "paper" and len(ours) < len(PAPER):
            inputs = "paper, seed 1"
        out.append(f"| {claim} | {what} | {thesis} | {of_band(low, high)} | {inputs} | {mean(ours):.2f} | {spread} | {verdict} |")
    return "\n".join(out) + f"\n\n{inside} of {judged} rows with a band are in it; seeds {', '.join(map(str, SEEDS))}.\n"


PHASES = [("parallel", ["distribution", "parallel", "drain"]), ("commit", ["clear", "commit"]), ("invalidate", ["invalidate"]),
          ("serial", ["serial"])]


def parts_table():
    """Figure 6.1 in numbers, seed 1."""
    runs = DATA["paper"]
    out = ["| program | time | parallel | commit | invalidate | serial | quanta | instructions of a quantum |",
           "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for w in PROGRAMS:
        run, base = runs[w, "gpudet"], runs[w, "none"]["cycles"]
        commit = (run["cycles_clear"] + run["cycles_commit"]) / base
        invalidate, serial, time = run["cycles_invalidate"] / base, run["cycles_serial"] / base, run["cycles"] / base
        out.append(f"| {SHORT[w]} | {time:.2f} | {time - commit - invalidate - serial:.2f} | {commit:.2f} | {invalidate:.2f} | "
                   f"{serial:.2f} | {run['quanta']:.0f} | {run['quantum_instructions']:.1f} |")
    return "\n".join(out) + "\n"


def cause(name, **renamed):
    """Runs of a part of `causes`; a workload may stand for another."""
    return {(renamed.get(w, w), v): run for (w, v), run in read(f"determinism_gpudet_cause_{name}").items()}


def instead(variant):
    """Of the collected runs those of another variant, as if they were `gpudet`."""
    return {(w, "gpudet"): run for (w, v), run in PAPER[0].items() if v == variant}


# What was changed alone, the runs with it, and the claims that were looked at: the claim's name and a part of what it says.
MEAN = [("D1", "without CL"), ("D1", "CLopt HT ATM")]
CAUSES = [
    ("logs packed (`store_buffer.data=packed`), all programs", lambda: instead("packed"), MEAN),
    ("no fences in the kernels of CLopt, HT and ATM", lambda: cause("fences"), MEAN),
    ("`store_buffer.commit_window=512`, CLopt HT ATM", lambda: cause("window"), MEAN),
    ("`l1.size=768KiB`, `l1.ways=96`, CLopt HT ATM", lambda: cause("l1"), MEAN),
    ("`l2.latency=40cycles` instead of 82, CLopt HT ATM", lambda: cause("l2_latency"), MEAN),
    ("`crossbar.bandwidth=64B/cycle`, CLopt HT ATM", lambda: cause("crossbar"), MEAN),
    ("Z-caches of 128 KiB, all programs", lambda: instead("z_cache_128"), MEAN[:1]),
    ("`sms=16`, AES and CP", lambda: cause("sms_16"), [("D2", "AES"), ("D2", "CP")]),
    ("`quantum_size=1000`, AES", lambda: instead("quantum_1000"), [("D2", "AES")]),
    ("a barrier behind each round of AES", lambda: cause("rounds"), [("D2", "AES"), ("D5", ""), ("D6", "")]),
    ("barriers over all SMs of 100 cycles (`sync_latency`)", lambda: cause("sync"), [("D6", ""), ("D7", "")]),
    ("`sms=4`, BFSr and BFSf", lambda: cause("sms_4"), [("D7", "")]),
    ("HT with a table ten times as large", lambda: cause("hash_table_m", hash_table_m="hash_table"), [("D8", "commit mode")]),
    ("ideal Bloom filters, BFSr and BFSf", lambda: cause("bloom_1000"), [("D10", "BFSr BFSf")]),
    ("small inputs, BFSr and BFSf", lambda: cause("small"), [("D12", "")]),
    ("small inputs", lambda: cause("small"), [("D14", "")]),
]


def causes():
    return changes_table([(change, {**PAPER[0], **runs()}, claims(), wanted) for change, runs, wanted in CAUSES], value_of, PAPER[0])


def overlap_table():
    out = ["| program | " + " | ".join(SHORT[w] for w in PROGRAMS) + " | mean |", "|---|" + "---:|" * (len(PROGRAMS) + 1)]

    def add(what, values, last=""):
        out.append(f"| {what} | " + " | ".join(values) + f" | {last} |")
    for variant, over in OVERLAPS.items():
        times = [OVERLAP[w, variant]["cycles"] / OVERLAP[w, over]["cycles"] for w in PROGRAMS]
        runs = [OVERLAP[w, variant] for w in PROGRAMS]
        add(f"time, `{variant}` over `{over}`", [f"{t:.3f}" for t in times], f"{gmean(times):.3f}")
        add("instructions ahead, %", [f"{r['ahead_instructions'] / r['warp_instructions'] * 100:.1f}" for r in runs])
        add("accesses ahead, of these held", [f"{r['ahead_passed'] + r['ahead_held']:.0f}, {r['ahead_held']:.0f}" for r in runs])
    return "\n".join(out) + "\n"


sys.exit(renew("determinism_gpudet.py", PAGE, {"gpudet claims": claims_table(), "gpudet parts": parts_table(), "gpudet causes": causes(),
                                               "gpudet overlap": overlap_table()}, figures()))
