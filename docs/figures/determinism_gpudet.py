#!/usr/bin/python3 -s
"""Figures and tables of docs/determinism.md, "GPUDet", from the data of determinism_gpudet.sh: determinism_gpudet.py [--check].

Writes the SVG files beside it and the parts of the page between its markers; with --check says what is not current (status 1).
"""
import csv
import math
import pathlib
import sys

import plot
from claims import number, tables
from plot import Bar, Group, Panel

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "determinism.md"
SHORT = {"aes": "AES", "bfs_racy": "BFSr", "bfs_plain": "BFSf", "cfd": "CFD", "cp": "CP", "hotspot": "HOTSP", "lib": "LIB",
         "lps": "LPS", "srad": "SRAD", "cloth": "CL", "cloth_opt": "CLopt", "hash_table": "HT", "atm": "ATM"}
PROGRAMS = list(SHORT)
ATOMICS = ["cloth_opt", "hash_table", "atm"]
BARRIERS = ["aes", "hotspot", "lps", "srad"]
SEARCHES = ["bfs_racy", "bfs_plain", "cfd"]
REASONS = ["instruction_count", "atomic", "fence", "barrier", "exit", "log_full"]
TIMELINES = ["aes_base", "aes_bta", "bfs_racy_base", "bfs_racy_bta_dwp"]


def read(name):
    with open(HERE / f"{name}.csv") as file:
        return {(r["workload"], r["variant"]): {k: v if k in ("workload", "variant") else float(v) for k, v in r.items()}
                for r in csv.DictReader(file)}


DATA = {"small": read("determinism_gpudet"), "medium": read("determinism_gpudet_medium")}
OVERLAP = read("determinism_gpudet_overlap")
OVERLAPS = {"overlap": "gpudet", "overlap_base": "base", "overlap_sync_100": "sync_100"}  # and what each is compared with


def gmean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


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
AVERAGED = PROGRAMS
LOADED = "medium"  # the inputs of the figures that are not sweeps
TIME = "time, none = 1"


def measured(value):
    """What a function gives for each seed of the data; empty where its runs are missing."""
    return [value()]


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
        run = DATA["small"][w, "base_1000"]
        return run[f"ends_{reason}"] / sum(run[f"ends_{r}"] for r in REASONS)
    groups = [Group(SHORT[w], [Bar([mean(measured(lambda: share(w, r))) for r in REASONS])]) for w in PROGRAMS]
    return plot.bars("Why warps end their quantum, base form of 1000 instructions (figure 4.2)", [("base", "")],
                     [Panel(groups, "share of ends", 1)], list(zip([r.replace("_", " ") for r in REASONS], plot.COLORS)))


