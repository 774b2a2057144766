#!/usr/bin/env bash
# Every program at its size `paper`, as an emulator and on rcc16 under all coherence policies:
# paper_long.sh SYNCLINE [PROGRAM...]. Prints a line for each run, and status 1 when one failed or none was made.
set -u
syncline=$1
shift
programs=("$@")
[ ${#programs[@]} -gt 0 ] || mapfile -t programs < <("$syncline" list workloads | cut -d ' ' -f 1)
. "$(dirname "$0")/../support/timed_policies.sh"
policies=$(timed_policies)
[ -n "$policies" ] || { echo "paper_long.sh: no policies are listed" >&2; exit 2; }
failed=0 runs=0
# try NAME OPTION...: one run; status 1 where the program has no such size.
try() {
  local name=$1 out status
  shift
  out=$("$syncline" run rcc16 "$name" --size paper --no-progress "$@" 2>&1 </dev/null) && status=0 || status=$?
  case $out in *'has no size `paper`'*) return 1 ;; esac
  runs=$((runs + 1))
  if [ $status = 0 ]; then
    echo "$name $*: $(sed -n 's/.*"cycles":\([0-9]*\),.*"host_seconds":\([0-9.]*\),.*/\1 cycles, \2 s/p' <<<"$out")"
  else
    echo "$name $*: FAILED, status $status"
    echo "$out"
    failed=1
  fi
}
for program in "${programs[@]}"; do
  try "$program" --functional || continue
  for policy in $policies; do
    try "$program" --set coherence.policy="$policy"
  done
done
[ $runs -gt 0 ] || { echo "paper_long.sh: no program has a size paper" >&2; exit 1; }
exit $failed
