#!/usr/bin/env bash
# A policy that is a folder and a line: it is listed, described and compared, mistakes of its name are told, and it changes
# nothing: empty.sh SYNCLINE SYNCLINE_WITH_EMPTY
set -u
. "$(dirname "$0")/../support/expect.sh"
. "$(dirname "$0")/../support/statistics.sh"
plain=$1 syncline=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

"$plain" list policies >before
"$syncline" list policies >after
[ "$(diff before after)" = "$(printf '%s\n' "$(grep -n 'transactions.policy  ' before | tail -n 1 | cut -d: -f1)a$(grep -n 'policy  *empty' after | cut -d: -f1)" \
  '> transactions.policy        empty        nothing but a name')" ] || { echo "list policies:"; diff before after; failed=1; }
expect 0 'Chosen by `transactions.policy: empty`.' describe empty
expect 2 '`empty` has no machines to draw; its format is markdown' describe empty --format dot
expect 2 '`empty` has no machines to explore' check empty
expect 0 '"transactions":"empty"' run tiny saxpy --no-progress --set transactions.policy=empty
expect 2 'did you mean `empty`?' run tiny saxpy --set transactions.policy=emtpy
expect 2 'did you mean `empty`?' compare tiny --workloads saxpy --policies emtpy
expect 2 'did you mean the policy `empty`' describe emtpy

for program in saxpy bfs racey; do
  "$plain" run tiny $program --no-progress --seed 3 --stats before.json >said.before || failed=1
  "$syncline" run tiny $program --no-progress --seed 3 --stats after.json --set transactions.policy=empty >said.after || failed=1
  statistics_alone before.json after.json
  cmp before.json after.json || failed=1
  signature() { grep -o '"memory_signature":"[0-9a-f]*"' "$1"; }
  [ "$(signature said.before)" = "$(signature said.after)" ] || { echo "$program ends in another way"; failed=1; }
done
# With another family's policy, and beside it.
expect 0 'empty+gpudet' compare tiny --workloads saxpy --policies gpudet,empty+gpudet --show speedup
"$syncline" compare tiny --workloads saxpy --policies gpudet,empty+gpudet --show cycles --data two.json >/dev/null || failed=1
python3 - <<'PYTHON' || failed=1
import json
one, two = json.load(open("two.json"))["runs"]
assert (one["policy"], two["policy"]) == ("gpudet", "empty+gpudet"), (one, two)
assert one["cycles"] == two["cycles"] > 0, (one, two)
PYTHON

[ "$failed" -eq 0 ] && echo "a package is a folder and a line"
exit "$failed"
