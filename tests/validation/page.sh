#!/usr/bin/env bash
# The tables of docs/validation.md are what `syncline validate` prints: page.sh SYNCLINE PAGE [--write]
#
# A table stands between `<!-- syncline validate ARGUMENTS -->` and `<!-- end -->`. With --write the page is brought up to date.
set -u
syncline=$1
page=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

copying=1
tables=0
while IFS= read -r line; do
  if [[ $line == '<!-- end -->' ]]; then copying=1; fi
  if [ "$copying" -eq 1 ]; then printf '%s\n' "$line"; fi
  if [[ $line == '<!-- syncline validate '*' -->' ]]; then
    arguments=${line#'<!-- syncline '}
    read -ra words <<<"${arguments%' -->'}"
    printf '\n'
    "$syncline" "${words[@]}"
    printf '\n'
    copying=0
    tables=$((tables + 1))
  fi
done <"$page" >"$scratch/page"
[ "$copying" -eq 1 ] || { echo "$page: a table has no end"; exit 1; }
[ "$tables" -ge 4 ] || { echo "$page: $tables tables, expected at least 4"; exit 1; }

if [ "${3:-}" = --write ]; then
  cp "$scratch/page" "$page"
else
  diff "$page" "$scratch/page" || { echo "$page is out of date; bring it up to date with: $0 SYNCLINE $page --write"; exit 1; }
fi
