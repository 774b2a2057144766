#!/usr/bin/env bash
# Transactions of shared memory, from the command line: what they cannot do is a fault with its line, what does not fit an
# SM runs under a lock and is told, and what they cost is as said: local.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
. "$root/tests/support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$root/tests/transactions/programs/shared.ptx" .

# run KERNEL POLICY ARGUMENTS...
run() { echo run southern_islands shared.ptx --kernel "$1" --no-progress --set transactions.local.policy="$2" "${@:3}"; }
out='--arg out=buf:u32:64:zero'
add="$out --arg u32:1 --arg u32:2 --block 192"

# Faults.
for policy in prw_sig smdcd serial; do
  expect 3 'shared.ptx:92: `st.global.u32 [%rd1], 1;` in kernel `stores`' $(run stores $policy $out)
  expect 3 'an access of global memory inside a transaction, which is one of shared memory' $(run stores $policy $out)
  expect 3 'shared.ptx:104: `ld.global.u32 %r1, [%rd1];` in kernel `loads`' $(run loads $policy $out)
  expect 3 'shared.ptx:114: `bra again;` in kernel `never_ends`' $(run never_ends $policy $out --set transactions.local.max_cycles=2000)
  expect 3 'a transaction does not end: it runs since 2000 cycles (`max_cycles`)' $(run never_ends $policy $out --set transactions.local.max_cycles=2000)
  expect 3 'a transaction does not end' $(run waits $policy $out --block 2 --set transactions.local.max_cycles=20000)
done
# One that ends, but takes longer: two rounds, so two transactions.
"$syncline" $(run add dcd ${add%--block*} --block 1 --stats one.json) >said || { cat said; failed=1; }
took=$(jq '[.statistics[] | select(.name | endswith("local_tm.runs")) | .value] | add' one.json)
expect 0 '"verified"' $(run add dcd ${add%--block*} --block 1 --set transactions.local.max_cycles=$((took / 2 + 2)))
expect 3 "a transaction does not end: it runs since $((took * 3 / 8)) cycles" $(run add dcd ${add%--block*} --block 1 --set transactions.local.max_cycles=$((took * 3 / 8)))
sed 's/  tx.commit;/  bar.sync 0;\n  tx.commit;/' shared.ptx >meets.ptx
expect 2 'meets.ptx:29:3: error: `bar.sync 0;` inside the transaction that begins in line 25: threads of a CTA cannot meet' \
  run southern_islands meets.ptx --kernel add $add --set transactions.local.policy=dcd
# A warp that finds the word with another one's lane each time.
expect 3 'livelock: 1 attempts of a warp'"'"'s transaction, one after the other, have aborted without a commit (`max_aborts`)' \
  $(run add prw_sig $add --set transactions.local.max_aborts=1)
expect 0 '"verified"' $(run add prw_sig $add --set transactions.local.max_aborts=0)
# Attempts of which nobody commits, but never so many one after the other.
expect 0 '"verified"' $(run add smdcd ${out} --arg u32:1 --arg u32:8 --block 4 --set transactions.local.max_aborts=4)

# What does not fit: counters of 256 bytes with their shadows, what is given out in whole units; signatures of 192
# work-items beside their registers; masks.
lock='the transactions of kernel `add` run one after the other in each CTA, as under `transactions.local.policy: serial`: a CTA with its transactions needs'
expect 0 "$lock 576 bytes of shared memory, of which an SM has 512" $(run add dcd $add --set sm.shared.bytes=512)
expect 0 "$lock 640 bytes of shared memory, of which an SM has 576" $(run add dcd $add --set sm.shared.bytes=576)
for size in shared.bytes=512 registers=3000; do
  expect 0 "$lock" $(run add prw_sig $add --set sm.$size)
  expect 2 'shared.ptx:25:3: error: kernel `add`: a CTA with its transactions needs' $(run add prw_sig $add --set sm.$size --set transactions.local.shortage=refuse)
done
expect 0 "$lock 12 scalar registers, of which an SM has 11" $(run add dcd $add --set transactions.local.scalar_registers=11)
expect 0 "$lock 15 scalar registers, of which an SM has 14" $(run add swo_sig $add --set transactions.local.scalar_registers=14)
# A kernel without transactions needs no more than under `none`: its 2 KiB fit.
"$syncline" run southern_islands matmul --set transactions.local.policy=dcd --set sm.shared.bytes=2304 --no-progress >said || { cat said; failed=1; }
! grep -q ' note ' said || { cat said; failed=1; }

