# Sourced by scripts that collect data by sweeps (docs/how-to-sweep.md) with $syncline, in $runs, a folder of their own or RUNS, which keeps the
# sweeps and their databases: what these have is not run again. JOBS is how many runs go on at once, $limit how many seconds one may take.
runs=${RUNS:-$(mktemp -d)}
[ -n "${RUNS:-}" ] || trap 'rm -rf "$runs"' EXIT

# In YAML: list WORD..., pairs KEY=VALUE...
list() { local words=$*; echo "[${words// /, }]"; }
pairs() { printf '{%s}' "$(printf '%s\n' "$@" | sed 's/=/: /' | paste -sd ,)"; }

# sweep NAME LINE...: $runs/NAME.db has the results of a sweep with these lines and the cases that come in. Of runs that have failed whoever reads it
# knows whether they took too long.
sweep() {
  local file=$runs/$1.yaml status=0
  mkdir -p "$runs"
  { printf '%s\n' "${@:2}" cases:; cat; } >"$file"
  "$syncline" sweep "$file" --jobs "${JOBS:-$(nproc)}" --limit "$limit" --no-progress || status=$?
  [ "$status" -le 1 ] || return "$status"
}
