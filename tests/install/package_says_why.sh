#!/usr/bin/env bash
# A project that cannot use the installed CMake package is told why, and may ask whether it can:
# package_says_why.sh CMAKE BUILD_FOLDER COMPILER
set -u
cmake=$1 build=$2 compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/prefix" --component development >"$scratch/log" || { tail "$scratch/log"; exit 1; }
"$cmake" --install "$build" --prefix "$scratch/prefix" --component program >"$scratch/log" || { tail "$scratch/log"; exit 1; }
mkdir "$scratch/project"

# project pass|fail TEXT FIND OPTIONS...: configures a project that says find_package(FIND)
project() {
  local wanted=$1 text=$2 find=$3 got=pass
  shift 3
  rm -rf "$scratch/build"
  cat >"$scratch/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(asks LANGUAGES CXX)
find_package($find)
message(STATUS "found: \${syncline_FOUND}")
END
  "$cmake" -S "$scratch/project" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$compiler" "$@" \
    >"$scratch/log" 2>&1 || got=fail
  if [ "$got" != "$wanted" ] || ! tr -s ' \n' ' ' <"$scratch/log" | grep -qF -- "$text"; then
    printf 'find_package(%s) %s: expected to %s saying "%s", but:\n' "$find" "$*" "$wanted" "$text"
    tail -n 15 "$scratch/log"
    exit 1
  fi
}
project pass 'found: 1' 'syncline 0.1 REQUIRED'
project fail 'compatible with requested version "0.2"' 'syncline 0.2 REQUIRED'
project fail 'does not link with C++20' 'syncline REQUIRED' -DCMAKE_CXX_STANDARD=20
project pass 'found: 0' 'syncline QUIET' -DCMAKE_CXX_STANDARD=20

# Nothing of how this tree is compiled, nor where, is in the package.
if grep -rnE -- "-W(all|error)|syncline_flags|$build" "$scratch/prefix/lib"*/*cmake* "$scratch/prefix"/lib*/*/cmake 2>/dev/null; then
  echo "the package speaks of the tree that it was made in"
  exit 1
fi
echo "the package says why it cannot be used"
