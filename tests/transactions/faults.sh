#!/usr/bin/env bash
# What is wrong with a transaction and depends on the way that a thread takes is a fault of that thread, however lanes
# meet: faults.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
. "$root/tests/support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$root/tests/transactions/programs/faults.ptx" .
thread='thread (37, 0, 0) (warp 1, lane 5) of CTA (0, 0, 0) in kernel'

for fidelity in '' --functional; do
  for mechanism in ipdom its tf_stack; do
    faults() { # KERNEL TEXT
      expect 3 "$2" run tiny faults.ptx --kernel "$1" --block 64 --no-progress --set transactions.policy=global_lock --set sm.reconvergence=$mechanism $fidelity
    }
    faults never_begun 'faults.ptx:16: `tx.commit;` in kernel `never_begun`: a commit outside of transactions ('"$thread"' `never_begun`)'
    faults never_committed 'faults.ptx:29: `ret;` in kernel `never_committed`: inside a transaction: a thread that ends cannot commit it ('"$thread"
    faults meets 'faults.ptx:41: `bar.sync 0;` in kernel `meets`: inside a transaction: threads of a CTA cannot meet while their transactions may begin again ('"$thread"
    faults prints 'faults.ptx:52: `call (written), vprintf, (format, arguments);` in function `say`: inside a transaction: what the system does for it cannot be undone ('"$thread"
  done
done

# Transactional memories log loads and stores.
for policy in getm warptm; do
  expect 3 'faults.ptx:79: `atom.global.add.u32 %r, [%rd], 1;` in kernel `adds`' run tiny faults.ptx --kernel adds --block 32 --arg buf:u32:1:zero \
    --no-progress --set transactions.policy=$policy
done

# Nobody waits, neither for a granule nor after an abort: warps abort each other for ever.
expect 3 'livelock: 40 attempts of a warp'"'"'s transactions, one after the other, have aborted without a commit (`max_aborts`): '"$root/tests/transactions/programs/counter.ptx:" run tiny "$root/tests/transactions/programs/counter.ptx" --kernel count \
  --grid 3 --block 96 --arg buf:u32:1:zero --no-progress --set transactions.policy=getm --set transactions.getm.stall_addresses=0 \
  --set transactions.getm.backoff=0 --set transactions.getm.max_aborts=40

# Who waits at the end of a run is said once.
for policy in global_lock getm; do
  "$syncline" run tiny "$root/tests/transactions/programs/counter.ptx" --kernel count --grid 3 --block 96 --arg buf:u32:1:zero --no-progress \
    --set transactions.policy=$policy --set limits.cycles=1500 >said 2>&1
  waiting=$(grep -cE '^  gpu\.sm0[^ ]*: the warp in slot 0(:| waits for).*(to begin a transaction|the lock of all transactions)' said)
  [ "$waiting" -eq 1 ] || { echo "$policy: it is said $waiting times that the warp in slot 0 of SM 0 waits"; failed=1; }
done

[ "$failed" -eq 0 ] && echo "faults of transactions are told with their thread"
exit "$failed"
