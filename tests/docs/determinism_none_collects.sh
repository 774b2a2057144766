#!/usr/bin/env bash
# The script behind docs/determinism.md, "Without determinism", collects its data, here those of a few runs: two seeds that a graph with
# many edges, and GPU-Racey among CTAs, tell apart.
set -u
syncline=$1
root=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

SEEDS=2 GRAPHS=1 EDGES=5250 SOURCES="perturbation.chance=none perturbation.chance=all perturbation.chance=all+determinism.policy=gpudet" DATA=$data "$root/docs/figures/determinism_none.sh" "$syncline" || exit 1
diff "$data/determinism_none_bfs.csv" - <<'CSV' || exit 1
edges,graph,seeds,outputs
5250,1,2,2
CSV
diff "$data/determinism_gpudet_bfs.csv" - <<'CSV' || exit 1
edges,graph,seeds,outputs
5250,1,2,1
CSV
diff "$data/determinism_none_racey.csv" - <<'CSV' || exit 1
workload,source,seeds,signatures
racey,perturbation.chance=all+determinism.policy=gpudet,2,1
racey,perturbation.chance=all,2,2
racey,perturbation.chance=none,2,1
racey_atomic,perturbation.chance=all+determinism.policy=gpudet,2,1
racey_atomic,perturbation.chance=all,2,2
racey_atomic,perturbation.chance=none,2,1
racey_cta,perturbation.chance=all+determinism.policy=gpudet,2,1
racey_cta,perturbation.chance=all,2,2
racey_cta,perturbation.chance=none,2,1
racey_warp,perturbation.chance=all+determinism.policy=gpudet,2,1
racey_warp,perturbation.chance=all,2,1
racey_warp,perturbation.chance=none,2,1
CSV
# After a run that failed there are no rows.
SEEDS=1 GRAPHS=1 EDGES=3000 RUNS=$data/runs DATA=$data "$root/docs/figures/determinism_none.sh" "$syncline" bfs || exit 1
python3 - "$data/runs/determinism_none_bfs.db" <<'ALTER'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("UPDATE run SET state = 'failed', status = 1, reason = 'it has failed'")
database.commit()
ALTER
"$root/docs/figures/determinism_none_rows.py" "$data/runs/determinism_none_bfs.db" graphs >"$data/rows" 2>"$data/error" && { echo "failed runs are not noticed"; exit 1; }
grep -q "it has failed" "$data/error" && [ ! -s "$data/rows" ] || { cat "$data/rows" "$data/error"; exit 1; }
echo "data are collected"
