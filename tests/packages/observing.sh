#!/usr/bin/env bash
# A package that is a folder and a line brings a lane stage and a partition unit: its page says so, they see all that
# passes, and the program ends as without them: observing.sh SYNCLINE SYNCLINE_WITH_OBSERVING
set -u
. "$(dirname "$0")/../support/expect.sh"
plain=$1 syncline=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

expect 0 '| lane stage | Looker: ' describe observing
expect 0 '| partition unit | Gatekeeper: ' describe observing
expect 0 '- gatekeeper: 0 bytes of memory' describe observing

for policies in coherence.policy=none coherence.policy=mesi determinism.policy=gpudet; do
  for program in saxpy histogram; do
    "$plain" run tiny $program --no-progress --seed 3 --set $policies >said.before || failed=1
    "$syncline" run tiny $program --no-progress --seed 3 --set $policies --set transactions.policy=observing --stats stats.json >said.after || failed=1
    signature() { grep -o '"memory_signature":"[0-9a-f]*"' "$1"; }
    [ "$(signature said.before)" = "$(signature said.after)" ] || { echo "$program ends in another way"; failed=1; }
    python3 - "$policies $program" <<'PYTHON' || failed=1
import json, re, sys
def total(pattern):
    found = [s["value"] for s in statistics if re.fullmatch(pattern, s["name"]) and "value" in s]
    assert found, pattern
    return sum(found)
statistics = json.load(open("stats.json"))["statistics"]
seen = total(r"looker\d+\.instructions")
issued = total(r"gpu\.sm\d+\.(global_loads|global_stores|atomics|local_accesses|shared_accesses)")
assert seen == issued > 0, (sys.argv[1], seen, issued)
assert seen < total(r"looker\d+\.lanes") <= 32 * seen, sys.argv[1]
passed = total(r"gpu\.part\d+_gatekeeper\.requests")
came = total(r"gpu\.part\d+_l2\.(loads|stores|atomics)")
if "gpudet" not in sys.argv[1]:  # its z_unit asks the L2, too, from behind
    assert passed >= came, (sys.argv[1], passed, came)
assert min(passed, came) > 0, sys.argv[1]
PYTHON
  done
done

[ "$failed" -eq 0 ] && echo "a package's lane stage and unit see what passes"
exit "$failed"
