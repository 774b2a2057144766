#!/usr/bin/env bash
# Every signal that a view names is in the demonstration's VCD: view_names_exist.sh SYNCLINE VIEW
# Also that a view with a signal that does not exist is found out.
set -u
syncline=$1
view=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$syncline" run gtx480 saxpy --no-progress --wave "$scratch/saxpy.vcd" >"$scratch/log" || { cat "$scratch/log"; exit 1; }

# Hierarchical names, as GTKWave writes them: scopes joined by dots, and the range of a vector.
awk '$1 == "$scope" { path[++depth] = $3 }
     $1 == "$upscope" { --depth }
     $1 == "$var" { name = ""; for (i = 1; i <= depth; ++i) name = name path[i] "."
                    print name $5 ($6 == "$end" ? "" : $6) }
     $1 == "$enddefinitions" { exit }' "$scratch/saxpy.vcd" | sort >"$scratch/have"
signals_of() { grep '^SystemC\.' "$1" | sort -u; }
# missing VIEW: the signals of the view that the VCD lacks
missing() { signals_of "$1" | comm -23 - "$scratch/have"; }

named=$(signals_of "$view" | wc -l)
[ "$named" -ge 20 ] || { echo "$view names $named signals only"; exit 1; }
if [ -n "$(missing "$view")" ]; then
  echo "$view names what the VCD lacks:"
  missing "$view"
  exit 1
fi
sed 's/sm1\.active_warps/sm1.actve_warps/' "$view" >"$scratch/wrong.gtkw"
[ "$(missing "$scratch/wrong.gtkw")" = 'SystemC.gpu.sm1.actve_warps[7:0]' ] || { echo "a wrong name was not found out"; exit 1; }
echo "$named signals of $view are in the VCD"
