#!/usr/bin/env python3
"""Machines and programs that chance puts together give the same results on one thread and on several, byte for byte.

random_machines.py SYNCLINE SEED RUNS [--medium]: draws so many, the same for a SEED, and counts those that need their tiles in order or
that nobody can have.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FLAT = ["gtx480", "rcc16", "fermi56", "tiny"]
MODULES = ["hmg16", "hmg_tiny", "dgx4"]
PROGRAMS = """saxpy vector_add transpose matmul reduction scan histogram bitonic_sort bfs sssp mst hotspot pathfinder lps srad cfd lib cp md aes nw lud
kmeans rnn rnn_dgrad lstm conv nqueens spmv cg multigrid sweep barnes_hut load_balance place cuda_cuts apriori mandelbrot stencil hash_table_cas racey
racey_atomic racey_cta all_reduce_ring""".split()
OF_ALL = {
    "crossbar.input_queue": [1, 2, 8, 32],
    "crossbar.output_queue": [1, 2, 8, 32],
    "crossbar.latency": [1, 2, 3, 5, 9, 20],
    "crossbar.bandwidth": ["8 B/cycle", "32 B/cycle", "64 B/cycle"],
    "crossbar.arbitration": ["round_robin", "age"],
    "crossbar.allocation_period": [0, 1, 2, 3],
    "work_distributor.allocation_period": [1, 2, 5, 8, 33],
    "l1.mshr_entries": [2, 4, 16, 64],
    "l1.size": ["2 KiB", "16 KiB"],
    "l2.ways": [2, 8, 16],
    "sm.scheduler.policy": ["lrr", "gto", "two_level"],
    "clocks.core": ["1400 MHz", "1300 MHz", "900 MHz"],
    "clocks.interconnect": ["350 MHz", "700 MHz", "1000 MHz", "1400 MHz"],
    "clocks.l2": ["650 MHz", "700 MHz", "1400 MHz"],
    "perturbation.chance": ["injection"],
}
OF_FLAT = {
    "coherence.policy": ["none", "mesi", "gpu_vi", "gpu_vi_ni", "tc_strong", "tc_weak", "rcc", "rcc_wo", "ideal"],
    "sms": [1, 3, 7, 16, 40],
    "memory.partitions": [1, 2, 6, 8],
}
OF_MODULES = {
    "coherence.policy": ["no_remote_caching", "sw", "sw_hierarchical", "nhcc", "hmg", "ideal_remote"],
    "modules.network.latency": ["1 cycles", "3 cycles", "42 cycles", "100 cycles"],
    "modules.switch.latency": ["1 cycles", "7 cycles", "130 cycles"],
    "modules.link.latency": ["1 ns", "5 ns", "150 ns", "700 ns"],
    "modules.link.bandwidth": ["20 GB/s", "200 GB/s"],
    "modules.topology": ["switch", "ring", "all_to_all"],
}


def drawn_run(chance, sizes):
    platform = chance.choice(FLAT + 2 * MODULES)
    run = [platform, chance.choice(PROGRAMS), "--size", chance.choice(sizes), "--seed", str(chance.randrange(1, 100))]
    for key, values in {**OF_ALL, **(OF_MODULES if platform in MODULES else OF_FLAT)}.items():
        if key == "coherence.policy" or chance.random() < 0.25:
            run += ["--set", f"{key}={chance.choice(values)}"]
    return run


def results(syncline, run, threads, folder):
    """Status, what was said, and what was written, without the time that it took; and whether tiles ran side by side."""
    files = [folder / "statistics.json", folder / "series.csv"]
    for file in files:
        file.unlink(missing_ok=True)
    # One that gets nowhere ends by itself; if it does not, here.
    done = subprocess.run(["timeout", "300", syncline, "run", *run, "--no-progress", "--threads", str(threads), "--stats", files[0], "--series", files[1]],
                          capture_output=True, text=True)
    side_by_side = re.search(r"^  threads  .* windows with ", done.stdout, re.MULTILINE) is not None
    said = re.sub(r'^  (host time|threads) .*\n|"host_seconds":[^,]*,', "", done.stdout, flags=re.MULTILINE)
    return (done.returncode, said, done.stderr, *(file.read_bytes() if file.exists() else b"" for file in files)), side_by_side


def main():
    syncline, seed, number = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    sizes = ["small", "medium"] if "--medium" in sys.argv else ["small"]
    chance = random.Random(seed)
    counts = {"side by side": 0, "in order": 0, "failed alike": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(number):
            run, threads = drawn_run(chance, sizes), chance.choice([2, 2, 3, 4, 8])
            one, _ = results(syncline, run, 1, pathlib.Path(folder))
            if one[0] == 2:
                counts["refused"] += 1
                continue
            several, side_by_side = results(syncline, run, threads, pathlib.Path(folder))
            if one != several:
                sys.exit(f"on {threads} threads the results are others: syncline run " + " ".join(f"'{word}'" for word in run) +
                         f"\nstatus {one[0]} and {several[0]}\n{one[1]}{one[2]}\n{several[1]}{several[2]}")
            counts["failed alike" if one[0] != 0 else "side by side" if side_by_side else "in order"] += 1
    print(f"{number} drawn: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    if 3 * counts["side by side"] < number:
        sys.exit("few of them have run side by side")


main()
