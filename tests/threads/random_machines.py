#!/usr/bin/env python3
"""Machines and programs that chance puts together give the same results on one thread and on several, byte for byte.

random_machines.py SYNCLINE SEED RUNS [--medium]: draws so many, the same for a SEED, and counts those that nobody can have.
"""
import pathlib
import random
import subprocess
import sys

IDENTITY = pathlib.Path(__file__).with_name("identity.sh")
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


def main():
    syncline, chance, number = pathlib.Path(sys.argv[1]).resolve(), random.Random(int(sys.argv[2])), int(sys.argv[3])
    sizes = ["small", "medium"] if "--medium" in sys.argv else ["small"]
    refused = side_by_side = 0
    for _ in range(number):
        run, threads = drawn_run(chance, sizes), chance.choice("22348")
        done = subprocess.run([IDENTITY, syncline, threads, *run], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        if done.returncode == 2:
            refused += 1
        elif done.returncode != 0:
            sys.exit(f"{threads} threads of " + " ".join(f"'{word}'" for word in run) + f": status {done.returncode}\n{done.stdout}")
        side_by_side += " windows with " in done.stdout
    print(f"{number} drawn: {side_by_side} have run side by side, {refused} are machines that nobody can have")
    if 3 * side_by_side < number:
        sys.exit("few of them have run side by side")


main()
