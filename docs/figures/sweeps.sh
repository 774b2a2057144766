# Sourced by scripts that collect data by sweeps (docs/how-to-sweep.md) with $syncline, in $runs, a folder of their own or RUNS, which keeps the
# sweeps and their databases: what these have is not run again. JOBS is how many runs go on at once, LIMIT how many seconds of processor time one
# may take.
runs=${RUNS:-$(mktemp -d)}
[ -n "${RUNS:-}" ] || trap 'rm -rf "$runs"' EXIT
mkdir -p "$runs"

# In YAML: list WORD..., pairs KEY=VALUE...
list() { local words=$*; echo "[${words// /, }]"; }
pairs() { printf '{%s}' "$(printf '%s\n' "$@" | sed 's/=/: /' | paste -sd ,)"; }

# cases_to NAME LINE...: a sweep of these lines and the cases that come in
cases_to() { { printf '%s\n' "${@:2}" cases:; cat; } >"$runs/$1.yaml"; }

# rows NAME PROGRAM FILE [ARGUMENT...]: runs the sweep, and writes to FILE what PROGRAM makes of its database; of runs that have failed that one knows
# whether they took too long.
rows() {
  local status=0
  "$syncline" sweep "$runs/$1.yaml" --jobs "${JOBS:-$(nproc)}" ${LIMIT:+--limit "$LIMIT"} --no-progress || status=$?
  [ "$status" -le 1 ] || return "$status"
  "$2" "$runs/$1.db" "${@:4}" >"$runs/$1.csv"
  mv "$runs/$1.csv" "$3"
}
