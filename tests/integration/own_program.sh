#!/usr/bin/env bash
# A program with a platform of its own has the options, files, errors and exit statuses of `syncline run`:
# own_program.sh OWN_PROGRAM SYNCLINE
set -u
. "$(dirname "$0")/../support/expect.sh"
syncline=$1 command=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
mkdir results
watched=$scratch/results
files='--stats results/s.json --series results/s.csv --wave results/w.vcd --dump-config results/c.yaml'

expect 0 'own_program on tiny (timed, seed 1)' --no-progress
expect 0 '"workload":"own_program","platform":"tiny","fidelity":"timed"' --no-progress
expect 0 '"fidelity":"functional"' --functional --no-progress
expect 0 'nothing was checked' --end unchecked --no-progress
expect 0 'Ends as it is told to' --help
expect 0 '--end' --help
expect 0 "$("$command" --version)" --version
expect 1 'WRONG' --end wrong --no-progress
expect 2 'own_program: no such input' --end mistake $files
expect 2 'own_program: two SMs are not enough' --end parts $files
expect 0 '"verified":true' --end parts --set sms=1 --no-progress
expect 2 'own_program: --set smss: error: unknown key `smss`; did you mean `sms`?' --set smss=1 $files
expect 2 'own_program: unknown platform `tinny`; did you mean `tiny`?' --platform tinny $files
expect 2 'own_program: unknown option `--stat`; did you mean `--stats`?' --stat results/s.json
expect 2 'see `own_program --help`' --ends well
expect 2 'own_program: unknown command `lsit`; did you mean `list`?' lsit
expect 2 'own_program: unknown command `run`' run tiny saxpy
# What stands in it: its platform, with what --platform says instead.
expect 0 'gpu.sm1.warp_instructions' list statistics
expect 0 'sms                ' list keys
expect 2 'unknown platform `tinny`; did you mean `tiny`?' list statistics --platform tinny
expect 0 '# gpudet' describe gpudet
expect 3 'own_program: out-of-bounds global store' --end fault $files
expect 4 'own_program: lost a message' --end model $files
expect 4 'own_program: internal error: out of range' --end exception $files
# SM 0 stores into memory of GPU 1, and the answer never crosses the link.
cut="--platform hmg_tiny --set modules.pages.placement=fixed --set modules.pages.module=3 --set modules.ctas=none --set limits.progress_window=20000"
expect 0 '"verified":true' --no-progress $cut
expect 4 'no progress since cycle' --end cut $cut $files
expect 4 'gpu.nvlink0_in: in1 network 0: 1 messages wait, the first is a ' --end cut $cut $files
expect 4 '; 0 of 64 credits are there' --end cut $cut $files
expect 2 'own_program: there is no link to cut' --end cut $files
expect 4 'own_program: SystemC: Error: (E109) complete binding failed' --end unbound $files
expect 4 'a block of the user'"'"'s throws' --end thread $files
OPTION_THERE_IS=1 expect 4 'own_program: internal error: added option matched existing option name: seed is already added' $files
[ -z "$(ls -A results)" ] || { echo "what failed has left files"; failed=1; }

# All files are those of the command, and a seed repeats a run.
"$syncline" $files --seed 3 --no-progress >first.txt && mv results first && mkdir results || failed=1
"$syncline" $files --seed 3 --no-progress >second.txt || failed=1
for file in s.json s.csv c.yaml; do
  [ -s first/$file ] && cmp first/$file results/$file || { echo "$file is not the same again"; failed=1; }
done
[ -s first/w.vcd ] || { echo "no waves"; failed=1; }
"$command" run first/c.yaml saxpy --no-progress --dump-config again.yaml >/dev/null && cmp first/c.yaml again.yaml || failed=1

[ "$failed" -eq 0 ] && echo "a program of one's own ends as the command does"
exit "$failed"
