#!/usr/bin/env bash
# A project elsewhere registers policies, messages and reports, which all commands of its program know then:
# registers.sh CMAKE BUILD_FOLDER PROJECT COMPILER
set -u
. "$(dirname "$0")/../support/expect.sh"
cmake=$1 build=$2 project=$3 compiler=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
for part in program development; do
  "$cmake" --install "$build" --prefix "$scratch/prefix" --component "$part" >log || { tail log; exit 1; }
done
"$cmake" -S "$project" -B build -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$compiler" >log 2>&1 || { tail -n 20 log; exit 1; }
"$cmake" --build build >log 2>&1 || { tail -n 30 log; exit 1; }
syncline=$scratch/build/registers

# A policy of coherence is one like the library's, in every command.
expect 0 'none, whose copies answer one load' list policies
expect 0 '- V, Load: hit, drop → I: the copy has served' describe once
expect 0 '"coherence":"once"' run tiny saxpy --set coherence.policy=once --no-progress
expect 2 'did you mean `once`?' run tiny saxpy --set coherence.policy=onec --no-progress
expect 0 'no violation' check once --program 'st x 1 | ld x; ld x' --no-coverage
expect 0 'no violation' stress once --operations 200

# A policy of another family has keys and statistics.
expect 0 'determinism.few.most' list keys
expect 2 'did you mean `most`?' run tiny saxpy --set determinism.few.mots=2
"$syncline" run tiny saxpy --no-progress --set determinism.policy=few --stats few.json >/dev/null || { echo "few failed"; failed=1; }
jq -e '[.statistics[] | select(.name | endswith("stall_gate_few")) | .value] | add > 0' few.json >/dev/null || { echo "few holds nobody back"; failed=1; }

# Messages are listed, and counted by every network.
expect 0 'whether somebody is there' list messages
expect 0 'down.messages_ping' list statistics --platform tiny

# Reports: the section in the data, in the page and in comparisons; the form by its ending.
expect 0 'section warps        Warps by SM' list reports
expect 0 'a table in Markdown' list reports
"$syncline" run tiny saxpy --no-progress --report r.json >/dev/null || { echo "no report"; failed=1; }
jq -e '.runs[0].sections.warps | length == 2 and add > 0' r.json >/dev/null || { echo "no data of the section"; failed=1; }
"$syncline" compare tiny --workloads saxpy --policies none,once --report both.md >/dev/null || { echo "compare failed"; failed=1; }
grep -qE '^\| once \| [0-9]+ \|$' both.md || { echo "not in Markdown:"; cat both.md; failed=1; }
"$syncline" compare tiny --workloads saxpy --policies none,once --report both.html >/dev/null || { echo "compare failed"; failed=1; }
if command -v chromium >/dev/null; then
  HOME=$scratch timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$scratch/both.html" >page.dom 2>told.txt
  grep ':CONSOLE' told.txt && { echo "a script of the page complains"; failed=1; }
  grep -q 'data-drawn="whole"' page.dom && tr '\n' ' ' <page.dom | grep -q '<section id="own_warps"><h2>Warps by SM</h2>.*data-chart="warps".*class="mark"' ||
    { echo "the section is not drawn"; failed=1; }
  # A script that fails takes nothing else with it, and is told in its place.
  sed 's/^    stackedBars(box, "warps"/    nobody.stackedBars(box, "warps"/' both.html >broken.html
  HOME=$scratch timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/profile" \
    --virtual-time-budget=5000 --dump-dom "file://$scratch/broken.html" >page.dom 2>/dev/null
  grep -q 'data-drawn="whole"' page.dom && grep -q 'The section cannot be drawn: nobody is not defined' page.dom ||
    { echo "a broken section is not told"; failed=1; }
fi

[ "$failed" -eq 0 ] && echo "what a project registers is there"
exit "$failed"
