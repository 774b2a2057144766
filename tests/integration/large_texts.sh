#!/usr/bin/env bash
# Texts as large as they are read, or half as large, made to cost as much as they can: each is read, or refused where it is wrong, in little
# memory and without a quadratic search (which would take many minutes): large_texts.sh SYNCLINE ... ROOT
set -u
syncline=$1
root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$root/tests/support/expect.sh"
watched=$scratch
cp "$root/tests/data/ptx/faults.ptx" .
printf '#!/bin/sh\nulimit -v 1200000\nexec "$@"\n' >bounded && chmod +x bounded
under=./bounded
most=$((1 << 21))

# fill HEAD UNIT [TAIL]: UNIT, in which # is a number, as often as a file of the largest size holds it
fill() { python3 -c '
import sys
head, unit, tail = (text.replace("\\n", "\n") for text in sys.argv[1:4])
room, pieces = int(sys.argv[4]) - len(head) - len(tail), []
if "#" not in unit:
    pieces = [unit * (room // len(unit)), ""]
    room = 0
while room > 0:
    pieces.append(unit.replace("#", str(len(pieces))))
    room -= len(pieces[-1])
print(head + "".join(pieces[:-1]) + tail, end="")' "$1" "$2" "${3:-}" "$most"; }

fill '' 'k#:\n' >keys.yaml
expect 2 'keys.yaml:1:1: error: unknown key `k0`' run keys.yaml saxpy
expect 2 'keys.yaml:1:1: error: unknown key `k0`' run tiny keys.yaml
fill 'sms: 2\n' 'k#:\n' 'k5:\n' >twice.yaml
expect 2 'error: duplicate key `k5`; it stands first in line 7' run twice.yaml saxpy
fill '' 'sm: {k#: 1}\n' >groups.yaml
expect 2 'groups.yaml:2:1: error: duplicate key `sm`; it stands first in line 1' run groups.yaml saxpy
most=$((1 << 20))
for opening in '[' '{a: ' '- ' 'a,'; do
  fill 'sms: {' "$opening" >open.yaml
  expect 2 'open.yaml:' run open.yaml saxpy
done
fill 'sms: [' '1,' ']' >list.yaml
expect 2 'list.yaml:1:6: error: `sms` expects a whole number' run list.yaml saxpy
fill 'sms: 0x' f >hex.yaml
expect 2 'hex.yaml:1:6: error: `sms` is too large' run hex.yaml saxpy
fill 'sms: 0' 1 >zeros.yaml
expect 2 'zeros.yaml:1:6: error: `sms` has too many digits' run zeros.yaml saxpy
fill 'clocks: {core: 1e' 1 ' Hz}' >exponent.yaml
expect 2 'exponent.yaml:1:16: error: `clocks.core` has too large an exponent' run exponent.yaml saxpy
fill '' smss ': 1' >key.yaml
expect 2 'key.yaml:1:' run key.yaml saxpy
fill '? ' smss '\n: 1' >key.yaml
expect 2 'key.yaml:1:3: error: unknown key `smsssmss' run key.yaml saxpy
fill 'coherence: {policy: ' mesi '}' >choice.yaml
expect 2 'choice.yaml:1:21: error: `coherence.policy` has no choice `mesimesi' run choice.yaml saxpy
fill 'include: [' 'a, ' 'a]' >include.yaml
expect 2 'include.yaml:1:11: error: unknown platform `a`; expected one of: ' run include.yaml saxpy
script='module: faults.ptx\nbuffers:\n'
fill "$script" '  b#: {bytes: 4}\n' 'steps:\n  - dump: {buffer: c, to: o}\n' >buffers.yaml
expect 2 'error: no buffer is called `c`' run tiny buffers.yaml
fill "$script" '  b#: {bytes: 4}\n' 'steps:\n  - dump: {buffer: b9, to: /nowhere/o}\n' >buffers.yaml
expect 2 'cannot write `/nowhere/o`: No such file or directory' run tiny buffers.yaml
half=$((most / 2))
{ most=$half fill "$script" '  b#: {bytes: 4}\n'; echo steps:; most=$half fill '' '  - write: {buffer: b#, fill: 1}\n' | head -n 30000; } >writes.yaml
expect 0 'nothing was checked' run tiny writes.yaml --no-progress
fill "${script}  b: {bytes: 4}\nsteps:\n  - launch: {kernel: spin, grid: 1, block: 1, args: [" '{ptr: b}, ' ']}\n' >arguments.yaml
expect 2 'arguments are given, it has 1 parameters' run tiny arguments.yaml
fill "${script}  b: {bytes: 4}\nsteps:\n  - launch: {kernel: spin, grid: [" '1,' '], block: 1}\n' >grid.yaml
expect 2 'grid.yaml:5:34: error: `grid` expects one to three numbers' run tiny grid.yaml
fill 'module: faults.ptx\nsteps: [' '{}, ' ']\n' >steps.yaml
expect 2 'steps.yaml:2:9: error: a step needs one of' run tiny steps.yaml

most=$((1 << 21))
{ fill '' '# no more than this\n'; echo 'sms: 2'; echo '# and this, and this'; } >large.yaml
expect 2 'at most 2097152 are read' run large.yaml saxpy
expect 2 'at most 2097152 are read' run tiny large.yaml
truncate -s 1T sparse.yaml
expect 2 'cannot read `sparse.yaml`: it has 1099511627776 bytes' run sparse.yaml saxpy

[ "$failed" -eq 0 ] && echo "large texts cost little"
exit "$failed"