# Hints: 64 bytes of 1088 have shadow memory; who only reads shares; where signatures do not fit directories do.
cp "$root/tests/transactions/programs/hints.ptx" .
hinted() { echo run southern_islands hints.ptx --kernel hinted --block 256 --arg out=buf:u32:16:zero --no-progress --set transactions.local.policy="$1" "${@:2}"; }
told_as='the transactions of kernel `hinted` run under'
for options in '' '--set transactions.local.hints=all' '--set sm.shared.bytes=1536' '--set transactions.local.hints=all --set sm.registers=3000'; do
  "$syncline" $(hinted prw_sig $options) --dump out=sums.bin --stats counts.json >said || { cat said; failed=1; }
  [ "$(od -An -v -tu4 sums.bin | xargs -n1 | sort -u)" = 48 ] || { echo "$options: other sums"; failed=1; }
  case $options in
    *all*3000) grep -qF "$told_as"' `dcd` with `ascending_single`' said || { cat said; failed=1; } ;;
    *all) grep -qF "$told_as"' `swo_sig` with `ascending_multiple`' said || { cat said; failed=1; } ;;
    *) ! grep -q ' note ' said || { cat said; failed=1; } ;;
  esac
done
expect 0 'run one after the other in each CTA' $(hinted prw_sig --set sm.registers=3000)
expect 3 'hints.ptx:48: `st.shared.u32 [%r2], 1;` in kernel `writes_beside`' run southern_islands hints.ptx --kernel writes_beside --set transactions.local.policy=dcd
expect 3 'a transaction writes shared memory beside the variables that `.pragma "local_tm variables=..."` names' \
  run southern_islands hints.ptx --kernel writes_beside --set transactions.local.policy=dcd
hint() { sed "s/local_tm variables=counters read_only/local_tm $1/" hints.ptx >hint.ptx; }
refused() { expect 2 "hint.ptx:9:11: error: $1" run southern_islands hint.ptx --kernel hinted --block 256 --arg buf:u32:16:zero --set transactions.local.policy=dcd; }
hint variables=counter
refused 'kernel `hinted` uses no .shared variable `counter`; did you mean `counters`?'
hint larg
refused '`larg` is no hint; did you mean `large`?'
hint variabels=counters
refused '`variabels=counters` is no hint; did you mean `variables=`?'
for names in '' counters, ,counters counters,,steps; do
  hint "variables=$names"
  refused '`variables=` lacks the name of a .shared variable'
done
hint 'large read_only'
expect 0 "$told_as"' `dcd` with `descending_multiple`' run southern_islands hint.ptx --kernel hinted --block 256 --arg buf:u32:16:zero --no-progress \
  --set transactions.local.policy=prw_sig --set transactions.local.selection=descending_single --set transactions.local.hints=all
# Of other tools there are pragmas, too; and several variables.
sed 's/read_only";/read_only"; .pragma "other large";/' hints.ptx >hint.ptx
expect 0 "$told_as"' `swo_sig` with `ascending_multiple`' run southern_islands hint.ptx --kernel hinted --block 256 --arg buf:u32:16:zero --no-progress \
  --set transactions.local.policy=prw_sig --set transactions.local.hints=all
sed 's/variables=named/variables=named,other/' hints.ptx >hint.ptx
expect 0 '"verified"' run southern_islands hint.ptx --kernel writes_beside --set transactions.local.policy=dcd --no-progress

# A store of others may be lost to a transaction that takes a word back, and is no mistake of the machine.
for policy in prw_sig swo_sig dcd smdcd; do
  for stores in 0 1; do
    expect 0 '3 committed, ' $(run lost $policy $out --arg u32:$stores --block 192 --set observe.transactions=check --dump out=lost.bin)
  done
  [ "$(od -An -tu4 -N4 lost.bin | tr -d ' ')" = 9 ] || { echo "$policy: a transaction has not taken back what it had"; failed=1; }
done

# What policies do not go with.
expect 2 '`transactions.local.policy` = dcd needs `transactions.policy: none`' $(run add dcd $add --set transactions.policy=getm)
expect 2 '`transactions.local.policy` = dcd needs `determinism.policy: none`' $(run add dcd $add --set determinism.policy=gpudet)
expect 2 '`sm.shared.bank_width` must be 4 bytes with `transactions.local.policy: dcd`' $(run add dcd $add --set sm.shared.bank_width=8)
expect 2 'expected one of: none, serial, prw_sig, swo_sig, dcd, smdcd' $(run add smcdc $add)
expect 2 'did you mean `ascending_single`?' $(run add dcd $add --set transactions.local.selection=ascending_singel)

[ "$failed" -eq 0 ] && echo "transactions of shared memory are told of with their lines"
exit "$failed"
