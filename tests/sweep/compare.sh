#!/usr/bin/env bash
# syncline compare shows what a sweep has found, and the same numbers as where it runs the programs itself.
set -u
. "$(dirname "$0")/common.sh"

cat >sweep.yaml <<'END'
platforms: [tiny, tiny.yaml]
workloads: [saxpy, bfs]
vary: {coherence.policy: [none, mesi]}
seeds: [1, 2]
END
echo 'include: tiny' >tiny.yaml
expect 0 '16 runs: 16 done' sweep sweep.yaml --no-progress

# Cells are means over the seeds.
for seed in 1 2; do
  "$syncline" compare tiny --workloads saxpy,bfs --policies none,mesi --seed $seed --data $seed.json >/dev/null || failed=1
done
"$syncline" compare sweep.db --show cycles >shown || failed=1
for workload in saxpy bfs; do
  mean() { jq -s "[.[].runs[] | select(.workload == \"$workload\" and .policy == \"$1\") | .cycles] | add / length" 1.json 2.json; }
  for platform in tiny tiny.yaml; do
    is "$workload on $platform" "$(awk -v w=$workload -v p=$platform '$1 == w && $2 == p { print $3 + 0, $4 + 0 }' shown)" "$(mean none) $(mean mesi)"
  done
done
is "columns" "$(sed -n 3p shown | xargs)" 'none mesi'
"$syncline" compare sweep.db --by platform --baseline tiny.yaml --show speedup >shown || failed=1
is "the same platform twice" "$(grep -c '1.000 *1.000$' shown)" 5
expect 0 'saxpy coherence.policy=mesi' compare sweep.db --by platform
# Programs side by side: each row has all of them, and the means are those of the tables above.
"$syncline" compare sweep.db --by workload --show cycles >shown || failed=1
is "programs as columns" "$(sed -n 3p shown | xargs)" 'saxpy bfs'
"$syncline" compare sweep.db --by coherence.policy --show cycles >policies || failed=1
for platform in tiny tiny.yaml; do
  for column in 'none 3' 'mesi 4'; do
    set -- $column
    is "programs on $platform under $1" "$(awk -v row="$platform coherence.policy=$1" '$1 " " $2 == row { print $3, $4 }' shown)" \
      "$(awk -v platform=$platform -v column=$2 '$2 == platform { print $column }' policies | xargs)"
  done
done
is "rows of programs as columns" "$(tail -n +4 shown | wc -l)" 4
expect 0 'geometric mean' compare sweep.db --by workload,platform,coherence.policy
expect 2 '--by has `platform` twice' compare sweep.db --by platform,workload,platform

# Cases are columns; what has failed is told of.
cat >cases.yaml <<'END'
platforms: tiny
workloads: saxpy
cases:
  plain: {}
  short: {set: {limits.cycles: 100}}
END
told=anywhere expect 1 '2 runs: 1 done, 1 failed' sweep cases.yaml
expect 0 '1 runs have failed or not ended, and are in no table' compare cases.db
is "a case that has failed" "$("$syncline" compare cases.db --show cycles | sed -n 3p | xargs)" 'tiny'
sed -i 's/100/10000000/' cases.yaml
expect 0 '2 runs: 2 done' sweep cases.yaml --no-progress
is "cases" "$("$syncline" compare cases.db --show cycles | sed -n 3p | xargs)" 'plain short'
is "keys in the place of cases" "$("$syncline" compare cases.db --by limits.cycles --show cycles | sed -n 3p | xargs)" '- 10000000'

expect 2 'no run of the sweep has `coherence`; expected one of: case, platform, workload, size, coherence.policy, input_seed, seed' compare sweep.db --by coherence
expect 2 'the baseline `rcc` is not among the columns; expected one of: none, mesi' compare sweep.db --baseline rcc
expect 2 'unknown measure `cycle`; did you mean `cycles`?' compare sweep.db --show cycle
expect 2 '--policies does not apply to `sweep.db`, which is the database of a sweep' compare sweep.db --policies none
expect 2 '--by does not apply to a platform, but of databases of sweeps' compare tiny --by seed
python3 -c "import sqlite3; c = sqlite3.connect('foreign.db'); c.execute('CREATE TABLE mine (x)'); c.commit()"
expect 2 'the database `foreign.db` is none of a sweep' compare foreign.db
printf 'platforms: tiny\nworkloads: saxpy\nset: {limits.cycles: 100}\n' >none.yaml
told=anywhere expect 1 '1 runs: 0 done, 1 failed' sweep none.yaml
expect 2 'the database `none.db` has no results yet' compare none.db

# What is neither a database nor a platform is one error, and nothing runs.
one_error() {
  expect 2 "$1" compare "${@:2}"
  is "lines of it" "$("$syncline" compare "${@:2}" 2>&1 | wc -l)" 1
}
one_error '`nosuch.db` is not there; a sweep makes the database of that name' nosuch.db
echo nothing >nothing.db
one_error '`nothing.db` is no database of a sweep' nothing.db
one_error '`sweep.yaml` is the file of a sweep; `syncline sweep sweep.yaml` runs it' sweep.yaml
one_error 'unknown platform `tinny`; did you mean `tiny`?' tinny
echo 'smms: 2' >wrong.yaml
one_error 'wrong.yaml:1:1: error: unknown key `smms`; did you mean `sms`?' wrong.yaml
one_error 'did you mean `sms`?' tiny --set smms=2

[ "$failed" -eq 0 ] && echo "compare shows what sweeps have found"
exit "$failed"
