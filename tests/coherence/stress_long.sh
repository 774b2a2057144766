#!/usr/bin/env bash
# Random tests of all policies in all shapes of stress_shapes.txt under seeds that CTest does not use:
# stress_long.sh SYNCLINE [OPERATIONS [SEED]]: at least so many operations of each policy, model and shape (2000000), with
# seeds that begin with SEED (1). Prints a line for each, and status 1 when one failed.
set -u
syncline=$1 operations=${2:-2000000} seed=${3:-1}
here=$(dirname "$0")
. "$here/campaign.sh"
# in_all_shapes NAME ARGUMENTS...
in_all_shapes() {
  local words options
  while read -r -a words; do
    case ${words[*]} in '' | '#'*) continue ;; esac
    options=${words[*]:1}
    options=${options/--seed /--seed ${seed}000}  # CTest has small ones
    # shellcheck disable=SC2086
    campaign "$1, ${words[0]}" stress "${@:2}" $options --operations "$operations" --jobs "$(nproc)"
  done <"$here/stress_shapes.txt"
}
for policy in $policies; do
  in_all_shapes "$policy" "$policy"
  keeps_both_models "$policy" && in_all_shapes "$policy, weakly ordered" "$policy" --set coherence.consistency=wo
done
exit $failed
