#!/usr/bin/env bash
# The sources within another project bring libraries, and neither tests nor installation nor settings of theirs:
# subdirectory.sh CMAKE CTEST SOURCES COMPILER
set -eu
cmake=$1 ctest=$2 sources=$3 compiler=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" -S "$sources/tests/install/projects/outer" -B "$scratch/build" -DSYNCLINE="$sources" -DCMAKE_CXX_COMPILER="$compiler" \
  >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; exit 1; }
"$ctest" --test-dir "$scratch/build" -N >"$scratch/tests"
grep -q 'Test #1: outer' "$scratch/tests" && grep -q 'Total Tests: 1$' "$scratch/tests" || { cat "$scratch/tests"; exit 1; }
if grep -rl 'syncline-config' "$scratch/build" --include=cmake_install.cmake; then
  echo "Syncline is installed with the project"
  exit 1
fi
# How a file of the project is compiled: with Syncline's headers, and without its warnings.
flags=$(cat "$scratch/build/CMakeFiles/outer.dir/flags.make" 2>/dev/null || grep -A 8 'build CMakeFiles/outer.dir/outer.cpp.o' "$scratch/build/build.ninja")
grep -qF -- "$sources" <<<"$flags" || { echo "no headers: $flags"; exit 1; }
if grep -qE -- '-W(all|error)' <<<"$flags"; then echo "warnings: $flags"; exit 1; fi
echo "the sources are a part of another project"
