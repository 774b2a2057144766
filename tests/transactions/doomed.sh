#!/usr/bin/env bash
# Where conflicts are found at the end of an attempt, one that cannot commit any more may go to bad addresses or round
# for ever before: it begins again, and what the program itself does is told all the same: doomed.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
. "$2/tests/support/expect.sh"
program=$2/tests/transactions/programs/doomed.ptx
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

runs() { # STATUS TEXT POLICY KERNEL OPTIONS...
  expect "$1" "$2" run tiny "$program" --kernel "$4" --no-progress --set "transactions.policy=$3" --set observe.transactions=check "${@:5}"
}
both_are() { # FILE SUM: words 0 and 64
  [ "$(od -An -tu4 -N4 "$1" | tr -d ' ')" = "$2" ] && [ "$(od -An -tu4 -j256 -N4 "$1" | tr -d ' ')" = "$2" ] ||
    { echo "$1: the words are not $2"; failed=1; }
}

words=(--arg words=buf:u32:128:zero)
for policy in warptm kilotm eapg; do
  for kernel in strays spins; do
    arguments=("${words[@]}" --arg u32:8)
    [ "$kernel" = strays ] && arguments+=(--arg u32:0)
    runs 0 '1024 committed' "$policy" "$kernel" --grid 4 --block 32 "${arguments[@]}" --dump "words=$scratch/$policy.$kernel"
    both_are "$scratch/$policy.$kernel" 1024
  done
done
runs 0 '1024 committed' kilotm spins --grid 4 --block 32 "${words[@]}" --arg u32:8 --set sm.reconvergence=its

# Memory that holds a half of what a warp commits says nothing of others.
for seed in 1 2; do
  expect 0 '1024 committed' run gtx480 "$program" --kernel strays --grid 8 --block 32 "${words[@]}" --arg u32:4 --arg u32:0 --no-progress \
    --set transactions.policy=warptm --set observe.transactions=check --set perturbation.network_jitter=300 --seed "$seed"
done

# Without the watchdog lanes wait for those that read words of two times.
runs 3 'which go round at '"$program:" kilotm spins --grid 4 --block 32 "${words[@]}" --arg u32:8 --set transactions.kilotm.watchdog=0 --set limits.spin_window=100000

# A program's own fault stays one, whoever commits meanwhile.
for policy in warptm kilotm eapg warptm_el getm; do
  runs 3 'out-of-bounds global load of 4 bytes at 0x8 by thread (5, 0, 0) (warp 0, lane 5) of CTA (' "$policy" strays --grid 4 --block 32 "${words[@]}" --arg u32:8 --arg u32:1
done

# That a warp comes back to where it was is no proof that it goes round for ever, if it has aborted meanwhile.
for bits in 32 2; do
  runs 0 '512 committed' getm walks --grid 4 --block 128 --arg words=buf:u32:256:zero --arg u32:60 --set transactions.getm.concurrency=0 \
    --set "transactions.getm.timestamp_bits=$bits" --set limits.spin_window=50000
done

[ "$failed" -eq 0 ] && echo "attempts that cannot commit begin again, whatever they do"
exit "$failed"
