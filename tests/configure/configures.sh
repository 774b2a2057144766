# What the tests of configuring share; sourced, with their arguments: SOURCE CMAKE COMPILER.
source=$1
cmake=$2
compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# configures pass|fail TEXT OPTIONS...: configuring must end so, and TEXT must be said
configures() {
  local wanted=$1 text=$2 got=pass
  shift 2
  rm -rf "$scratch/build"
  "$cmake" -S "$source" -B "$scratch/build" -DCMAKE_CXX_COMPILER="$compiler" -DSYNCLINE_TESTS=OFF -DSYNCLINE_BENCHMARKS=OFF "$@" \
    >"$scratch/log" 2>&1 || got=fail
  # CMake folds long messages.
  if [ "$got" != "$wanted" ] || ! tr -s ' \n' ' ' <"$scratch/log" | grep -qF -- "$text"; then
    printf 'cmake %s: expected to %s saying "%s", but:\n' "$*" "$wanted" "$text"
    tail -n 15 "$scratch/log"
    exit 1
  fi
}
