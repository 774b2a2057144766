#!/usr/bin/env bash
# GTKWave opens the demonstration's VCD with a view and shows every signal of it: gtkwave_shows_view.sh SYNCLINE VIEW
# Exit status 77 (skipped) where GTKWave or a virtual X server is not installed.
set -u
syncline=$1
view=$2
here=$(dirname "$(realpath "$0")")
for tool in gtkwave xvfb-run; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$syncline" run gtx480 saxpy --no-progress --wave "$scratch/saxpy.vcd" >"$scratch/log" || { cat "$scratch/log"; exit 1; }

# shown VIEW: what GTKWave displays, a signal a line
shown() {
  HOME=$scratch timeout 120 xvfb-run -a gtkwave -S "$here/displayed.tcl" "$scratch/saxpy.vcd" "$1" >"$scratch/gtkwave.log" 2>&1
  grep -o 'displayed [^ ]*' "$scratch/gtkwave.log" | cut -d' ' -f2
}
wanted=$(grep -c '^SystemC\.' "$view")
if ! diff <(grep '^SystemC\.' "$view") <(shown "$view"); then
  echo "GTKWave does not show what $view names; it said:"
  cat "$scratch/gtkwave.log"
  exit 1
fi
sed 's/sm1\.active_warps/sm1.actve_warps/' "$view" >"$scratch/wrong.gtkw"
[ "$(shown "$scratch/wrong.gtkw" | wc -l)" -lt "$wanted" ] || { echo "a signal that does not exist was shown"; exit 1; }
echo "GTKWave shows the $wanted signals of $view"
