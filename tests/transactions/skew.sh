#!/usr/bin/env bash
# GETM's tie rules on a timed GPU: those that are not serializable are found to be so while the program runs, and the
# one that is lets the same programs pass: skew.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
. "$2/tests/support/expect.sh"
program=$2/tests/transactions/programs/skew.ptx
cycle='not serializable: T1 reads 0x10000000, T2 overwrites it; T2 reads 0x10000080, T1 overwrites it'

judged() { # KERNEL TIE_RULE STATUS TEXT
  expect "$3" "$4" run tiny "$program" --kernel "$1" --block 256 --arg words=buf:u8:32768:zero --arg seen=buf:u32:256:zero --no-progress \
    --set transactions.policy=getm --set transactions.getm.concurrency=0 --set "transactions.getm.tie_rule=$2" --set observe.transactions=check
}
judged skew thesis 4 "$cycle"
judged skew last_reader 0 '256 committed'
judged skew reader_set 0 '256 committed'
judged double_read thesis 4 "$cycle"
judged double_read last_reader 4 "$cycle"
judged double_read reader_set 0 '256 committed'

[ "$failed" -eq 0 ] && echo "write skew is found where a rule lets it happen"
exit "$failed"
