#!/usr/bin/env bash
# What the RCC thesis says first of all, on the machine of its table 3.3 with the tree of 30,000 bodies: `rcc` takes fewer
# cycles than `mesi` (R10), `ideal` stands between them, and weak ordering does not take more than sequential consistency:
# keeps_the_order.sh SYNCLINE. docs/coherence.md has the numbers.
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

policies='mesi ideal rcc rcc_wo tc_strong tc_weak'
"$syncline" compare rcc16 --workloads barnes_hut --size paper --policies "${policies// /,}" --set coherence.tc.fence=warp --data runs.json >table.txt || {
  cat table.txt
  exit 1
}
python3 - <<'CHECK'
import json
runs = {run["policy"]: run for run in json.load(open("runs.json"))["runs"]}
cycles = {policy: run["cycles"] for policy, run in runs.items()}
print(cycles)
failed = [f"{faster} is not {factor} times as fast as {slower}"
          for slower, faster, factor in [("mesi", "rcc", 2), ("mesi", "ideal", 1.2), ("ideal", "rcc", 1.2),
                                         ("rcc", "rcc_wo", 1), ("tc_strong", "tc_weak", 1)]
          if cycles[slower] < factor * cycles[faster]]
print("\n".join(failed) or "the order is kept")
raise SystemExit(1 if failed else 0)
CHECK
