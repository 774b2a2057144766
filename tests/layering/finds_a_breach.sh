#!/usr/bin/env bash
# A tree with one include that runs up the house must fail, for each kind of breach; an empty tree must not pass.
set -u
checker=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

"$checker" "$tree" >/dev/null 2>&1 && { echo "an empty tree passed"; exit 1; }
while read -r floor include; do
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/$floor"
  echo '#include <vector>' >"$tree/$floor/good.h"
  "$checker" "$tree" >/dev/null || { echo "a clean $floor failed"; exit 1; }
  echo "#include $include" >"$tree/$floor/bad.cpp"
  "$checker" "$tree" >/dev/null && { echo "$floor may include $include unnoticed"; exit 1; }
done <<'BREACHES'
base <systemc>
isa <tlm>
protocols <tlm_utils/simple_target_socket.h>
base "isa/vocabulary.h"
isa "protocols/coherence/registry.h"
protocols "isa/vocabulary.h"
consistency <systemc>
consistency "isa/vocabulary.h"
models "consistency/model.h"
models "platform/host/device.h"
models <yaml-cpp/yaml.h>
platform "workloads/registry.h"
workloads "models/block/block.h"
BREACHES
echo "each breach was found"
