#!/usr/bin/env bash
# A program with transactions where no policy executes them: status 2, with its place in the PTX and the key that chooses
# a policy; kernels without transactions in the same file run. And policies beside what they cannot be combined with:
# refusals.sh SYNCLINE SOURCE_ROOT
set -u
syncline=$1
root=$2
. "$root/tests/support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$root/tests/transactions/programs/counter.ptx" .
where='counter.ptx:11:3: error: kernel `count` has transactions, which need a policy: `transactions.policy` and `transactions.local.policy` are `none`'

for run in '' --functional; do
  expect 2 "$where" run tiny counter.ptx --kernel count --block 64 --arg buf:u32:1:zero $run
  expect 0 '"verified"' run tiny counter.ptx --kernel plain --block 64 --arg buf:u32:1:zero --no-progress $run
done
cat >script.yaml <<'YAML'
module: counter.ptx
buffers:
  counter: {type: u32, count: 1}
steps:
  - launch: {kernel: count, grid: 2, block: 64, args: [{ptr: counter}]}
YAML
expect 2 "$where" run tiny script.yaml
expect 2 "$where" run tiny script.yaml --functional
expect 2 "$where" describe script.yaml

# What a policy of transactions cannot be combined with.
refused() { # TEXT SETTINGS...
  local settings=()
  for setting in "${@:2}"; do settings+=(--set "$setting"); done
  expect 2 "$1" run tiny counter.ptx --kernel count --block 64 --arg buf:u32:1:zero "${settings[@]}"
}
for policy in getm kilotm warptm warptm_el eapg; do
  refused "\`coherence.consistency\` cannot be sc with \`transactions.policy: $policy\`" transactions.policy=$policy coherence.consistency=sc
  for coherence in mesi gpu_vi rcc; do
    refused "\`transactions.policy\` = $policy needs \`coherence.policy: none\`" transactions.policy=$policy coherence.policy=$coherence
  done
  refused "\`transactions.policy\` = $policy needs \`determinism.policy: none\`" transactions.policy=$policy determinism.policy=gpudet
done
for mechanism in its tf_stack; do
  refused '`transactions.getm.attempt_tags` above 1 needs `sm.reconvergence.mechanism: ipdom`' transactions.policy=getm \
    transactions.getm.attempt_tags=2 sm.reconvergence=$mechanism
done
expect 0 '"verified"' run tiny counter.ptx --kernel count --block 64 --arg buf:u32:1:zero --no-progress --set transactions.policy=getm \
  --set transactions.getm.attempt_tags=2

# The emulator runs on a platform that asks for what judges a timed run, and says that nothing has.
for key in consistency transactions; do
  expect 0 "nothing has judged this run: \`observe.$key\` is for timed ones" run tiny counter.ptx --kernel count --block 64 --arg buf:u32:1:zero \
    --no-progress --set transactions.policy=getm --set observe.$key=check --functional
done

[ "$failed" -eq 0 ] && echo "transactions are refused where nobody executes them, and policies of theirs beside what they do not go with"
exit "$failed"
