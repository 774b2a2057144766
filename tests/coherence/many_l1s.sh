#!/usr/bin/env bash
# A line that the L1s of all SMs share is written, and all of them see it, on machines with more L1s than a set of nodes
# holds in place: many_l1s.sh SYNCLINE
set -u
syncline=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

# share SMS SETTINGS...
share() {
  local sms=$1 settings=()
  for setting in "${@:2}"; do settings+=(--set "coherence.$setting"); done
  if ! "$syncline" run tiny "$here/all_share.ptx" --kernel all_share --grid "$sms" --block 32 --arg buf:u32:128:zero \
    --arg "seen=buf:u32:$sms:zero" --dump "seen=$scratch/seen" --no-progress --set "sms=$sms" "${settings[@]}" \
    --set observe.consistency=check --stats "$scratch/stats.json" >"$scratch/out" 2>&1 ||
    [ "$(od -A n -t d4 -v -w4 "$scratch/seen" | sort | uniq -c | tr -s ' ')" != " $sms 7" ]; then
    echo "$*"
    cat "$scratch/out"
    bad=1
  fi
  rm -f "$scratch/seen"
}

. "$here/../support/timed_policies.sh"
policies=$(timed_policies)
[ "$(wc -w <<<"$policies")" -ge 9 ] || { echo "hardly any policies: $policies"; exit 1; }
for policy in $policies; do
  for sms in 128 129 300; do share $sms policy=$policy; done
done
# Logical time begins anew: a home asks every L1, and counts their answers.
share 300 policy=rcc rcc.timestamp_bits=8 rcc.lease_max=16 rcc.lease_min=16 rcc.tick='30 cycles'
answers=$(grep -c '_l1\.sent_FLUSH_ACK","value":[1-9]' "$scratch/stats.json")
[ "$answers" -eq 300 ] || { echo "$answers of 300 L1s were asked to begin time anew"; bad=1; }
[ $bad -eq 0 ] && echo "seen by all"
exit $bad
