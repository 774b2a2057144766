#!/usr/bin/env bash
# Whole runs against the speed that the project promises: [BEFORE=SYNCLINE] speed.sh [SYNCLINE] [REPETITIONS]
#
# Each row is the median of several runs on one core. The rate is warp-instructions per second of the run itself
# (platform construction left out, PTX loading included); the ratio is measured / promised. Nothing fails here: speed is printed, not tested.
set -eu
syncline=${1:-build/release/sc_main/syncline}
repetitions=${2:-3}
. "$(dirname "$0")/host_cost.sh"

# row PROMISE LABEL ARGUMENTS...
row() {
  local promise=$1 label=$2 median
  shift 2
  median=$(rates "$@" | sort -n | sed -n "$(((repetitions + 1) / 2))p")
  awk -v l="$label" -v i="$(field warp_instructions "$(cat "$scratch")")" -v r="$median" -v p="$promise" \
    'BEGIN { printf "| %-34s | %10d | %11d | %11s | %6s |\n", l, i, r, p ? p : "-", p ? sprintf("%.2f", r / p) : "-" }'
}

grep -m 1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: /machine: /' || uname -m
printf '\n| %-34s | %10s | %11s | %11s | %6s |\n' "run" "warp instr." "per second" "promised" ratio
printf '|%s|%s|%s|%s|%s|\n' "$(printf -- '-%.0s' {1..36})" ------------: ------------: ------------: -------:
row 1000000 "timed gtx480 matmul" gtx480 matmul --size medium
row 300000 "timed gtx480 bfs" gtx480 bfs --size medium
row 300000 "timed gtx480 transpose" gtx480 transpose --size medium
row 20000000 "functional matmul" gtx480 matmul --size large --functional

# Cost follows work, not machine size: the same 15 CTAs on 15 and on 56 SMs.
kernel=(gtx480 "$(dirname "$0")/speed.ptx" --kernel walk --grid 15 --block 256 --arg buf:u32:262144:zero --arg u32:2000)
row 0 "15 CTAs on 15 SMs" "${kernel[@]}"
row 0 "15 CTAs on 56 SMs" "${kernel[@]}" --set sms=56

# Memory, with 256 MB of device data written.
if [ -x /usr/bin/time ]; then
  printf '\npeak memory of gtx480 with 256 MB of device data: %s MB (promised: below 500 MB)\n' \
    "$(peak_memory gtx480 "$(dirname "$0")/speed.ptx" --kernel touch --grid 65536 --block 256 --arg buf:u32:67108864:zero)"
fi

printf '\none core%s\n' "${BEFORE:+, before ($BEFORE) and after}"
"$(dirname "$0")/one_core.sh" "$syncline" "$repetitions"

if [ "$(nproc)" -gt 1 ]; then
  printf '\none simulation on two threads beside one\n'
  "$(dirname "$0")/threads.sh" "$syncline" "$repetitions"
  printf '\nwhat more cores would bring, by a model\n'
  "$(dirname "$0")/cores.sh" "$syncline" "$repetitions"
fi

printf '\n512 SMs in 16 modules beside 15 SMs (hmg16, gtx480)\n'
"$(dirname "$0")/modules.sh" "$syncline" "$repetitions"

printf '\nper warp-instruction, over none on the same program (rcc16)\n'
"$(dirname "$0")/coherence.sh" "$syncline" "$repetitions"

printf '\nper warp-instruction, GPUDet over none on the same program (gtx480)\n'
"$(dirname "$0")/determinism.sh" "$syncline" "$repetitions"

printf '\nper warp-instruction, transactions over fine-grained locks on the same input (gtx480)\n'
"$(dirname "$0")/transactions.sh" "$syncline" "$repetitions"
MEMORY=shared SIZES=large "$(dirname "$0")/transactions.sh" "$syncline" "$repetitions"

printf '\nper warp-instruction, with waves over without (gtx480)\n'
"$(dirname "$0")/waves.sh" "$syncline" "$repetitions"
