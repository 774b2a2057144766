#!/usr/bin/env bash
# The policies of the registry are those that have tests by the names of their folders: every_policy_is_checked.sh SYNCLINE POLICY...
set -eu
syncline=$1
shift
diff <("$syncline" list policies | awk '$1 == "coherence.policy" && $2 != "none" { print $2 }' | sort) <(printf '%s\n' "$@" | sort)
