#!/usr/bin/env bash
# `syncline compare` runs, normalises and writes its data, and the data are the same twice: compare.sh SYNCLINE
set -eu
syncline=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run() { "$syncline" compare tiny --workloads saxpy,bfs --policies none,rcc --baseline none --show speedup,traffic,load_latency --data "$1"; }
run "$folder/a.json" > "$folder/out"
run "$folder/b.json" > /dev/null
cmp "$folder/a.json" "$folder/b.json"
grep -qE '^saxpy +1\.000 ' "$folder/out"
[ "$(grep -c '^geometric mean' "$folder/out")" -eq 2 ]
python3 - "$folder/a.json" <<'PYTHON'
import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
assert [(r["workload"], r["policy"]) for r in runs] == [(w, p) for w in ("saxpy", "bfs") for p in ("none", "rcc")], runs
for r in runs:
    if r["policy"] == "rcc" and r["workload"] == "bfs":
        assert 0 < r["expired_loads"] < 1 and 0 < r["renewable"] <= 1, r
    elif r["policy"] == "none":
        assert r["expired_loads"] == r["renewable"] == 0, r
    parts = sum(r[k] for k in r if k.startswith("traffic_"))
    assert r["cycles"] > 0 and r["traffic"] == parts > 0 == r["traffic_depth"], r
    energy = sum(r[k] for k in r if k.startswith("energy_"))
    assert abs(r["energy"] - energy) < 1e-9 * energy and energy > 0, r
    waits = [r["sc_wait_" + kind] for kind in ("load", "store", "atomic")]
    if r["consistency"] == "sc":
        assert 0 < r["sc_stalled"] < 1 and r["sc_resolve"] > 0, r
        assert abs(r["sc_behind_store"] - sum(waits[1:]) / sum(waits)) < 1e-9, r
    else:
        assert not any(waits) and r["sc_stalled"] == r["sc_resolve"] == 0, r
PYTHON

# Traffic of other message families is part of the whole.
"$syncline" compare tiny --workloads saxpy --policies none --set determinism.policy=gpudet --set determinism.gpudet.commit=z_unit \
  --show traffic_depth --data "$folder/depth.json" > "$folder/out"
grep -q '^traffic_depth (flits): of writes that are ordered by depth' "$folder/out"
python3 - "$folder/depth.json" <<'PYTHON'
import json, sys
[r] = json.load(open(sys.argv[1]))["runs"]
parts = sum(r[k] for k in r if k.startswith("traffic_"))
assert r["traffic"] == parts > r["traffic_depth"] > 0, r
PYTHON
