#!/usr/bin/env bash
# What list, describe, check and compare say of policies of all families: commands.sh SYNCLINE
set -u
. "$(dirname "$0")/../support/expect.sh"
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# Every policy of every family has a page, which names it and the key that chooses it.
"$syncline" list policies | awk '$1 ~ /\.policy$/ { print $1, $2 }' >policies
[ "$(cut -d' ' -f1 policies | sort -u | wc -l)" -eq 5 ] || { echo "not five families:"; cat policies; failed=1; }
while read -r key name; do
  "$syncline" describe "$key=$name" >page || failed=1
  [ "$(head -n 1 page)" = "# $name" ] || { echo "the page of $key=$name begins with $(head -n 1 page)"; failed=1; }
  case $key in coherence.*) continue ;; esac
  grep -qF "Chosen by \`$key: $name\`." page || { echo "the page of $key=$name does not say how it is chosen"; failed=1; }
done <policies

# Keys that packages of a family share are on the page of each.
"$syncline" list keys --format markdown | grep '^| `transactions\.local\.' | grep -v 'local\.policy' >keys
[ "$(wc -l <keys)" -gt 10 ] || { echo "hardly any keys of transactions.local"; failed=1; }
"$syncline" describe dcd | grep '^| `transactions\.local\.' | cmp - keys || failed=1

# GPUDet's: its keys are all that `list keys` has, its sizes are those that `check` finds, its graph has all modes.
"$syncline" describe gpudet >page
"$syncline" list keys --format markdown | grep '^| `determinism\.gpudet\.' >keys
[ "$(wc -l <keys)" -gt 10 ] || { echo "hardly any keys"; failed=1; }
grep '^| `determinism\.gpudet\.' page | cmp - keys || failed=1
sizes=$("$syncline" check gpudet | sed -n 's/^gpudet: \(.*\), [0-9.]* s: every program has one end$/\1/p')
grep -qF "\`syncline check gpudet\`: $sizes." page && [ -n "$sizes" ] || { echo "other sizes than '$sizes'"; failed=1; }
for rule in '`determinism.policy` needs `coherence.policy: none`' '`coherence.consistency` cannot be sc' '`determinism.gpudet.depth_bits` is too small' \
  'a GPU with foreign ports' 'streams are one' '| issue gate | ' '| memory stage | ' '| CTA dealer | ' '- z_unit: ' '- logs of stores: '; do
  grep -qF -- "$rule" page || { echo "the page of gpudet does not say: $rule"; failed=1; }
done
"$syncline" describe gpudet --format dot >graph
for edge in 'distribution" -> "parallel' 'parallel" -> "commit' 'commit" -> "serial' 'commit" -> "distribution' 'serial" -> "distribution'; do
  grep -qF "\"$edge\"" graph || { echo "no edge $edge"; failed=1; }
done
[ "$(grep -c -- '->' graph)" -eq 5 ] || { echo "other edges too:"; cat graph; failed=1; }

# Names.
expect 0 '# none' describe none
expect 0 'the machine decides who is first' describe determinism.policy=none
expect 2 'unknown determinism policy `gpudat`; did you mean `gpudet`?' describe determinism.policy=gpudat
expect 2 '`determinsm.policy` chooses no policy; did you mean `determinism.policy`?' describe determinsm.policy=gpudet
expect 2 'did you mean the policy `gpudet`' describe gpudte
expect 2 '`determinism.policy=none` has no machines to draw' describe determinism.policy=none --format dot
expect 2 '`determinism.policy=none` has no machines to explore' check determinism.policy=none
expect 2 'unknown policy `gpudte`; did you mean `gpudet`?' check gpudte
expect 2 'unknown policy `transactions.warptm`; did you mean `warptm`?' check transactions.warptm
expect 2 'did you mean the policy `getm`' describe transactions.getm
expect 2 '`gpudet` is a policy of determinism.policy; this is about coherence' stress gpudet
expect 0 'no violation' check coherence.policy=gpu_vi --program 'st x 1 | ld x' --no-coverage
expect 2 'memory' run tiny saxpy --set host.local_memory=16MiB --set sms=1024 --set sm.max_warps=64 --set sm.max_threads=2048
expect 2 '--set host.local_memory: error: `host.local_memory` asks for too much' \
  run tiny saxpy --set host.local_memory=16MiB --set sms=1024 --set sm.max_warps=64 --set sm.max_threads=2048

# A policy under the key of another family.
expect 2 '`coherence.policy` has no choice `gpudet`; it is a choice of `determinism.policy`' run tiny saxpy --set coherence.policy=gpudet
expect 2 '`transactions.policy` has no choice `rcx`; did you mean `rcc`, a choice of `coherence.policy`?' run tiny saxpy --set transactions.policy=rcx
expect 2 'unknown determinism policy `rcc`; it is one of `coherence.policy`' describe determinism.policy=rcc
expect 2 'unknown coherence policy `gpudet`; it is one of `determinism.policy`' check coherence.policy=gpudet
expect 2 'unknown policy `gpudte`; did you mean `gpudet`?' compare tiny --workloads saxpy --policies none,gpudte

# Policies of any family, and of several at once.
expect 2 'unknown policy `rcx`; did you mean `rcc`?' compare tiny --workloads saxpy --policies none,rcx
expect 2 '`rcc+none` names two policies of `coherence.policy`' compare tiny --workloads saxpy --policies rcc+none
expect 2 'unknown policy ``' compare tiny --workloads saxpy --policies rcc+
expect 2 'determinism.policy=gpudet: status 2' compare tiny --workloads saxpy --policies none,rcc+gpudet
expect 2 'needs `coherence.policy: none`' compare tiny --workloads saxpy --policies none,rcc+gpudet
expect 2 'the baseline `gpudet` is not among the policies' compare tiny --workloads saxpy --policies none,determinism.policy=gpudet --baseline gpudet
"$syncline" compare tiny --workloads saxpy,bfs --policies none,gpudet,none+gpudet,rcc --data runs.json >table || failed=1
python3 - <<'PYTHON' || failed=1
import json
runs = {(r["workload"], r["policy"]): r for r in json.load(open("runs.json"))["runs"]}
assert len(runs) == 8, runs.keys()
for program in ("saxpy", "bfs"):
    cycles = {policy: runs[program, policy]["cycles"] for policy in ("none", "gpudet", "none+gpudet", "rcc")}
    assert cycles["gpudet"] == cycles["none+gpudet"] > cycles["none"], cycles
    assert len(set(cycles.values())) == 3, cycles
PYTHON
grep -qE '^saxpy +1\.000 +0\.[0-9]+ +0\.[0-9]+ ' table || { cat table; failed=1; }

[ "$failed" -eq 0 ] && echo "commands know the policies of all families"
exit "$failed"
