#!/usr/bin/env bash
# Every relative link of a Markdown file of the tree leads to a file or folder: links_exist.sh SOURCE_ROOT
set -u
cd "$1" || exit 2
broken=0
seen=0
while IFS= read -r page; do
  while IFS= read -r target; do
    seen=$((seen + 1))
    case $target in *:* | '#'*) continue ;; esac
    [ -e "$(dirname "$page")/${target%%#*}" ] && continue
    echo "$page: no $target"
    broken=1
  done < <(awk '/^```/ { code = !code } !code' "$page" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//')
done < <(find . -name '*.md' -not -path './build*' -not -path './.git/*')
[ "$seen" -gt 10 ] || { echo "only $seen links were found"; exit 1; }
exit "$broken"