def barriers():
    """Times over those with barriers of no cycles; the thesis's for the two lengths of which its text speaks."""
    lengths = [1, 4, 16, 64, 100, 256, 1000, 1024, 2048]
    runs = DATA["small"]
    times = [gmean([runs[w, f"sync_{n}"]["cycles"] / runs[w, "gpudet"]["cycles"] for w in PROGRAMS]) for n in lengths]
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
            "Time with commits through Z-units and under locks (figure 6.3), small inputs", [("z_unit", "gpudet", whole), ("lock", "lock", None)], "small", (8, 24),
            ratios(("lock/z_unit\ntime, all", "D8", "z_unit, time"), ("lock/z_unit\ncommit, HT", "D8", "commit mode of HT"))),
        "determinism_serial.svg": stacked(
            "Time with serial mode by SMs and by warps (figure 6.4), small inputs", [("cu_ser", "gpudet", None), ("w_ser", "w_ser", None)], "small", (None, 16),
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


def ratio(variant, over, programs, size="small"):
    runs = DATA[size]
    return gmean([runs[w, variant]["cycles"] / runs[w, over]["cycles"] for w in programs])


def claims():
    """(claim, what, thesis, band low, band high, size, ours); without a band there is no number to meet."""
    runs = DATA["small"]
    no_atomics = [w for w in PROGRAMS if w not in ATOMICS + ["cloth"]]
    yield "D1", "time, arithmetic mean of all programs", "2.05", 1.6, 2.6, "medium", sum(
        time_of(w, "gpudet", "medium") for w in PROGRAMS) / len(PROGRAMS)
    yield "D1", "the same without those with atomics", "", None, None, "medium", sum(
        time_of(w, "gpudet", "medium") for w in no_atomics) / len(no_atomics)
    yield "D1", "time with a line of the log for each store (`store_buffer.data=chunk`)", "2.05", 1.6, 2.6, "medium", sum(
        time_of(w, "chunk", "medium") for w in PROGRAMS) / len(PROGRAMS)
    yield "D2", "time of AES", "slightly below 1", 0.9, 1.04, "medium", time_of("aes", "gpudet", "medium")
    yield "D2", "time of CP", "slightly below 1", 0.9, 1.04, "medium", time_of("cp", "gpudet", "medium")
    yield "D3", "programs with serial mode: CL CLopt HT ATM only", "yes", 1, 1, "small", float(
        {w for w in PROGRAMS if runs[w, "gpudet"]["cycles_serial"] > 0} == {"cloth", *ATOMICS})
    yield "D4", "ends by atomics, mean of ATM CL HT", "most", 0.5, 1, "small", sum(
        runs[w, "base_1000"]["ends_atomic"] / sum(runs[w, "base_1000"][f"ends_{r}"] for r in REASONS)
        for w in ("atm", "cloth", "hash_table")) / 3
    yield "D4", "ends by barriers, mean of AES HOTSP LPS SRAD", "most", 0.5, 1, "small", sum(
        runs[w, "base_1000"]["ends_barrier"] / sum(runs[w, "base_1000"][f"ends_{r}"] for r in REASONS) for w in BARRIERS) / 4
    yield "D4", "ends by the end of the kernel, mean of BFSr BFSf CFD", "> 0.5", 0.5, 1, "small", sum(
        runs[w, "base_1000"]["ends_exit"] / sum(runs[w, "base_1000"][f"ends_{r}"] for r in REASONS) for w in SEARCHES) / 3
    yield "D5", "instructions of a quantum of AES, base, limit 1000", "35", 20, 60, "small", runs["aes", "base_1000"][
        "quantum_instructions"]
    yield "D6", "bta over base, time", "0.96", 0.92, 0.99, "medium", ratio("bta", "base", PROGRAMS, "medium")
    yield "D6", "base over bta, quanta, AES HOTSP LPS SRAD", "3.8", 2.5, 5.5, "medium", gmean(
        [DATA["medium"][w, "base"]["quanta"] / DATA["medium"][w, "bta"]["quanta"] for w in BARRIERS])
    yield "D6", "base over bta, time, AES HOTSP LPS SRAD", "1.20", 1.1, 1.3, "medium", ratio("base", "bta", BARRIERS, "medium")
    yield "D7", "bta over bta_dwp, time, BFSr BFSf CFD", "1.19", 1.1, 1.3, "medium", ratio("bta", "gpudet", SEARCHES, "medium")
    yield "D8", "lock over z_unit, time, all programs", "1.6", 1.3, 1.9, "small", ratio("lock", "gpudet", PROGRAMS)
    yield "D8", "lock over z_unit, commit mode of HT", "2.3", 1.8, 3, "small", (
        runs["hash_table", "lock"]["cycles_commit"] / runs["hash_table", "gpudet"]["cycles_commit"])
    yield "D9", "w_ser over cu_ser, serial mode of CLopt HT ATM", "6.1", 4, 8, "small", gmean(
        [runs[w, "w_ser"]["cycles_serial"] / runs[w, "gpudet"]["cycles_serial"] for w in ATOMICS])
    yield "D10", "time at 1000 over 200: AES CP HOTSP LIB", "below 1", 0.5, 1, "small", ratio(
        "quantum_1000", "gpudet", ["aes", "cp", "hotspot", "lib"])
    yield "D10", "time at 1000 over 200: BFSr BFSf", "above 1", 1.001, 2, "small", ratio("quantum_1000", "gpudet", SEARCHES[:2])
    yield "D10", "time at 1000 over 200: ATM HT", "1", 0.97, 1.03, "small", ratio("quantum_1000", "gpudet", ["atm", "hash_table"])
    yield "D10", "instructions of BFSr at 1000 over 200", "1.26", 1.1, 1.4, "small", (
        runs["bfs_racy", "quantum_1000"]["warp_instructions"] / runs["bfs_racy", "gpudet"]["warp_instructions"])
    yield "D11", "time with 256 bits over ideal, without BFSr CL", "1", 0.98, 1.03, "small", ratio(
        "bloom_256", "bloom_ideal", [w for w in PROGRAMS if w not in ("bfs_racy", "cloth")])
    yield "D12", "time with Z-caches of 8 KB over 128 KB", "< 1.03", 0.99, 1.03, "small", ratio("z_cache_8", "z_cache_128", PROGRAMS)
    yield "D13", "time with barriers of 100 cycles over 0", "1", 0.97, 1.05, "small", ratio("sync_100", "gpudet", PROGRAMS)
    yield "D13", "time with barriers of 1000 cycles over 0", "1.28", 1.15, 1.45, "small", ratio("sync_1000", "gpudet", PROGRAMS)
    yield "D14", "CL over CLopt, without determinism", "1.30", 1.15, 1.5, "small", (
        runs["cloth", "none"]["cycles"] / runs["cloth_opt", "none"]["cycles"])
    with open(HERE / "determinism_none_bfs.csv") as file:
        outputs = [(int(r["edges"]), int(r["outputs"])) for r in csv.DictReader(file)]
    fewest, most = min(outputs)[0], max(outputs)[0]
    yield "D18", "outputs of BFSr with the most edges over the fewest, without determinism", "rising", 2, 1000, "[above](#outputs-of-a-racy-breadth-first-search)", (
        sum(n for e, n in outputs if e == most) / sum(n for e, n in outputs if e == fewest))
    with open(HERE / "determinism_gpudet_bfs.csv") as file:
        yield "D18", "outputs of BFSr with the most edges, most of any graph", "1", 1, 1, "[above](#outputs-of-a-racy-breadth-first-search)", max(
            float(r["outputs"]) for r in csv.DictReader(file))
    for size in DATA:
        yield "", "a line of the log for each store over packed ones (`store_buffer.data=chunk`), time", "", None, None, size, ratio(
            "chunk", "gpudet", PROGRAMS, size)
    yield "", "depths for bytes over words (`z_unit.granule=1`), time", "", None, None, "small", ratio("bytes", "gpudet", PROGRAMS)
    yield "", "order at shared memory over none (`shared_order=instructions`), time", "", None, None, "small", ratio(
        "shared_order", "gpudet", PROGRAMS)


def claims_table():
    out = ["| claim | what | thesis | band | inputs | ours | |", "|---|---|---:|---:|---|---:|---|"]
    for claim, what, thesis, low, high, size, ours in claims():
        band = "" if low is None else f"{low:g}..{high:g}"
        verdict = "" if low is None else "in band" if low <= ours <= high else "**out**"
        out.append(f"| {claim} | {what} | {thesis} | {band} | {size} | {ours:.2f} | {verdict} |")
    return "\n".join(out) + "\n"


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


def page_with(parts):
    page = PAGE.read_text()
    for part, text in parts.items():
        begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
        head, rest = page.split(begin)
        page = head + begin + text + end + rest.split(end)[1]
    return page


def main():
    wanted = {HERE / name: svg for name, svg in figures().items()}
    wanted[PAGE] = page_with({"gpudet claims": claims_table(), "gpudet overlap": overlap_table()})
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"not current: {path.relative_to(HERE.parent.parent)} (run docs/figures/determinism_gpudet.py)")
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


sys.exit(main())
