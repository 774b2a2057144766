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

# Warp-instructions per second of the run itself, of so many runs on one core, a line each; PTX loading included, the construction
# of the machine not: rates ARGUMENTS... (of `syncline run`). $scratch has what the last run said.
rates() {
  local json
  for _ in $(seq "$repetitions"); do
    json=$("${pin[@]}" "$syncline" run "$@" --no-progress | tee "$scratch" | tail -n 1)
    awk -v i="$(field warp_instructions "$json")" -v s="$(field host_seconds "$json")" 'BEGIN { printf "%.0f\n", i / s }'
  done
}

# Memory in MB at its most: peak_memory ARGUMENTS... (of `syncline run`)
peak_memory() {
  (/usr/bin/time -f %M "$syncline" run "$@" --no-progress >/dev/null) 2>&1 | tail -n 1 | awk '{ printf "%.0f", $1 / 1024 }'
}

least() { sort -n | sed -n 1p; }

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
