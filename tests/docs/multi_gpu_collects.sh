#!/usr/bin/env bash
# The script behind docs/multi-gpu.md collects its data, here those of a few small runs: a policy that keeps no lines of other modules
# loads more over the links than HMG, only policies with a directory invalidate, one GPU has no links, sizes reach the machine, and runs
# that are kept are not made again; what takes too long is named. multi_gpu_collects.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
fail() { echo "$1"; cat "$2"; exit 1; }
export DATA=$data RUNS=$data/runs SIZE=small PROGRAMS=nw
collect() { "$root/docs/figures/multi_gpu.sh" "$syncline" "$@" >"$data/said" 2>&1 || fail "status $?" "$data/said"; }
# rows FILE LINES CONDITION...: as many lines, and of each row the condition; columns are known by their names.
rows() {
  awk -F, -v lines="$2" "NR == 1 { for (i = 1; i <= NF; i++) column[\$i] = i; next }
    function of(name) { return \$column[name] }
    !($3) { print \"not so: \" \$0; bad = 1 }
    END { if (NR != lines) { print NR \" lines\"; bad = 1 }; exit bad }" "$data/multi_gpu_$1.csv" || fail "$1:" "$data/multi_gpu_$1.csv"
}
value() { awk -F, -v key="$2" -v policy="$3" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } $column["policy"] == policy { print $column[key]; exit }' "$data/multi_gpu_$1.csv"; }

POLICIES="no_remote_caching hmg" collect sizes four_gpus one_gpu
rows four_gpus 3 'of("cycles") > 0 && of("link_bytes") > 0 && of("home_writes") > 0'
rows four_gpus 3 '(of("sent_INV") > 0) == (of("policy") == "hmg") && (of("link_invalidate_bytes") > 0) == (of("policy") == "hmg")'
rows four_gpus 3 'of("lines_invalidated") <= 4 * of("sent_INV") && of("sent_INV_bytes") == 8 * of("sent_INV")'
[ "$(value four_gpus link_loads hmg)" -lt "$(value four_gpus link_loads no_remote_caching)" ] || fail "loads over links:" "$data/multi_gpu_four_gpus.csv"
rows one_gpu 2 'of("policy") == "no_remote_caching" && of("link_bytes") == 0'
grep -qx 'coherence.nhcc.directory_ways,16' "$data/multi_gpu_sizes.csv" || fail "sizes:" "$data/multi_gpu_sizes.csv"

grep -qE '^gpu_vi,L1 machine,[1-9][0-9]*,[1-9][0-9]*$' "$data/multi_gpu_tables.csv" || fail "tables:" "$data/multi_gpu_tables.csv"
[ "$(grep -c '^hmg,' "$data/multi_gpu_tables.csv")" = 4 ] || fail "machines of HMG:" "$data/multi_gpu_tables.csv"

POLICIES=hmg collect bandwidth
rows bandwidth 4 'of("policy") == "hmg" && of("variant") ~ /^link_[134]00$/'
awk -F, 'NR > 1 { cycles[$3] = $4 } END { exit !(cycles["link_100"] > cycles["link_400"]) }' "$data/multi_gpu_bandwidth.csv" ||
  fail "a faster link is not faster:" "$data/multi_gpu_bandwidth.csv"

# A kept run says now that it took 7 cycles, the other that it took too long.
python3 - "$data/runs/four_gpus.db" <<'END'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
of = "WHERE id IN (SELECT run FROM setting WHERE value = ?)"
database.execute("UPDATE run SET cycles = 7 " + of, ["no_remote_caching"])
database.execute("UPDATE run SET state = 'failed', status = 152, reason = 'takes longer than 5 s' " + of, ["hmg"])
database.commit()
END
POLICIES="no_remote_caching hmg" collect four_gpus
rows four_gpus 2 'of("cycles") == 7'
grep -qx 'nw four_gpus coherence.policy=hmg: takes longer than 5 s, left out' "$data/said" || fail "said:" "$data/said"
