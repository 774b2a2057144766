#!/usr/bin/env bash
# Renews the figures and tables of claims of docs/coherence.md, docs/determinism.md, docs/figures-transactions.md,
# docs/figures-local-transactions.md and docs/multi-gpu.md, and says what changed against the commit:
# all.sh [--draw] [SYNCLINE]. With --draw from the data that lie here, without it from data that are collected first, which takes hours.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
draw=
if [ "${1:-}" = --draw ]; then
  draw=yes
  shift
fi
if [ $# -gt 1 ] || [[ "${1:-}" == -* ]]; then
  echo "error: all.sh: unexpected '${*: -1}'; expected: all.sh [--draw] [SYNCLINE]" >&2
  exit 2
fi
if [ -z "$draw" ]; then
  syncline=${1:-build/release/sc_main/syncline}
  if [ ! -x "$syncline" ] || [ -d "$syncline" ]; then
    echo "error: all.sh: no program '$syncline'; expected that of a build, as build/release/sc_main/syncline" >&2
    exit 2
  fi
  syncline=$(realpath "$syncline")
  for part in coherence determinism_none determinism_gpudet transactions local_transactions multi_gpu; do
    echo "collects $part"
    "$here/$part.sh" "$syncline" >&2
  done
fi
for part in coherence determinism_none determinism_gpudet transactions local_transactions multi_gpu; do "$here/$part.py"; done
"$here/changes.py"
