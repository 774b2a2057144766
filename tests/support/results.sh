#!/usr/bin/env bash
# Whether a change leaves all results as they are: every workload with small inputs under every policy on every platform.
#   results.sh record LEDGER [SYNCLINE]    writes a line for each run: platform, workload, policy, exit status, digest of all statistics
#   results.sh compare LEDGER [SYNCLINE]   runs again, prints the lines that differ, status 1 if there are any
# In the environment: ONLY, a pattern of the first three words of the lines that are looked at; WITHOUT, a pattern of statistics
# (lines of the JSON file) that are left out of the digest, in both ledgers the same; JOBS, how many runs go on at once.
set -u -o pipefail
. "$(dirname "$0")/statistics.sh"
usage() { echo "error: results.sh: $1; expected: results.sh record|compare LEDGER [SYNCLINE]" >&2; exit 2; }
[ $# -eq 2 ] || [ $# -eq 3 ] || usage "$# arguments"
doing=$1
ledger=$2
syncline=${3:-build/release/sc_main/syncline}
[[ $doing == record || $doing == compare ]] || usage "'$doing'"
[ "$doing" = record ] || [ -r "$ledger" ] || usage "no ledger '$ledger'"
"$syncline" list platforms >/dev/null || usage "no program '$syncline'"
syncline=$(realpath "$syncline")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export syncline scratch

names() { "$syncline" list "$1" | awk '{ print $1 }'; }
policies() { "$syncline" list policies | awk '$1 ~ /\.policy$/ && ($2 != "none" || $1 == "coherence.policy") { print $1 "=" $2 }'; }
combinations() {
  local platform workload policy workloads policies
  workloads=$(names workloads)
  policies=$(policies)
  for platform in $(names platforms); do
    for workload in $workloads; do
      for policy in $policies; do echo "$platform $workload $policy"; done
    done
  done
}
one() { # PLATFORM WORKLOAD POLICY
  local stats=$scratch/$1.$2.$3.json status
  "$syncline" run "$1" "$2" --size small --seed 1 --no-progress --set "$3" --stats "$stats" >/dev/null 2>"$stats.error"
  status=$?
  [ -e "$stats" ] || mv "$stats.error" "$stats"  # a combination that is refused: with the same words
  statistics_alone "$stats"
  echo "$1 $2 $3 $status $(sed 's/,$//' "$stats" | grep -vE -- "${WITHOUT:-^$}" | sha256sum | cut -c1-16)"
  rm -f "$stats" "$stats.error"
}
export -f one statistics_alone
results() {
  combinations | grep -E -- "${ONLY:-}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}' | sort
}

if [ "$doing" = record ]; then
  results >"$ledger.new" && mv "$ledger.new" "$ledger"
else
  awk '$1 " " $2 " " $3 ~ ENVIRON["ONLY"]' "$ledger" | sort >"$scratch/before"
  results >"$scratch/after"
  [ -s "$scratch/before" ] || usage "nothing in '$ledger' that is looked at"
  if diff "$scratch/before" "$scratch/after" >"$scratch/differences"; then
    echo "$(wc -l <"$scratch/after") runs, all as before"
  else
    grep '^[<>]' "$scratch/differences"
    echo "$(grep -c '^>' "$scratch/differences") of $(wc -l <"$scratch/after") runs are not as before"
    exit 1
  fi
fi
