# What long campaigns over all policies share; sourced, with `syncline` set.

. "$(dirname "${BASH_SOURCE[0]}")/../support/timed_policies.sh"
policies=$(timed_policies)
[ -n "$policies" ] || { echo "$(basename "$0"): no policies are listed" >&2; exit 2; }
failed=0

# campaign NAME ARGUMENTS...: a line of what came of `syncline ARGUMENTS`, all of it where it failed
campaign() {
  local name=$1 out
  shift
  if out=$("$syncline" "$@" </dev/null 2>&1); then
    echo "$name: ${out##*$'\n'}"
  else
    echo "$name: FAILED: syncline $*"
    echo "$out"
    failed=1
  fi
}

# keeps_both_models POLICY: it is not weakly ordered by nature
keeps_both_models() {
  case $1 in none | tc_weak | rcc_wo) return 1 ;; esac
}
