#!/usr/bin/env bash
# The model checker on more than CTest has time for: check_long.sh SYNCLINE [PROGRAMS [MUTANTS]]: so many random programs of
# each policy and model (1000), and of each policy a sample of so many mutants (60). Prints a line for each, and status 1
# when one failed.
set -u
syncline=$1 programs=${2:-1000} mutants=${3:-60}
here=$(dirname "$0")
. "$here/campaign.sh"
# explored NAME POLICY ARGUMENTS...
explored() { campaign "$1" check "$2" --random "$programs" --seed 7 --no-coverage "${@:3}"; }
for policy in $policies; do
  [ "$policy" != none ] || continue  # coherent by nothing
  explored "$policy" "$policy"
  case $policy in
    tc_strong) explored "$policy, recycling" "$policy" --set coherence.tc.recycle_cycles=10cycles ;;
    tc_weak)
      explored "$policy, fences of warps" "$policy" --set coherence.tc.fence=warp
      explored "$policy, longer leases" "$policy" --set coherence.tc.lease=4
      ;;
  esac
  keeps_both_models "$policy" && explored "$policy, weakly ordered" "$policy" --set coherence.consistency=wo
  case $policy in
    ideal | ideal_free) of=mesi ;;  # the same tables
    *) of=$policy ;;
  esac
  campaign "$policy, mutants" check "$policy" --mutate --sample "$mutants" --jobs "$(nproc)" --stress 50000 \
    --survivors "$here/../../protocols/coherence/$of/survivors.yaml"
done
# Between modules; the whole suite of ideal_remote, whose free messages come in any order, takes minutes.
campaign 'ideal_remote, suite' check ideal_remote
for policy in no_remote_caching sw sw_hierarchical nhcc hmg ideal_remote; do
  explored "$policy" "$policy"
  explained=$here/../../protocols/coherence/$policy/survivors.yaml
  campaign "$policy, mutants" check "$policy" --mutate --sample "$mutants" --jobs "$(nproc)" --stress 50000 \
    $([ -f "$explained" ] && echo --survivors "$explained")
done
"$here/old_lines.sh" "$syncline" sw_hierarchical || failed=1
exit $failed
