#!/usr/bin/env bash
# A build that has seen programs run: profiled.sh
#
# Builds `syncline` twice, in build/profiled: first one whose runs count what they do, then, by what a few runs have counted, the
# one to keep. Takes three times as long as a build; docs/speed.md says what it brings.
set -eu
cd "$(dirname "$0")/.."
. .ci/setup.sh
install_packages build
export CCACHE_DISABLE=1  # the profile is no part of a command line
rm -rf build/profiled/profile

# seen ARGUMENTS... of `syncline run`: one thread, for counts of several get lost
seen() { build/profiled/sc_main/syncline run "$@" --threads 1 --no-progress >/dev/null; }

configure profiled -DSYNCLINE_PROFILE=write
build profiled syncline
for program in matmul hotspot transpose bfs reduction kmeans spmv srad stencil histogram scan nw; do seen gtx480 "$program" --size small; done
seen gtx480 matmul --size small --functional
for policy in mesi gpu_vi tc_weak rcc; do seen rcc16 bfs --size small --set coherence.policy="$policy"; done
for policy in nhcc hmg; do seen hmg16 bfs --size small --set coherence.policy="$policy"; done
for policy in getm warptm; do
  for program in hash_table cloth_to; do seen gtx480 "$program" --size small --option sync=tx --set transactions.policy="$policy"; done
done
seen gtx480 bfs --size small --set determinism.policy=gpudet
configure profiled
build profiled syncline
echo "profiled: build/profiled/sc_main/syncline"
