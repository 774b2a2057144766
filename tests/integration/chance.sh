#!/usr/bin/env bash
# Each source of injected chance changes the timing between seeds, repeats bit for bit with one seed, and leaves programs without
# races right; `perturbation.chance` is nothing but a short way to switch the sources on.
set -u
. "$(dirname "$0")/../support/statistics.sh"
syncline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

fail() { echo "$1"; exit 1; }
# stats FILE SEED ARGUMENTS...: the statistics of a run whose inputs do not depend on the seed.
stats() {
  "$syncline" run gtx480 --no-progress --stats "$1" --set perturbation.seed="$2" "${@:3}" >/dev/null || fail "a run failed: ${*:2}"
  statistics_alone "$1"
}

stats off.json 0 bfs
stats seeded.json 7 bfs
cmp -s off.json seeded.json || fail "a seed changes a run without chance"
for source in network_jitter=3 random_arbitration=true dram_jitter=4 refresh_phase=true clock_phase=true arbiter_state=true \
              slot_history=true chance=injection chance=all; do
  for seed in 1 2 3; do
    stats "$source.$seed.json" $seed bfs --set perturbation.$source
  done
  stats again.json 3 bfs --set perturbation.$source
  cmp -s "$source.3.json" again.json || fail "$source does not repeat"
  cmp -s "$source.1.json" "$source.2.json" && cmp -s "$source.1.json" "$source.3.json" && fail "$source is the same with three seeds"
done

cmp -s chance=injection.1.json random_arbitration=true.1.json || fail "chance=injection is not random_arbitration"
stats each.json 1 bfs --set perturbation.network_jitter=1 --set perturbation.random_arbitration=true --set perturbation.dram_jitter=4 \
  --set perturbation.refresh_phase=true --set perturbation.clock_phase=true --set perturbation.arbiter_state=true \
  --set perturbation.slot_history=true
cmp -s chance=all.1.json each.json || fail "chance=all is not each source by its key"
stats stronger.json 1 bfs --set perturbation.chance=all --set perturbation.dram_jitter=9
cmp -s chance=all.1.json stronger.json && fail "chance=all overrules a strength that is set"
"$syncline" run gtx480 bfs --no-progress --seed 1 --set perturbation.chance=all --stats run_seed.json >/dev/null || fail "a run failed"
statistics_alone run_seed.json
cmp -s chance=all.1.json run_seed.json || fail "without a seed of its own the chance is not drawn from the run's"

for policy in none mesi gpu_vi tc_weak rcc; do
  for workload in atm hash_table stencil; do
    stats any.json 11 $workload --set perturbation.chance=all --set coherence.policy=$policy
  done
done
echo "chance is seeded"
