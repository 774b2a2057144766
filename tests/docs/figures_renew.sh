#!/usr/bin/env bash
# docs/figures/all.sh collects all data, unless it is told not to, renews figures and tables and says what changed, here in a copy of docs/
# on a commit of its own, at another place and without a home that can be written: nothing at first; after runs of the data were altered
# the claims and the figures of these, and which claims leave their bands or come into them. figures_renew.sh SOURCE_ROOT
set -u
root=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$root/docs" "$copy/docs"
export HOME=/nonexistent LC_ALL=C
unset MPLCONFIGDIR
all=$copy/docs/figures/all.sh
commit() { git -C "$copy" add -A && git -C "$copy" -c user.name=test -c user.email=test@localhost commit -qm "$1"; }
fail() { echo "$1"; [ -n "${2:-}" ] && cat "$2"; exit 1; }

# renew ARGUMENT...: runs all.sh, which has to succeed and to warn of nothing.
renew() {
  "$all" "$@" >"$copy/said" 2>"$copy/error" || fail "all.sh $*: status $?" "$copy/error"
  [ -s "$copy/error" ] && fail "all.sh $* complains" "$copy/error"
  return 0
}
says() { grep -qE "$1" "$copy/said" || fail "expected: $1; said:" "$copy/said"; }

"$copy/docs/figures/changes.py" >"$copy/said" 2>"$copy/error" && fail "without a commit there is nothing to compare with"
grep -q "error: no commit to compare with" "$copy/error" || fail "says:" "$copy/error"

/usr/bin/python3 -S "$copy/docs/figures/coherence.py" >"$copy/said" 2>"$copy/error"  # -S: without Debian's packages
[ $? -eq 2 ] && grep -qx "error: no matplotlib; expected Debian's package python3-matplotlib" "$copy/error" || fail "without matplotlib:" "$copy/error"

git -C "$copy" init -q
{ cat "$root/.gitignore"; printf '/said\n/error\n/calls\n/altered\n/program\n'; } >"$copy/.gitignore"

# All data are collected, here by stand-ins, before anything is drawn; and a collection that fails ends it.
collector() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$copy/docs/figures/$1.sh"; }
for part in coherence determinism_none determinism_gpudet transactions local_transactions multi_gpu; do collector $part "echo \"$part \$*\" >>\"$copy/calls\""; done
commit "as committed" || exit 1
program=$copy/program
ln -s "$(type -P true)" "$program"
renew "$program"
real=$(realpath "$program")
[ "$(cat "$copy/calls")" = "coherence $real
determinism_none $real
determinism_gpudet $real
transactions $real
local_transactions $real
multi_gpu $real" ] || fail "collected:" "$copy/calls"
[ "$(tail -1 "$copy/said")" = "nothing changed" ] || fail "changes without a cause:" "$copy/said"
collector determinism_none "exit 3"
"$all" "$program" >"$copy/said" 2>&1
[ $? -eq 3 ] || fail "a collection that fails is not noticed:" "$copy/said"
grep -q 'changed' "$copy/said" && fail "it goes on after a collection that failed:" "$copy/said"
git -C "$copy" checkout -q docs
: >"$copy/calls"

# BFS under rcc takes a thousand times as long with each seed: the means fall.
slower() { jq "(.runs[] | select(.workload == \"bfs\" and .policy == \"rcc\") | .cycles) *= $1" "$2" >"$copy/altered"; }
for data in "$copy"/docs/figures/coherence_[0-9].json; do slower 1000 "$data" && cp "$copy/altered" "$data"; done
"$copy/docs/figures/coherence.py" --check >"$copy/said" && fail "the check passes old figures"
says '^not current: docs/coherence.md '
says '^not current: docs/figures/speedup.svg '
renew --draw
says '^docs/coherence.md: [1-9][0-9]* of [0-9]+ rows of claims changed$'
says '^  R5 rcc over mesi, inter: [0-9.]+ -> [0-9.]+.*, now out of its band$'
says '^  docs/figures/coherence_1.json$'
says '^  docs/figures/speedup.svg$'
says '^  docs/figures/claims.svg$'
grep -q 'R4 ideal over mesi' "$copy/said" && fail "a claim of other runs changed:" "$copy/said"
grep -q 'determinism' "$copy/said" && fail "the other page changed:" "$copy/said"

# Back again it is in its band. And of several seeds the figures show how far they lie apart.
commit "altered" || exit 1
git -C "$copy" checkout -q HEAD~1 'docs/figures/coherence_[0-9].json'
rm "$copy"/docs/figures/coherence_renew_off_[23].json
slower 1.1 "$copy/docs/figures/coherence_1.json" && cp "$copy/altered" "$copy/docs/figures/coherence_3.json"
renew --draw
says '^  R5 rcc over mesi, inter: [0-9.]+ -> [0-9.]+.*, now in its band$'
says '^  docs/figures/coherence_3.json$'
says '^  R15 flits of rcc with renewal over without, inter: least..most [0-9.]+ -> none$'  # the mean is of the seed that is left
grep -q "least, most of the seeds" "$copy/docs/figures/speedup.svg" || fail "speedup.svg does not show the seeds"
[ -s "$copy/calls" ] && fail "--draw collects:" "$copy/calls"

# refuses MESSAGE ARGUMENT...
refuses() {
  "$all" "${@:2}" >"$copy/said" 2>&1
  [ $? -eq 2 ] || fail "all.sh ${*:2}: not refused" "$copy/said"
  says "$1"
}
refuses "error: all.sh: no program '$copy/none'; expected that of a build" "$copy/none"
refuses "error: all.sh: unexpected '--drawn'; expected: all.sh \[--draw\] \[SYNCLINE\]" --drawn
refuses "error: all.sh: unexpected 'b'; expected" --draw a b
echo "figures are renewed"
