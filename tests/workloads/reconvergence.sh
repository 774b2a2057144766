#!/usr/bin/env bash
# Programs of the suite give what their CPU checks ask for on the timed GPU, however the lanes of its warps meet.
#   reconvergence.sh SYNCLINE MECHANISM WORKLOAD...
set -u
syncline=$1
mechanism=$2
shift 2
status=0
for program in "$@"; do
  out=$("$syncline" run tiny "$program" --set "sm.reconvergence=$mechanism" --size small --no-progress 2>&1)
  if [ $? -ne 0 ] || [[ $out != *'"verified":true'* ]]; then
    echo "$program under $mechanism: $out" | tail -n 20
    status=1
  fi
done
exit $status
