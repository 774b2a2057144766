#!/usr/bin/env bash
# tests/support/results.sh finds that a build gives the results of another, and where it does not: results.sh SYNCLINE REVERSED ROOT
set -u
syncline=$1
results=$3/tests/support/results.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
fail() { echo "$*"; cat said; exit 1; }
export ONLY='^tiny (saxpy|histogram) (coherence.policy=(none|rcc|mesi)$|determinism)'

"$results" record ledger "$syncline" >said 2>&1 || fail "does not record"
[ "$(wc -l <ledger)" -eq 8 ] && [ "$(awk '$4 == 0' ledger | wc -l)" -eq 8 ] || { cp ledger said; fail "not two workloads under four policies that all end:"; }
"$results" compare ledger "$syncline" >said 2>&1 || fail "is not as itself:"
grep -qx "8 runs, all as before" said || fail "says:"

# A build whose L1 takes a cycle more, under rcc alone.
cat >changed <<END
#!/usr/bin/env bash
[[ "\$*" == *=rcc* ]] && set -- "\$@" --set l1.hit_latency=21cycles
exec "$(realpath "$syncline")" "\$@"
END
chmod +x changed
"$results" compare ledger ./changed >said 2>&1
[ $? -eq 1 ] || fail "a change is not found:"
grep -qx "2 of 8 runs are not as before" said || fail "says:"
grep -qE "^> tiny saxpy coherence.policy=rcc 0 [0-9a-f]{16}$" said && ! grep -q "mesi" said || fail "names:"
ONLY="^tiny saxpy .*mesi" "$results" compare ledger ./changed >said 2>&1 || fail "looks at more than it is told to:"

mistake() { # WHAT ARGUMENT...
  "$results" "${@:2}" >said 2>&1
  [ $? -eq 2 ] && grep -qF "error: results.sh: $1; expected: results.sh record|compare LEDGER [SYNCLINE]" said || fail "of ${*:2}:"
}
mistake "1 arguments" record
mistake "'again'" again ledger
mistake "no ledger 'nowhere'" compare nowhere "$syncline"
mistake "no program './nothing'" record new ./nothing
ONLY=nothing_such mistake "nothing in 'ledger' that is looked at" compare ledger "$syncline"
exit 0
