#!/usr/bin/env bash
# Event traces: whole, the same for the same run, restricted as asked; and what cannot be answered is told.
set -u
syncline=$1
check=$(dirname "$(realpath "$0")")/check_trace.py
. "$(dirname "$0")/../support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
fail() { echo "$1"; exit 1; }
trace() { "$syncline" run tiny "$@" --no-progress >out.txt || fail "the run failed: $*"; }
says() { grep -qE -- "$1" "$2" || { cat "$2"; fail "$2 does not say: $1"; }; }

# Under several policies, with a program whose CTAs share data: each message by the policy's name.
for policy in none:GETS mesi:EXCLUSIVE_UNBLOCK rcc:GETS; do
  trace hash_table --set coherence.policy="${policy%:*}" --trace t.json --trace-to 20000
  "$check" t.json --to 14285715 >seen.txt || fail "$(cat seen.txt)"
  says "processes: kernels .*gpu.sm0 gpu.sm0_l1" seen.txt
  says " ${policy#*:}\$" seen.txt
  says '^ +[0-9]+ kernel 1: ' seen.txt
  says '^ +[0-9]+ (memory|fence|scoreboard)$' seen.txt
  says '^ +[0-9]+ .*ld\.global' seen.txt
  says '^ +[0-9]+ [A-Z_a-z]+ -> [A-Z_a-z]+$' seen.txt
  says '^[1-9][0-9]* arrows$' seen.txt
  says '^([1-9][0-9]*) of \1 accesses$' seen.txt  # an arrow leads to each from its instruction
done

trace saxpy --trace a.json
cycles=$(sed -n 's/.*"cycles":\([0-9]*\).*/\1/p' out.txt)
trace saxpy --trace b.json
cmp -s a.json b.json || fail "two runs, two traces"
trace saxpy
[ "$(sed -n 's/.*"cycles":\([0-9]*\).*/\1/p' out.txt)" = "$cycles" ] || fail "a trace changes the run"

# Filters.
trace saxpy --trace cycles.json --trace-from 66500 --trace-to 70000
trace saxpy --trace times.json --trace-from 47.5us --trace-to '50 us'  # of a clock of 1400 MHz
cmp -s cycles.json times.json || fail "a time is not the cycle that begins then"
"$check" times.json --from 47500000 --to 50000000 >seen.txt || fail "$(cat seen.txt)"
trace saxpy --trace sm.json --trace-sm 1
"$check" sm.json >seen.txt || fail "$(cat seen.txt)"
says 'gpu.sm1' seen.txt
grep -q 'gpu.sm0' seen.txt && fail "an SM that was not asked for"
line=$(grep -o '"line":"0x[0-9a-f]*","warp_slot"' a.json | head -n 1 | cut -d '"' -f 4)
trace saxpy --trace line.json --trace-line "$line"
"$check" line.json >seen.txt || fail "$(cat seen.txt)"
[ "$(grep -o '"line":"[^"]*"' line.json | sort -u)" = "\"line\":\"$line\"" ] || fail "other lines than that asked for"
trace bfs --trace kernel.json --trace-kernel 2-3
"$check" kernel.json >seen.txt || fail "$(cat seen.txt)"
[ "$(grep -c ' kernel [23]: ' seen.txt)" -eq 2 ] || fail "not the kernels that were asked for"
grep -q ' kernel [14]: ' seen.txt && fail "a kernel that was not asked for"

watched=$scratch
expect 2 '--trace-sm `0-x`, column 3: expected a number, found `x`; such a list is 0-3,7' run tiny saxpy --trace t.json --trace-sm 0-x
expect 2 '--trace-sm `3-1`, column 1: expected a range that goes up' run tiny saxpy --trace t.json --trace-sm 3-1
expect 2 '--trace-sm `1;2`, column 2: expected `,` or `-`, found `;`' run tiny saxpy --trace t.json --trace-sm '1;2'
expect 2 '--trace-sm `1,`, column 3: expected a number, found the end' run tiny saxpy --trace t.json --trace-sm 1,
expect 2 '--trace-sm 0,9: there is no SM 9; the platform has SM 0 to 1' run tiny saxpy --trace t.json --trace-sm 0,9
expect 2 '--trace-kernel 0: kernels are numbered from 1' run tiny saxpy --trace t.json --trace-kernel 0
expect 2 '--trace-kernel 7: the run launched 1 kernel' run tiny saxpy --trace t.json --trace-kernel 7
expect 2 '--trace-line 0x100: no message was about the line at 0x100; the nearest that one was about is at 0x' run tiny saxpy --trace t.json --trace-line 0x100
expect 2 '--trace-from `1000000000`: the run ended in cycle' run tiny saxpy --trace t.json --trace-from 1000000000
watched= expect 0 '' run tiny saxpy --no-progress --trace t.json --trace-to 18446744073709551615 && rm t.json
expect 2 '--trace-from `18446744073709551615`: the run ended in cycle' run tiny saxpy --trace t.json --trace-from 18446744073709551615
expect 2 '--trace-to `5` is not behind --trace-from `9`' run tiny saxpy --trace t.json --trace-from 9 --trace-to 5
expect 2 '--trace-to `0` is not behind --trace-from `0`' run tiny saxpy --trace t.json --trace-to 0
expect 2 '--trace-from `35 u`: expected a cycle of the SM clock (`12000`) or a time (`35 us`)' run tiny saxpy --trace t.json --trace-from '35 u'
expect 2 '--trace: nothing happened in the time, SMs, kernels and line that are asked for' run tiny saxpy --trace t.json --trace-to 1
expect 2 '--trace-sm requires --trace' run tiny saxpy --trace-sm 1
expect 2 '--trace watches the timed blocks' run tiny saxpy --functional --trace t.json
expect 2 'cannot write `nowhere/t.json`' run tiny saxpy --trace nowhere/t.json
[ "$failed" -eq 0 ] && echo "traced"
exit "$failed"
