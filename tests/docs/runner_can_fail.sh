#!/usr/bin/env bash
# Pages that must pass and pages that must not.
set -u
runner=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
printf 'one\ntwo\nthree\n' >"$tree/source.txt"

# page pass|fail NAME, the page on standard input
page() {
  cat >"$tree/page.md"
  local result=pass
  "$runner" "$tree/page.md" "$tree" /bin/true >"$tree/log" 2>&1 || result=fail
  [ "$result" = "$1" ] || { echo "$2: expected $1, was $result"; cat "$tree/log"; exit 1; }
}
page pass "a command" <<<$'```sh\necho hello\n```'
page fail "a failing command" <<<$'```sh\nfalse\necho hello\n```'
page pass "an expected status" <<<$'```sh status=3\nexit 3\n```'
page fail "another status" <<<$'```sh status=3\nexit 2\n```'
page pass "expected output" <<<$'```sh\nprintf "a\\nb\\nc\\n"\n```\n```text output\na\n...\nc\n```'
page fail "other output" <<<$'```sh\necho a\n```\n```text output\nb\n```'
page pass "a file" <<<$'```yaml file=x/a.yaml\nk: 1\n```\n```sh\ngrep -q "k: 1" x/a.yaml\n```'
page pass "a block of a source" <<<$'```cpp from=source.txt\ntwo\nthree\n```'
page fail "a drifted block" <<<$'```cpp from=source.txt\ntwo\nfour\n```'
page fail "nothing to execute" <<<$'only prose'
page fail "an open block" <<<$'```sh\necho hello'
echo "pages pass and fail as they should"
