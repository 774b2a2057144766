#!/usr/bin/env bash
# Renews the pictures of docs/how-to-report.md, with Chromium: pictures.sh SYNCLINE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# picture PAGE HEIGHT SECTION...: these sections of the page alone, as docs/report/SECTION.png by the first of them
picture() {
  local page=$1 high=$2 name=$3 shown
  shift 2
  shown=$(printf '#%s,' "$@")
  { cat "$page"; echo "<style>header, section { display: none } ${shown%,} { display: block }</style>"; } >shown.html
  HOME=$scratch chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" --window-size="1120,$high" \
    --virtual-time-budget=5000 --screenshot="$here/$name.png" "file://$scratch/shown.html" 2>/dev/null
}

"$syncline" run rcc16 bfs --no-progress --set coherence.policy=mesi --report bfs.html >/dev/null
"$syncline" run rcc16 hash_table --no-progress --set coherence.policy=mesi --report locks.html >/dev/null
"$syncline" compare rcc16 --workloads hash_table --policies mesi,rcc,rcc_wo --report several.html >/dev/null
picture bfs.html 920 stalls
picture bfs.html 890 course
picture bfs.html 700 roofline
picture bfs.html 560 latencies
picture locks.html 900 lines
picture several.html 640 comparison
