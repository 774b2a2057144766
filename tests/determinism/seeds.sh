#!/usr/bin/env bash
# With a seed a racy search ends otherwise each time, and under GPUDet always alike; only `--input-seed` chooses its graph:
# seeds.sh SYNCLINE SEEDS
set -u
syncline=$1
seeds=$2

fail() { echo "$1"; exit 1; }
run() { "$syncline" run "$1" bfs_racy --no-progress "${@:2}" || fail "a run failed: $*" >&2; }
# results FIELD ARGUMENTS...: how many different values of a field the seeds give.
results() {
  local seed list
  list=$(for seed in $(seq "$seeds"); do run gtx480 --seed "$seed" "${@:2}" | grep -o "\"$1\":[^,}]*" || exit 1; done) || fail "no $1"
  [ "$(wc -l <<<"$list")" -eq "$seeds" ] || fail "some of $seeds runs have no $1"
  sort -u <<<"$list" | wc -l
}

[ "$(results memory_signature --set determinism.policy=gpudet)" = 1 ] || fail "seeds change what GPUDet computes"
[ "$(results cycles --set determinism.policy=gpudet)" -gt 1 ] || fail "seeds change no times"
[ "$(results memory_signature)" -gt 1 ] || fail "without determinism the seeds have one result"
[ "$(results memory_signature --input-seed 2)" -gt 1 ] || fail "without determinism the seeds have one result with another input"
[ "$(results cycles --set perturbation.chance=none)" = 1 ] || fail "a seed injects chance where a key says none"
[ "$(results cycles --set perturbation.network_jitter=1)" -gt 1 ] || fail "a seed does not choose the chance of a key"

signature() { run gtx480 --set determinism.policy=gpudet "$@" | grep -o '"memory_signature":"[^"]*"'; }
[ "$(signature --input-seed 1)" = "$(signature)" ] || fail "the input's seed is not 1"
[ "$(signature --input-seed 2)" != "$(signature)" ] || fail "the input does not depend on its seed"
[ "$(signature --input-seed 2)" = "$(signature --input-seed 2 --seed 5)" ] || fail "the input depends on the other seed, too"

# The configuration that is dumped says what was injected.
dump=$(mktemp -d)
trap 'rm -rf "$dump"' EXIT
run tiny --seed 3 --dump-config "$dump/given.yaml" >/dev/null
run tiny --dump-config "$dump/plain.yaml" >/dev/null
grep -q 'chance: injection' "$dump/given.yaml" || fail "the dump does not say what the seed injected"
grep -q 'chance: none' "$dump/plain.yaml" || fail "without a seed something is injected"
run tiny --seed 3 --set perturbation.slot_history=true --dump-config "$dump/key.yaml" >/dev/null
grep -q 'chance: none' "$dump/key.yaml" || fail "a seed injects more than the key says"
run tiny --set perturbation.seed=3 --seed 4 --dump-config "$dump/both.yaml" >/dev/null
grep -q 'chance: injection' "$dump/both.yaml" || fail "a seed of the configuration is no source of chance"
echo "seeds"
