#!/usr/bin/env bash
# Programs whose results show whether each transaction is atomic, watched while they run: atomicity.sh SYNCLINE SOURCE_ROOT OPTIONS...
set -u
syncline=$1
programs=$2/tests/transactions/programs
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failed=0
run() { # NAME ARGUMENTS...
  "$syncline" run tiny "$programs/$1.ptx" --no-progress "${options[@]}" "${@:2}" >said 2>&1 || { cat said; failed=1; }
  [[ " ${options[*]} " == *' --functional '* ]] || grep -qE '^  transactions +[1-9][0-9]* committed, ' said || { echo "$1: nobody has judged"; failed=1; }
}
options=(--set observe.transactions=check "$@")

run counter --kernel count --grid 3 --block 96 --arg counter=buf:u32:1:zero --dump counter=counter.bin
# Few accounts: nearly all transfers meet others. Many: few do.
for accounts in 4 1024; do
  python3 -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<I', 20) * $accounts)" >money.bin
  run bank --kernel bank --grid 3 --block 64 --arg money=buf:money.bin --arg u32:$accounts --arg u32:2 --dump money=bank$accounts.bin
done
run list --kernel list --grid 2 --block 48 --arg nodes=buf:u32:194:zero --dump nodes=list.bin
run ends --kernel ends --grid 2 --block 64 --arg words=buf:u32:3:zero --arg u32:4 --dump words=ends.bin

python3 - <<'PYTHON' || failed=1
import struct
def words(name):
    data = open(name, "rb").read()
    return struct.unpack("<%dI" % (len(data) // 4), data)
assert words("ends.bin") == (512, 128, 128), words("ends.bin")
assert words("counter.bin") == (288,), words("counter.bin")
for accounts in (4, 1024):
    money = words("bank%d.bin" % accounts)
    assert len(money) == accounts and sum(money) == 20 * accounts and any(m != 20 for m in money), money
nodes = words("list.bin")
at, keys, seen = nodes[1], [], set()
while at != 0:
    assert at not in seen, "the list is a ring"
    seen.add(at)
    keys.append(nodes[2 * at])
    at = nodes[2 * at + 1]
assert seen == set(range(1, 97)), "%d of 96 nodes are in the list" % len(seen)
assert keys == sorted(keys) and len(set(keys)) > 90, keys
PYTHON
[ "$failed" -eq 0 ] && echo "each transaction is atomic with $*"
exit "$failed"
