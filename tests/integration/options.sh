#!/usr/bin/env bash
# The options of all commands: numbers are read as in configuration files, and no option is given in vain.
set -u
syncline=$1
root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$root/tests/support/expect.sh"
watched=$scratch
cp "$root/tests/data/ptx/faults.ptx" k.ptx
kernel='run tiny k.ptx --kernel spin --no-progress --arg b=buf:u32:16:fill(1)'  # which ends at once
litmus="litmus tiny $root/tests/litmus/suite/CoRR-weak.litmus"

# Every option that takes a number, in a command that would end soon.
while IFS=: read -r option command; do
  for bad in 010 -1 +5 ' 5' 5x 5.5 1e-1 0x 1e400 18446744073709551616 '' nan; do
    expect 2 "--$option" $command "--$option" "$bad"
  done
  for good in 0x1 1e0 1.0; do
    # shellcheck disable=SC2086
    watched= expect 0 '' $command "--$option" "$good"
  done
done <<END
seed:run tiny saxpy --no-progress
input-seed:run tiny saxpy --no-progress
series-period:run tiny saxpy --no-progress --set limits.cycles=0 --series /dev/null
explain-access:run tiny saxpy --no-progress --latency /dev/null
trace-from:run tiny saxpy --no-progress --trace /dev/null
grid:$kernel
block:$kernel
shared:$kernel
seed:$litmus --iterations 1
iterations:$litmus
seed:validate tiny --only fence
seed:compare tiny --workloads saxpy --policies none
input-seed:compare tiny --workloads saxpy --policies none
jobs:compare tiny --workloads saxpy --policies none
seed:stress none --operations 1
operations:stress none
l1s:stress none --operations 1
homes:stress none --operations 1
lines:stress none --operations 1
jobs:stress none --operations 1
replay:stress none --operations 1
max-states:check rcc --no-coverage
homes:check rcc --no-coverage --max-states 1
time-left:check rcc --no-coverage --max-states 1
network:check rcc --no-coverage --max-states 1
END
expect 0 'seed 64)' run tiny saxpy --no-progress --seed 0x40
expect 0 'seed 100)' run tiny saxpy --no-progress --seed 1e2
expect 2 '--series-period: must be at least 1 cycle, found `0`' run tiny saxpy --series a.csv --series-period 0
expect 2 '--shared: must be at most 4294967295 B, found `4 GiB`' $kernel --shared '4 GiB'
expect 2 '--sample: must be at least 1, found `0`' check rcc --mutate --sample 0
expect 2 '--jobs: must be at most 64, found `65`' check rcc --mutate --jobs 65
expect 2 '--grid `2,010`:1:3: error: the extent has leading zeros' $kernel --grid 2,010

# Options that would do nothing.
for option in 'groups sm' 'blocks gpu.sm0' 'from 1' 'to 1' 'kernel 1' 'limit 1MiB' 'trigger gpu.sm0.active_warps' 'view a.gtkw'; do
  # shellcheck disable=SC2086
  expect 2 "--wave-${option% *} requires --wave" run tiny saxpy --wave-$option
done
expect 2 '--watch-line requires --wave' run tiny saxpy --watch-line 0
expect 2 '--wave-before requires --wave-trigger' run tiny saxpy --wave a.vcd --wave-before 10
expect 2 '--wave-kernel: must be at least 1, found `0`' run tiny saxpy --wave a.vcd --wave-kernel 0
expect 2 '--series-names requires --series' run tiny saxpy --series-names occupancy
expect 2 '--series-period requires --series' run tiny saxpy --series-period 500
expect 2 '--series-of-kernels requires --series' run tiny saxpy --series-of-kernels
expect 2 '--platform does not apply to `policies`' list policies --platform tiny
expect 2 '--kernel does not apply to `saxpy`, which is a program of the suite' run tiny saxpy --kernel saxpy --grid 4
expect 2 '--kernel does not apply to `saxpy`, which is a program of the suite' describe saxpy --kernel saxpy
expect 2 'saxpi: error: the PTX file cannot be read: no such file' run tiny saxpi --kernel saxpy
expect 2 '--format does not apply to `statistics`' list statistics --format text
expect 2 '--platform does not apply to --format markdown' list keys --format markdown --platform tiny
expect 2 'unknown format `markdwn`; did you mean `markdown`?' list keys --format markdwn
expect 2 'was not expected: rcc' list policies rcc
expect 2 'was not expected: twice' run tiny saxpy twice
expect 2 'was not expected: twice' describe rcc twice
expect 2 '--stats: At Most 1 required but received 2' run tiny saxpy --stats a --stats b
expect 2 '--size excludes --program' check rcc --size small --program 'ld x'
expect 2 '--mutate excludes --costs' check rcc --mutate --costs
expect 2 '--homes does not apply to `gpudet`, which has no caches and no tables' check gpudet --homes 1
for option in '--survivors s.yaml' '--sample 3' '--seed 3' '--jobs 2' --verbose '--stress 5' '--stress-seed 5' '--mutant x'; do
  expect 2 "${option%% *} requires --mutate" check rcc $option
done

# Names of nothing.
for option in stats series wave dump-config kernel; do
  expect 2 "--$option: expected a name, found nothing" run tiny saxpy --$option ''
done
expect 2 '--series-names: expected a name, found nothing' run tiny saxpy --series a.csv --series-names ''
expect 2 '--wave-groups: expected a name, found nothing' run tiny saxpy --wave a.vcd --wave-groups ''
expect 2 '--dump `b=`:1:3: error: expected the name of a file, found nothing' $kernel --dump b=
expect 2 'PLATFORM: expected a name, found nothing' run '' saxpy
expect 2 'WORKLOAD: expected a name, found nothing' run tiny ''
expect 2 '--platform: expected a name, found nothing' list keys --platform ''
for option in workloads policies baseline show data; do
  expect 2 "--$option: expected a name, found nothing" compare tiny --$option ''
done
for option in only ledger; do expect 2 "--$option: expected a name, found nothing" validate tiny --$option ''; done
expect 2 '--survivors: expected a name, found nothing' check rcc --mutate --survivors ''

[ "$failed" -eq 0 ] && echo "options are read strictly"
exit "$failed"
