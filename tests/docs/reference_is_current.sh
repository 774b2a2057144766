#!/usr/bin/env bash
# docs/configuration.md says what the binary says of its keys: reference_is_current.sh SYNCLINE PAGE [--write]
set -u
syncline=$1
page=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/reference.md" <<'HEAD'
# Configuration

Every key of a platform, generated from the code by `syncline list keys --format markdown`. How the values of a file, of its includes and of `--set` meet is in
[how-to-platform.md](how-to-platform.md). Sources: GPUDet (Jooybar 2013), RCC (Ren 2018), GETM (Ren 2018) by table; `choice` where no source fixes a value.

HEAD
"$syncline" list keys --format markdown >"$scratch/keys.md" || exit 1
[ "$(grep -c '^| `' "$scratch/keys.md")" -gt 50 ] || { echo "a reference of so few keys is not one"; exit 1; }
cat "$scratch/keys.md" >>"$scratch/reference.md"
if [ "${3:-}" = --write ]; then cp "$scratch/reference.md" "$page"; fi
cmp "$scratch/reference.md" "$page" && exit 0
diff "$page" "$scratch/reference.md" | head -n 20
echo "make it again: $0 SYNCLINE docs/configuration.md --write"
exit 1
