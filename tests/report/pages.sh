#!/usr/bin/env bash
# Pages of reports open in Chromium, offline: no error is told, every chart shows something, and nothing that a user wrote
# is taken for a part of the page: pages.sh SYNCLINE. Exit status 77 (skipped) where Chromium is not installed.
set -u
syncline=$1
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
fail() { echo "$1"; [ -n "${2:-}" ] && head -c 2000 "$2"; exit 1; }

# opened PAGE: what the page is when its script has run, in page.dom. --no-sandbox: root has none.
opened() {
  HOME=$scratch timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$scratch/$1" >page.dom 2>told.txt || fail "Chromium fails on $1" told.txt
}
drawn() {
  opened "$1"
  grep ':CONSOLE' told.txt && fail "the script of $1 complains"
  grep -q '<html[^>]* data-drawn="whole"' page.dom || fail "$1 is not drawn to its end" told.txt
}
# charts: each of the charts of the page with how many marks it has, a line each
charts() {
  sed 's/<svg /\n<svg /g' page.dom | awk '/^<svg data-chart/ { match($0, /data-chart="[^"]*"/); print substr($0, RSTART + 12, RLENGTH - 13), gsub(/class="mark"/, "") }'
}
# shows CHART...: all are there, and have marks
shows() {
  charts >charts.txt
  for chart in "$@"; do
    grep -q "^$chart [1-9]" charts.txt || fail "no marks in the chart $chart; there are:" charts.txt
  done
  grep ' 0$' charts.txt && fail "a chart is empty"
  grep -oE '<(rect|path|circle|text|g)[^>]*(NaN|undefined|Infinity)[^>]*>' page.dom | head -n 3 | grep . && fail "something is drawn nowhere"
}
usual="kernels stalls_by_sm stalls_by_kernel course_warp_instructions course_occupancy course_by_sm roofline latency_by_level latency traffic traffic_by_class lines instructions policy"

"$syncline" run tiny bfs --no-progress --set coherence.policy=mesi --report one.html >/dev/null || fail "the run failed"
grep -oE '<(script|link|img|iframe|object|embed|base)[^<>]* (src|href|data)=' one.html && fail "the page refers to something outside"
grep -q "content=\"default-src 'none'; " one.html || fail "the page may load something"
drawn one.html
shows $usual

# What a user wrote stays text.
cat >hostile.yaml <<'END'
include: tiny
name: "</title></script><script>throw 'taken for a script'</script><b id='taken'>&amp;"
END
"$syncline" run hostile.yaml saxpy --no-progress --report hostile.html >/dev/null || fail "the run failed"
drawn hostile.html
shows kernels stalls_by_sm
grep -q "<b id=.taken" page.dom && fail "a name became a part of the page"
grep -qF "&lt;b id='taken'&gt;&amp;amp;" page.dom || fail "the name is not shown as it was written"

"$syncline" compare tiny --workloads bfs,saxpy --policies none,mesi --report several.htm >/dev/null || fail "compare failed"
drawn several.htm
shows compared_cycles compared_stalls compared_traffic $usual

# A page that is broken is noticed.
sed 's/^draw();$/nothing.draw();/' one.html >broken.html
opened broken.html
grep -q ':CONSOLE' told.txt || fail "an error of a script is not noticed"
grep -q '<html[^>]* data-drawn' page.dom && fail "what is not drawn counts as drawn"
echo "pages are drawn"
