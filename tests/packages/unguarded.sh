#!/usr/bin/env bash
# `observe.transactions=check` finds a machine that keeps no transactions apart, names those that met, and changes nothing of runs in
# which nothing is wrong: unguarded.sh SYNCLINE SYNCLINE_WITH_UNGUARDED SOURCE_ROOT
set -u
. "$(dirname "$0")/../support/expect.sh"
. "$(dirname "$0")/../support/statistics.sh"
plain=$1 unguarded=$2 programs=$3/tests/transactions/programs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$programs"/{counter,bank}.ptx .
python3 -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<I', 20) * 16)" >money.bin
bank='bank.ptx --kernel bank --arg money=buf:money.bin --arg u32:16 --arg u32:6'
check='--no-progress --set observe.transactions=check'
where='SM [0-9]+, slot [0-9]+ \(grid 0, CTA \([0-9]+, 0, 0\), warp [0-9]+\), lane [0-9]+, in the transaction of bank.ptx:[0-9]+: `tx.begin;` in kernel `bank`'

# must_break TEXT ARGUMENTS...: TEXT is an extended regular expression.
must_break() {
  local text=$1 status=0 out
  shift
  out=$("$unguarded" run tiny "$@" 2>&1) || status=$?
  out=$(tr '\n' ' ' <<<"$out")
  if [ "$status" -ne 4 ] || ! grep -qE "$text" <<<"$out"; then
    printf 'run %s\n  exit status %s, expected 4; expected to read: %s\n  %s\n' "$*" "$status" "$text" "$out"
    failed=1
  fi
}
must_break "the run breaks transactions: not serializable: T1 (reads|writes) 0x[0-9a-f]+, T2 .*T1: $where  *T[2-9]: $where" \
  $bank --grid 8 --block 64 $check --set transactions.policy=unguarded
must_break "the run breaks the values of transactions: $where gets 0x[0-9a-f]+ for the word at 0x[0-9a-f]+, which held 0x[0-9a-f]+ when it was read, written by $where" \
  $bank --grid 8 --block 64 $check --set transactions.policy=unguarded --set transactions.unguarded.cached=true

# Who does not watch sees nothing but a wrong result; who has one warp alone, nothing wrong.
syncline=$unguarded
expect 0 '"verified"' run tiny $bank --grid 8 --block 64 --no-progress --set transactions.policy=unguarded
expect 0 '  transactions        192 committed, 0 aborted; at most 1 remembered; values of ' \
  run tiny $bank --grid 1 --block 32 $check --set transactions.policy=unguarded
expect 0 '  transactions        192 committed, 0 aborted; at most 1 remembered; values of ' \
  run tiny $bank --grid 1 --block 32 $check --set transactions.policy=unguarded --set observe.transactions_window=100

# The same run with and without: the same cycles, bytes and statistics, but for those of the check itself.
for watch in off check; do
  "$plain" run tiny $bank --grid 4 --block 64 --no-progress --set transactions.policy=global_lock --set observe.transactions=$watch \
    --stats $watch.json >$watch.txt || failed=1
  tail -1 $watch.txt | sed 's/"host_seconds":[^,]*//' >$watch.result
  statistics_alone $watch.json
  grep -v '"serializability\.' $watch.json | sed 's/,$//' >$watch.stats
done
cmp off.result check.result && cmp off.stats check.stats || failed=1
grep -q '"name":"serializability.committed","value":1536.0,' check.json || { echo "not all transactions are judged"; failed=1; }
syncline=$plain
expect 0 '"verified"' run tiny saxpy $check

[ "$failed" -eq 0 ] && echo "transactions that are not kept apart are found"
exit "$failed"
