#!/usr/bin/env bash
# The published rule of GETM for equal timestamps lets two removals of neighbours commit, and a sorted list keeps a key
# that was removed; the platform's own rule does not: write_skew.sh SYNCLINE
set -u
syncline=$1
skews=0
for seed in 1 2 3 4; do
  for rule in thesis reader_set; do
    out=$("$syncline" run gtx480 sorted_list --no-progress --option sync=tx --option contention=50 --seed $seed \
      --set transactions.policy=getm --set transactions.getm.tie_rule=$rule 2>&1)
    status=$?
    [ $rule = thesis ] && [ $status = 1 ] && grep -q 'check .* of list .* was there' <<<"$out" && skews=$((skews + 1)) && continue
    [ $status = 0 ] && continue
    echo "$rule, seed $seed: status $status"
    echo "$out"
    exit 1
  done
done
echo "write skew breaks the list of $skews of 4 seeds under the published rule"
[ $skews -gt 0 ]
