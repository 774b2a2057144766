#!/usr/bin/env python3
"""One CSV row for each case of a sweep of determinism_none.sh, which has run it with several seeds: how many results there were.

determinism_none_rows.py DATABASE racey SOURCE...: the case of number n injects from the n-th SOURCE; a result is the signature of GPU-Racey.
determinism_none_rows.py DATABASE graphs: a case is EDGES.GRAPH; a result is the signature of memory.
"""
import sys

import sweep_rows


def racey(run):
    return f"{run['workload']},{sys.argv[3 + int(run['case'])]}", run["result"]["signature"]


def graph(run):
    return run["case"].replace(".", ","), run["result"]["memory_signature"]


header, outcome = {"racey": ("workload,source,seeds,signatures", racey), "graphs": ("edges,graph,seeds,outputs", graph)}[sys.argv[2]]
seeds, results = {}, {}
for run in sweep_rows.runs(sys.argv[1]):
    case, result = outcome(run)
    seeds[case] = seeds.get(case, 0) + 1
    results.setdefault(case, set()).add(result)
lines = [f"{case},{number},{len(results[case])}" for case, number in seeds.items()]
print(header, *(sorted(lines) if outcome is racey else lines), sep="\n")
