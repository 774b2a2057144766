#!/usr/bin/env bash
# The suite keeps the models however the lanes of warps meet. reconvergence.sh SYNCLINE ROOT MECHANISM
set -u
status=0
for policy in rcc rcc_wo tc_weak; do
  out=$("$1" litmus tiny "$2/tests/litmus/suite" --iterations 20 --set "sm.reconvergence=$3" --set "coherence.policy=$policy" 2>&1)
  if [ $? -ne 0 ] || ! grep -q '[1-9][0-9][0-9] tests' <<<"$out"; then
    echo "$policy under $3:"
    tail -n 20 <<<"$out"
    status=1
  fi
done
exit $status
