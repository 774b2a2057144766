#!/usr/bin/env bash
# Without determinism GPU-Racey has many signatures as soon as two warps meet, and one when a warp is alone (GPUDet, section 2.2);
# without chance it has one. A seed alone injects chance. racey_differs.sh SYNCLINE [SEEDS]
set -u
syncline=$1
seeds=${2:-10}

fail() { echo "$1"; exit 1; }
signature() { # PLATFORM WORKLOAD ARGUMENTS...
  "$syncline" run "$@" --no-progress >"$out" 2>&1 || { cat "$out" >&2; fail "run $* failed" >&2; }
  grep -o 'signature [0-9a-f]\{8\}' "$out"
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# differ LEAST MOST ARGUMENTS...: the seeds give so many signatures.
differ() {
  local list count
  list=$(for seed in $(seq "$seeds"); do signature "${@:3}" --seed "$seed" || exit 1; done) || fail "a run failed"
  count=$(sort -u <<<"$list" | wc -l)
  echo "${*:3}: $count signatures with $seeds seeds"
  [ "$count" -ge "$1" ] && [ "$count" -le "$2" ] || fail "expected $1 to $2"
}

most=$((seeds * 8 / 10))
for workload in racey racey_atomic racey_cta; do
  differ 1 1 gtx480 $workload --set perturbation.chance=none
  differ $most "$seeds" gtx480 $workload
  differ $most "$seeds" gtx480 $workload --set perturbation.chance=all
done
differ 1 1 gtx480 racey_warp --set perturbation.chance=all
differ 1 1 gtx480 racey_thread --set perturbation.chance=all
differ $most "$seeds" gtx480 racey --set perturbation.chance=injection
differ $most "$seeds" tiny racey --set perturbation.chance=all

# The signature of one thread by a computation of its own.
expected=$(python3 - <<'PYTHON'
prime1, prime2 = 103072243, 103995407
mix = lambda i, j: (i + j * prime2) % 2**32 % prime1
element = [mix(i, i) for i in range(64)]
signature = 1
for _ in range(100):
    signature = mix(signature, element[signature % 64])
    second = signature % 64
    signature = element[second] = mix(signature, element[second])
print(f"signature {signature:08x}")
PYTHON
)
[ "$(signature gtx480 racey_thread)" = "$expected" ] || fail "one thread has another signature than $expected"
echo "GPU-Racey differs"
