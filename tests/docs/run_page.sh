#!/usr/bin/env bash
# Executes the code blocks of a documentation page: run_page.sh PAGE.md SOURCE_ROOT SYNCLINE
#
#   ```yaml file=my.yaml     the block becomes that file in the page's scratch folder (any language)
#   ```sh                    runs there with `syncline` on the PATH and as `./run`, its build folder as `build/release`; a block fails when a command fails
#   ```sh status=2           ... must end with that exit status
#   ```text output           each line must occur in the output of the block before, in order; `...` skips
#   ```cpp from=sc_main/...  the block stands word for word in that file of the tree (which is built and tested)
#
# A page without any such block fails: a test that executes nothing proves nothing.
set -u
page=$(realpath "$1")
root=$(realpath "$2")
syncline=$(realpath "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/page"
ln -s "$syncline" "$scratch/bin/syncline"
mkdir "$scratch/page/build"
ln -s "$(dirname "$(dirname "$syncline")")" "$scratch/page/build/release"  # what how-to-library.md installs
ln -s "$syncline" "$scratch/page/run"  # `./run ARGUMENTS` of the README, which builds first
export PATH="$scratch/bin:$PATH"
cd "$scratch/page" || exit 2

fail() { printf '%s:%s: %s\n' "$page" "$start" "$1"; [ -n "${2:-}" ] && printf '%s\n' "$2"; exit 1; }

executed=0
output=""

finish_block() {
  case "$info" in
    *" file="*)
      local file=${info##* file=}
      mkdir -p "$(dirname "$file")"
      cp "$scratch/block" "$file"
      ;;
    *" from="*)
      local source="$root/${info##* from=}"
      [ -f "$source" ] || fail "no file $source"
      awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
           END { for (i = 1; i + n - 1 <= m; ++i) { for (j = 1; j <= n && have[i + j - 1] == want[j]; ++j); if (j > n) exit 0 } exit 1 }' \
        "$scratch/block" "$source" || fail "the block does not stand in $source"
      executed=$((executed + 1))
      ;;
    sh | sh\ status=*)
      local expected=0 status=0
      [[ $info == *status=* ]] && expected=${info##*status=}
      output=$(bash -e "$scratch/block" 2>&1) || status=$?
      [ "$status" -eq "$expected" ] || fail "exit status $status, expected $expected" "$output"
      executed=$((executed + 1))
      ;;
    "text output")
      printf '%s\n' "$output" >"$scratch/output"
      awk 'NR == FNR { have[++m] = $0; next }
           $0 == "..." { next }
           { while (at < m && index(have[at + 1], $0) == 0) ++at; if (at >= m) { print "missing: " $0; exit 1 } ++at }' \
        "$scratch/output" "$scratch/block" || fail "output differs; it was:" "$output"
      ;;
  esac
}

number=0
inside=0
while IFS= read -r line || [ -n "$line" ]; do
  number=$((number + 1))
  if [ "$inside" -eq 0 ] && [[ $line == '```'* ]]; then
    inside=1
    info=${line#'```'}
    start=$number
    : >"$scratch/block"
  elif [ "$inside" -eq 1 ] && [ "$line" = '```' ]; then
    inside=0
    finish_block
  elif [ "$inside" -eq 1 ]; then
    printf '%s\n' "$line" >>"$scratch/block"
  fi
done <"$page"
start=$number
[ "$inside" -eq 0 ] || fail "a block is not closed"
[ "$executed" -gt 0 ] || fail "nothing to execute"
echo "$page: $executed blocks executed"
