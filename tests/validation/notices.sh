#!/usr/bin/env bash
# `syncline validate` fails when the machine changes, when a deviation vanishes, and tells mistakes: notices.sh SYNCLINE
set -u
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

watched=$scratch
. "$(dirname "$0")/../support/expect.sh"

expect 0 "all as committed" validate tiny --only fence
# The prediction follows the key, so the ends of the measurement weigh less and the deviation is another one.
expect 1 "OUTSIDE" validate gtx480 --only bank_conflicts --set sm.units.ldst.lanes=2
# A ledger that commits nothing, one that commits too much, and one whose points do not exist.
printf 'tolerance: 1\n' >"$scratch/empty.yaml"
expect 1 "none  OUTSIDE" validate tiny --only fence --ledger "$scratch/empty.yaml"
cat >"$scratch/vanished.yaml" <<'END'
tolerance: 1
curves: {fence_cta: {reason: r}, fence_gl: {reason: r}, fence_sys: {reason: r}}
deviations: {tiny: {fence_cta: {0: 40}}}
END
expect 1 "+40.0  OUTSIDE" validate tiny --only fence --ledger "$scratch/vanished.yaml"
cat >"$scratch/steep.yaml" <<'END'
tolerance: 1
shapes: [{curve: fence_gl, from: 1, to: 64, at_least: 2, reason: r}]
END
expect 1 "shape fence_gl from 1 to 64: ratio 1.01, predicted 1.00, at least 2  OUTSIDE" validate tiny --only fence --ledger "$scratch/steep.yaml"
cat >"$scratch/absent.yaml" <<'END'
tolerance: 1
curves: {fence_cta: {reason: r}}
deviations: {tiny: {fence_cta: {3: 0}}}
END
expect 1 "the ledger knows fence_cta at 3, which was not measured" validate tiny --ledger "$scratch/absent.yaml"

expect 2 "unknown format \`markdwn\`; did you mean \`markdown\`?" validate tiny --format markdwn
expect 2 "unknown microbenchmark \`fences\`; did you mean \`fence\`?" validate tiny --only fences
printf 'shape: []\n' >"$scratch/unknown.yaml"
expect 2 "unknown key \`shape\`; did you mean \`shapes\`?" validate tiny --ledger "$scratch/unknown.yaml"

# One microbenchmark alone measures what it measures among the others.
"$syncline" validate tiny >"$scratch/all"
"$syncline" validate tiny --only atomics | grep '^atom_add' >"$scratch/some"
[ -s "$scratch/some" ] || { echo "nothing was measured"; exit 1; }
while IFS= read -r line; do
  grep -qxF -- "$line" "$scratch/all" || { echo "not so among the others: $line"; exit 1; }
done <"$scratch/some"
[ "$failed" -eq 0 ] && echo "changes and mistakes are noticed"
exit "$failed"
