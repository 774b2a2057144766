#!/usr/bin/env bash
# Random tests of all policies in all shapes of stress_shapes.txt under seeds that CTest does not use:
# stress_long.sh SYNCLINE [OPERATIONS [SEED]]: at least so many operations of each policy, model and shape (2000000), with
# seeds that begin with SEED (1). Prints a line for each, and status 1 when one failed.
set -u
syncline=$1 operations=${2:-2000000} seed=${3:-1}
shapes=$(dirname "$0")/stress_shapes.txt
policies=$("$syncline" list policies | sed -n 's/^coherence\.policy  *\([a-z_]*\) .*/\1/p')
[ -n "$policies" ] || { echo "stress_long.sh: no policies are listed" >&2; exit 2; }
failed=0
# long NAME ARGUMENTS...
long() {
  local name=$1 words options out
  shift
  while read -r -a words; do
    case ${words[*]} in '' | '#'*) continue ;; esac
    options=${words[*]:1}
    options=${options/--seed /--seed ${seed}000}  # CTest has small ones
    # shellcheck disable=SC2086
    if out=$("$syncline" stress "$@" $options --operations "$operations" --jobs "$(nproc)" </dev/null 2>&1); then
      echo "$name, ${words[0]}: ${out##*$'\n'}"
    else
      echo "$name, ${words[0]}: FAILED: syncline stress $* $options --operations $operations"
      echo "$out"
      failed=1
    fi
  done <"$shapes"
}
for policy in $policies; do
  long "$policy" "$policy"
  case $policy in
    none | tc_weak | rcc_wo) ;; # weakly ordered by nature
    *) long "$policy, weakly ordered" "$policy" --set coherence.consistency=wo ;;
  esac
done
exit $failed
