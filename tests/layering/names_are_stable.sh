#!/usr/bin/env bash
# Names of tests hold no addresses, which GoogleTest prints of parameters that it cannot print: they would be other ones
# after each build, and CTest would look for tests that are no longer there. No two tests have the same name: names_are_stable.sh CTEST BUILD_FOLDER
set -u
names=$("$1" --test-dir "$2" -N) || exit 1
grep -q 'names_are_stable' <<<"$names" || { echo "the tests are not listed"; exit 1; }
if grep -E -- '[0-9]{2}-byte object <|0x[0-9a-f]{8}' <<<"$names"; then
  echo "give these parameters a PrintTo"
  exit 1
fi
twice=$(sed -n 's/^ *Test *#[0-9]*: //p' <<<"$names" | sort | uniq -d)
if [ -n "$twice" ]; then
  echo "$twice"
  echo "these names stand for several tests, of which CTest runs one"
  exit 1
fi
echo "names of tests are stable"
