#!/usr/bin/env bash
# The long random test reaches all policies in all shapes, and tells what fails: stress_shapes.sh SYNCLINE
set -u
syncline=$1
here=$(dirname "$0")
failed=0
say() { echo "$*"; failed=1; }

out=$("$here/stress_long.sh" "$syncline" 1) || say "stress_long.sh with one batch each: status $?, $out"
shapes=$(grep -cv '^#' "$here/stress_shapes.txt")
. "$here/../support/timed_policies.sh"
policies=$(timed_policies | wc -l)
lines=$(grep -c 'no violation$' <<<"$out")
wanted=$(((2 * policies - 3) * shapes))
[ "$lines" -eq "$wanted" ] || say "$lines runs passed, expected $wanted: $out"
grep -q '^rcc, weakly ordered, one_word: rcc (wo): seed 100010, 1 batches' <<<"$out" || say "no seed 100010: $out"

# A policy that fails under one shape.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/syncline" <<'EOF'
#!/bin/sh
case "$*" in
  list*) echo 'coherence.policy   none   no coherence' ;;
  *'--lines 12'*) echo 'FAILED in batch 3'; exit 1 ;;
  *) echo 'no violation' ;;
esac
EOF
chmod +x "$folder/syncline"
status=0
out=$("$here/stress_long.sh" "$folder/syncline" 7 2) || status=$?
[ "$status" -eq 1 ] || say "status $status where one fails, expected 1"
grep -qF 'none, many_lines: FAILED: syncline stress none --seed 20007 --l1s 3 --homes 1 --lines 12 --operations 7' <<<"$out" ||
  say "the failure is not told: $out"
grep -qF 'FAILED in batch 3' <<<"$out" || say "what was found is not told: $out"
[ "$(grep -c 'no violation' <<<"$out")" -eq $((shapes - 1)) ] || say "the others do not run: $out"
exit $failed
