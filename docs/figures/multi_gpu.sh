#!/usr/bin/env bash
# The data of docs/multi-gpu.md: multi_gpu.sh [SYNCLINE [PART...]], then multi_gpu.py draws from them.
# Parts: sizes four_gpus one_gpu medium bandwidth directory granularity l2 gpus causes. PROGRAMS and POLICIES in the environment choose less, DATA
# another folder, SIZE other inputs than the large ones of four_gpus and the medium ones of the others, and JOBS how many runs go on at once. A run
# that takes longer than LIMIT seconds of processor time, by default 900, is left out and named. RUNS is a folder that keeps the sweeps and their
# databases: what these have is not run again.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"conv md hotspot stencil pathfinder nw bfs sssp mst rnn_dgrad rnn_wgrad lstm rnn cg multigrid sweep"}
some=${PROGRAMS:-"rnn_dgrad sssp mst"}  # of all parts but the first two
policies=${POLICIES:-"no_remote_caching sw nhcc sw_hierarchical hmg ideal_remote"}
data=${DATA:-$here}
size=${SIZE:-large}
LIMIT=${LIMIT:-900}
. "$here/sweeps.sh"

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }
among() { for policy in $policies; do [[ " $* " != *" $policy "* ]] || echo "$policy"; done; }

case_of() { # VARIANT PROGRAMS POLICIES [SETTING...]
  # shellcheck disable=SC2086
  [ -z "$3" ] || echo "  $1: {workloads: $(list $2), vary: {coherence.policy: $(list $3)}, set: $(pairs "${@:4}")}"
}
collect() { # NAME: runs the cases that come in, and writes the rows
  cases_to "$1" "platforms: hmg_scaled" "sizes: $size" "keep: [gpu.part*_l2.*, gpu.nvlink*_out.*]"
  rows "$1" "$here/multi_gpu_rows.py" "$data/multi_gpu_$1.csv"
}

compared=$(among nhcc sw_hierarchical hmg ideal_remote)  # what the figures of sizes show
if wanted sizes; then
  "$syncline" list keys | awk '/^coherence\.nhcc\.directory_|^modules\./ { print $1 "," $2 }' >"$data/multi_gpu_sizes.csv"
  for policy in gpu_vi nhcc hmg; do  # "5 states (2 stable, 3 transient), 37 transitions (37 outcomes); ..."
    "$syncline" describe "$policy" | awk -v policy="$policy" '/^## .* machine$/ { machine = substr($0, 4) }
      / states \(/ { print policy "," machine "," $5 "," $7 }'
  done >"$data/multi_gpu_tables.csv"
fi
if wanted four_gpus; then case_of four_gpus "$programs" "$policies" | collect four_gpus; fi
size=${SIZE:-medium}
if wanted one_gpu; then
  case_of one_gpu "${PROGRAMS:-nw $some}" "$(among no_remote_caching sw nhcc ideal_remote)" sms=8 memory.partitions=4 modules.gpus=1 | collect one_gpu
fi
if wanted medium; then case_of medium "${PROGRAMS:-$some hotspot stencil bfs rnn_wgrad sweep}" "$policies" | collect medium; fi
if wanted bandwidth; then  # 100, 300 and 400 GB/s, scaled, and switches as fast as their links
  {
    case_of link_100 "$some" "$compared" modules.link.bandwidth=6.25GB/s modules.switch.bandwidth=5B/cycle
    case_of link_400 "$some" "$compared" modules.link.bandwidth=25GB/s modules.switch.bandwidth=20B/cycle
    case_of link_300 "$some" "$compared" modules.link.bandwidth=18.75GB/s modules.switch.bandwidth=15B/cycle
  } | collect bandwidth
fi
if wanted directory; then  # 3K and 6K entries, and so many that none leaves
  {
    case_of entries_3k "$some" "$(among hmg)" coherence.nhcc.directory_sets=12
    case_of entries_6k "$some" "$(among hmg)" coherence.nhcc.directory_sets=24
    case_of entries_all "$some" "$(among hmg)" coherence.nhcc.directory_sets=12288
  } | collect directory
fi
if wanted granularity; then  # as many lines altogether
  {
    case_of lines_1 "$some" "$(among hmg)" coherence.nhcc.directory_sets=192 coherence.nhcc.directory_lines=1
    case_of lines_2 "$some" "$(among hmg)" coherence.nhcc.directory_sets=96 coherence.nhcc.directory_lines=2
  } | collect granularity
fi
if wanted l2; then  # 6 and 24 MB a GPU
  {
    case_of l2_6 "$some" "$compared" l2.size=96KiB
    case_of l2_24 "$some" "$compared" l2.size=384KiB
  } | collect l2
fi
if wanted gpus; then  # beyond the thesis: four GPUs at a switch, and a spine as wide as the links of one
  {
    case_of gpus_8 "$some" "$policies" modules.gpus=8 sms=64 memory.partitions=32 modules.gpus_of_switch=4 modules.spine.bandwidth=40B/cycle
    case_of gpus_16 "$some" "$policies" modules.gpus=16 sms=128 memory.partitions=64 modules.gpus_of_switch=4 modules.spine.bandwidth=40B/cycle
  } | collect gpus
fi
if wanted causes; then  # one change each, of what may keep a claim out of its band: latency and width of links, entries that leave and their lines
  {
    case_of latency "${PROGRAMS:-hotspot stencil}" "$policies" modules.link.latency=15ns modules.switch.latency=13cycles
    case_of width "${PROGRAMS:-hotspot stencil}" "$policies" modules.link.bandwidth=200GB/s modules.switch.bandwidth=154B/cycle \
      modules.network.bandwidth=385B/cycle
    case_of entries_all "${PROGRAMS:-bfs rnn_wgrad sweep}" "$policies" coherence.nhcc.directory_sets=12288
    case_of lines_1 "${PROGRAMS:-bfs rnn_wgrad sweep}" "$policies" coherence.nhcc.directory_sets=192 coherence.nhcc.directory_lines=1
  } | collect causes
fi
exit 0
