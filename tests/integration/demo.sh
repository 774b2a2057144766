#!/usr/bin/env bash
# The demonstration fails when a workload fails, or computes something else than it should.
set -u
root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

stub() { # STATUS VERIFIED
  printf '#!/bin/sh\necho %s\nexit %s\n' "'{\"cycles\":10,\"warp_instructions\":20,\"host_seconds\":0.1,\"verified\":$2}'" "$1" >"$scratch/syncline"
  chmod +x "$scratch/syncline"
}
demo() { "$root/sc_main/demo.sh" "$scratch/syncline" "$scratch/out" >"$scratch/shown" 2>&1; }

stub 0 true
demo || { echo "fails where all is well"; cat "$scratch/shown"; exit 1; }
grep -q 'aes .* verified' "$scratch/shown" || { cat "$scratch/shown"; exit 1; }
stub 0 false
demo && { echo "a wrong result goes unnoticed"; exit 1; }
grep -q 'NOT VERIFIED' "$scratch/shown" || { cat "$scratch/shown"; exit 1; }
stub 1 true
demo && { echo "a failed run goes unnoticed"; exit 1; }
grep -q 'failed with exit status 1' "$scratch/shown" || { cat "$scratch/shown"; exit 1; }
echo "the demonstration fails when it should"
