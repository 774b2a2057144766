#!/usr/bin/env bash
# What `syncline run` says of threads: how many, why not more, and of mistakes. told.sh SYNCLINE ROOT
set -u
syncline=$1
root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
watched=$scratch
. "$root/tests/support/expect.sh"

for number in 0 -1 02 65 1000 two 1.5; do
  expect 2 "--threads: error: \`host.threads\` must be a whole number from 1 to 64, or \`auto\`, found \`\"$number\"\`" \
    run tiny saxpy --threads $number
done
expect 2 '--threads: expected a name, found nothing' run tiny saxpy --threads ''
printf 'include: %s/configs/tiny.yaml\nhost:\n  threads: 0\n' "$root" >none.yaml
expect 2 'none.yaml:3:3: error: `host.threads` must be a whole number from 1 to 64' run none.yaml saxpy
expect 2 '--set host.threads: error: `host.threads` must be' run tiny saxpy --set host.threads=100

expect 0 '  threads             2' run gtx480 saxpy --threads 2 --no-progress
expect 0 ' turns between them)' run gtx480 saxpy --threads 2 --no-progress
expect 0 '  threads             3' run gtx480 saxpy --set host.threads=3 --no-progress
expect 0 '  threads             1, not 2: waves are written' run tiny saxpy --threads 2 --wave a.vcd --no-progress
expect 0 '1, not 2: an observer follows messages' run tiny saxpy --threads 2 --trace a.json --no-progress
expect 0 '1, not 4: a policy or an observer follows warps' run tiny atm --threads 4 --set transactions.policy=getm --no-progress
expect 0 '1, not 2: where a page lies is known when its first access has been sent' run hmg_tiny saxpy --set coherence.policy=none --threads 2 --no-progress
expect 0 '1, not 2: perturbation.network_jitter draws as messages come' \
  run tiny saxpy --threads 2 --set perturbation.network_jitter=3 --no-progress
# The command line wins over the file.
printf 'include: %s/configs/tiny.yaml\nhost:\n  threads: 2\n' "$root" >two.yaml
expect 0 '  threads             2' run two.yaml saxpy --no-progress
expect 0 'verified' run two.yaml saxpy --threads 1 --no-progress
expect 0 'verified' run gtx480 saxpy --threads auto --no-progress

# A kernel that calls the system has its turns in order while it runs: it prints, and takes from the heap, as on one thread
# (threads.prints).
"$syncline" run gtx480 "$root/tests/threads/prints.ptx" --kernel k --grid 40 --block 64 --arg buf:u32:2560:zero --no-progress --threads 4 \
  >prints.txt || failed=1
[ "$(grep -c '^[0-9]* [0-9]* [0-9a-f]*$' prints.txt)" -eq 2560 ] || { echo 'not all threads have printed'; failed=1; }

# A fault is that of the first turn.
for number in 1 3; do
  "$syncline" run gtx480 "$root/tests/data/ptx/faults.ptx" --kernel misaligned --grid 30 --block 64 --arg buf:u32:16:zero --no-progress \
    --threads $number 2>"fault$number.txt"
  [ $? -eq 3 ] || { echo "on $number threads a fault is none"; failed=1; }
done
cmp fault1.txt fault3.txt || failed=1
exit $failed
