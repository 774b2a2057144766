# What the benchmarks of whole runs share; sourced, with `syncline` set.

pin=()
command -v taskset >/dev/null && pin=(taskset -c 0)

field() { sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" <<<"$2"; }

# Nanoseconds of processor time per warp-instruction of one run on one core: host_cost ARGUMENTS... (of `syncline run`)
host_cost() {
  local json seconds
  { seconds=$( { TIMEFORMAT=%U; time "${pin[@]}" "$syncline" run "$@" --no-progress | tail -n 1 >&3; } 2>&1); } 3>"$scratch"
  json=$(cat "$scratch")
  awk -v s="$seconds" -v i="$(field warp_instructions "$json")" 'BEGIN { printf "%.1f\n", 1e9 * s / i }'
}

least() { sort -n | sed -n 1p; }

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
