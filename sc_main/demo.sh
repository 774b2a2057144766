#!/usr/bin/env bash
# The demonstration of ./run: several workloads on a GTX 480, verified, with a table and where to look next.
# demo.sh SYNCLINE [OUTPUT_FOLDER]
set -eu -o pipefail
syncline=$1
out=${2:-build/demo}
mkdir -p "$out"

workloads=(saxpy transpose matmul reduction histogram bfs nqueens mandelbrot aes)
# field NAME JSON
field() { printf '%s' "$2" | sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\)\"\{0,1\}.*/\1/p"; }

printf 'Real PTX programs on a SystemC/TLM-2.0 model of a GeForce GTX 480 (15 SMs, 6 memory partitions)\n\n'
printf '%-14s %10s %12s %8s %9s  %s\n' workload cycles "warp instr." IPC "host s" result
failed=0
for workload in "${workloads[@]}"; do
  status=0
  json=$("$syncline" run gtx480 "$workload" --no-progress --stats "$out/$workload.json" | tail -n 1) || status=$?
  if [ "$status" -ne 0 ]; then
    printf '%-14s failed with exit status %s\n' "$workload" "$status"
    failed=1
    continue
  fi
  cycles=$(field cycles "$json")
  instructions=$(field warp_instructions "$json")
  result=verified
  [ "$(field verified "$json")" = true ] || { result='NOT VERIFIED'; failed=1; }
  printf '%-14s %10s %12s %8s %9s  %s\n' "$workload" "$cycles" "$instructions" \
    "$(awk -v i="$instructions" -v c="$cycles" 'BEGIN { printf "%.2f", i / c }')" \
    "$(awk -v s="$(field host_seconds "$json")" 'BEGIN { printf "%.2f", s }')" \
    "$result"
done
[ "$failed" -eq 0 ] || exit 1

"$syncline" run gtx480 saxpy --no-progress --wave "$out/saxpy.vcd" --series "$out/saxpy.csv" >/dev/null

cat <<END

Left in $out: statistics of each run (JSON), and of saxpy a time series (saxpy.csv) and waves (saxpy.vcd).
Where to look next
  gtkwave $out/saxpy.vcd waves/gtx480.gtkw      the SMs, an L1 and a memory partition at work
  $syncline run gtx480 bfs --set sm.scheduler.policy=gto   another warp scheduler, one word
  $syncline run gtx480 bfs --functional         the same program as a pure emulator
  $syncline list keys                           everything that can be set
  docs/architecture.md                          the map of the house
END
