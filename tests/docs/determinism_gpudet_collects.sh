#!/usr/bin/env bash
# The script behind docs/determinism.md, "GPUDet", collects its data, here those of a few runs: each with time, serial mode in a program
# with atomics only, and warps that go ahead where they may; of the papers' inputs those of one seed; and a kernel changed for `causes`.
set -u
syncline=$1
root=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

PROGRAMS="cp hash_table" VARIANTS="none|gpudet" DATA=$data "$root/docs/figures/determinism_gpudet.sh" "$syncline" small || exit 1
head -1 "$root/docs/figures/determinism_gpudet.csv" | diff - <(head -1 "$data/determinism_gpudet.csv") || exit 1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  $column["cycles"] <= 0 { print "no time: " $0; bad = 1 }
  ($1 == "hash_table" && $2 == "gpudet") != ($column["cycles_serial"] > 0) { print "serial mode: " $0; bad = 1 }
  ($2 == "gpudet") != ($column["quanta"] > 0) { print "quanta: " $0; bad = 1 }
  END { if (NR != 5) { print NR " lines"; bad = 1 }; exit bad }' "$data/determinism_gpudet.csv" || exit 1

PROGRAMS=lps VARIANTS="base|overlap_base" DATA=$data "$root/docs/figures/determinism_gpudet.sh" "$syncline" overlap || exit 1
head -1 "$root/docs/figures/determinism_gpudet_overlap.csv" | diff - <(head -1 "$data/determinism_gpudet_overlap.csv") || exit 1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  ($2 == "overlap_base") != ($column["ahead_instructions"] > 0) || ($2 == "overlap_base") != ($column["ahead_passed"] > 0) {
    print "ahead: " $0; bad = 1 }
  END { if (NR != 3) { print NR " lines"; bad = 1 }; exit bad }' "$data/determinism_gpudet_overlap.csv" || exit 1

PROGRAMS=hash_table VARIANTS="none|gpudet" SEEDS=3 DATA=$data "$root/docs/figures/determinism_gpudet.sh" "$syncline" paper || exit 1
head -1 "$root/docs/figures/determinism_gpudet_paper_3.csv" | diff - <(head -1 "$data/determinism_gpudet_paper_3.csv") || exit 1
[ "$(ls "$data"/*_paper_*)" = "$data/determinism_gpudet_paper_3.csv" ] || { echo "other seeds than 3"; exit 1; }
[ "$(wc -l <"$data/determinism_gpudet_paper_3.csv")" = 3 ] || { echo "rows of \`paper\`"; cat "$data/determinism_gpudet_paper_3.csv"; exit 1; }

PROGRAMS=aes VARIANTS=base_1000 DATA=$data "$root/docs/figures/determinism_gpudet.sh" "$syncline" causes || exit 1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  $column["ends_barrier"] != 19 * $column["ends_exit"] { print "no barrier behind each round: " $0; bad = 1 }
  END { if (NR != 2) { print NR " lines"; bad = 1 }; exit bad }' "$data/determinism_gpudet_cause_rounds.csv"
