#!/usr/bin/env bash
# `syncline list models` has the folders of models/ that hold a block, and no other: models_are_listed.sh SYNCLINE ROOT
set -eu
syncline=$1
cd "$2"
# What derives from a block is one; block, partition and cache are the bases, of which the second is listed as what units
# are made of.
blocks='public (Block|PathUnit|PartitionUnit|CacheController)\b'
grep -rlE --include='*.h' "^class .*$blocks" models | xargs -n 1 dirname | grep -vxE 'models/(block|cache)' | sort -u >"${TMPDIR:-/tmp}/models.$$"
trap 'rm -f "${TMPDIR:-/tmp}/models.$$"' EXIT
[ "$(wc -l <"${TMPDIR:-/tmp}/models.$$")" -gt 8 ]
diff <("$syncline" list models | awk '/^[^ ]/ { print $2 }' | sort -u) "${TMPDIR:-/tmp}/models.$$" || {
  echo "left: syncline list models; right: folders with a class that derives from a block"
  exit 1
}
# Each line has the block's name, folder, instances, keys, and what it is; those below it name sockets.
"$syncline" list models | awk '
  /^[^ ]/ && NF < 6 { print "short: " $0; bad = 1 }
  /^ / && ($2 !~ /^(initiator|target)$/ || NF < 3) { print "no socket: " $0; bad = 1 }
  /^ / { ++sockets }
  END { exit bad || sockets < 20 }'
echo "all blocks are listed"
