#!/usr/bin/env bash
# GTKWave opens the view that each run makes of its own waves and shows every signal of it, and the values of
# enumerations by their names: views.sh SYNCLINE
# Exit status 77 (skipped) where GTKWave or a virtual X server is not installed.
set -u
syncline=$1
here=$(dirname "$(realpath "$0")")
for tool in gtkwave xvfb-run; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0

# shown WAVES VIEW: what GTKWave displays, a signal a line
shown() {
  HOME=$scratch timeout 120 xvfb-run -a gtkwave -S "$here/displayed.tcl" "$1" "$2" >gtkwave.log 2>&1
  grep -o 'displayed [^ ]*' gtkwave.log | cut -d' ' -f2
}

# nameless VIEW: of the values that GTKWave has just shown (`shown`) of enumerations, those that it shows as numbers. A view
# of FST does not say which are, for the file has the names in itself.
nameless() {
  local signals
  signals=$(sed -n '/^^1 /{n;p}' "$1")
  [ -n "$signals" ] || signals=$(grep -E '^SystemC\..*(_state|_message|stall_cause)\[' "$1")
  [ -z "$signals" ] || grep '^value ' gtkwave.log | grep -F "$signals" | grep -E ' [0-9x][0-9A-Fx]*$' | sort -u
}

# view NAME ENDING THEMES PLATFORM PROGRAM OPTIONS...
view() {
  local name=$1 waves=$1.$2 themes=$3
  shift 3
  "$syncline" run "$@" --no-progress --wave "$waves" --wave-view "$name.gtkw" >log 2>&1 || { cat log; failed=1; return; }
  [ "$(grep -A 1 '^@800200$' "$name.gtkw" | grep '^-' | tr -d '\n-')" = "$themes" ] || { echo "$name has the themes:"; grep -A 1 '^@800200$' "$name.gtkw"; failed=1; }
  grep '^SystemC\.' "$name.gtkw" >wanted
  [ "$(wc -l <wanted)" -ge 5 ] || { echo "$name shows hardly anything"; failed=1; }
  diff wanted <(shown "$waves" "$name.gtkw") || { echo "GTKWave does not show what $name.gtkw names; it said:"; cat gtkwave.log; failed=1; }
  nameless "$name.gtkw" >missing
  [ ! -s missing ] || { echo "$name: values without names:"; head -n 5 missing; failed=1; }
  # every enumeration that the view names has a file with names
  sed -n 's/^^1 //p' "$name.gtkw" | sort -u | while read -r names; do grep -q '^[0-9]* [A-Za-z]' "$names" || echo "no names in $names"; done >missing
  [ ! -s missing ] || { cat missing; failed=1; }
}

view pipeline vcd 'Work distributorSM pipeline' tiny saxpy --wave-groups sm,warps,work_distributor,kernels
view line vcd 'LinesL1L2Networks' tiny hash_table --wave-groups lines,l1,l2,ports --wave-blocks 'gpu.sm0*,gpu.part?_l2,gpu.up,gpu.down' \
  --watch-line 0x10009b00 --set coherence.policy=mesi
view dram vcd DRAM tiny saxpy --wave-groups dram,banks
view determinism vcd 'SM pipelineDeterminism' gtx480 saxpy --set determinism.policy=gpudet --wave-groups sm,determinism
view transactions vcd Transactions gtx480 atm --option sync=tx --set transactions.policy=getm --wave-groups transactions
if "$syncline" run tiny saxpy --no-progress --wave probe.fst >/dev/null 2>&1; then
  view all fst 'Work distributorSM pipelineL1L2NetworksDRAM' tiny saxpy --wave-groups all
else
  echo "skipped: a view of FST, which this build does not write"
fi
# What is not in the file is not shown, so a view that names too much is found out.
sed 's/_queue\[/_queeu[/' dram.gtkw >wrong.gtkw
[ "$(shown dram.vcd wrong.gtkw | wc -l)" -lt "$(grep -c '^SystemC\.' dram.gtkw)" ] || { echo "a signal that does not exist was shown"; failed=1; }
# Nor is a value by a name that there is not.
sed -i '/ memory$/d' pipeline.warp_state.txt
shown pipeline.vcd pipeline.gtkw >/dev/null
nameless pipeline.gtkw | grep -q '_state.* [0-9]*$' || { echo "a value without a name is not found"; failed=1; }
[ "$failed" -eq 0 ] && echo "GTKWave shows all views"
exit "$failed"
