#!/usr/bin/env bash
# The data of docs/multi-gpu.md: multi_gpu.sh [SYNCLINE [PART...]], then multi_gpu.py draws from them.
# Parts: sizes four_gpus one_gpu medium bandwidth directory granularity l2 gpus causes. PROGRAMS and POLICIES in the environment choose less, DATA
# another folder, SIZE other inputs than the large ones of four_gpus and the medium ones of the others, and JOBS how many runs go on at once. A run
# that takes longer than LIMIT seconds, by default 900, is left out and named. RUNS is a folder that keeps the runs: what it has is not run again.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
syncline=$(realpath "${1:-build/release/sc_main/syncline}")
parts=${*:2}
programs=${PROGRAMS:-"conv md hotspot stencil pathfinder nw bfs sssp mst rnn_dgrad rnn_wgrad lstm rnn cg multigrid sweep"}
some=${PROGRAMS:-"rnn_dgrad sssp mst"}  # of all parts but the first two
policies=${POLICIES:-"no_remote_caching sw nhcc sw_hierarchical hmg ideal_remote"}
data=${DATA:-$here}
size=${SIZE:-large}
limit=${LIMIT:-900}
runs=${RUNS:-$(mktemp -d)}
[ -n "${RUNS:-}" ] || trap 'rm -rf "$runs"' EXIT
export syncline size limit

wanted() { [ -z "$parts" ] || [[ " $parts " == *" $1 "* ]]; }
among() { for policy in $policies; do [[ " $* " != *" $policy "* ]] || echo "$policy"; done; }

one() { # WORKLOAD POLICY VARIANT [SETTING...]
  local setting settings=(--set "coherence.policy=$2") status=0 run=$folder/$1.$2.$3
  for setting in "${@:4}"; do settings+=(--set "$setting"); done
  [ ! -e "$run.line" ] || return 0
  timeout "$limit" "$syncline" run hmg_scaled "$1" --size "$size" --no-progress "${settings[@]}" --stats "$run.json" >"$run.out" || status=$?
  if [ "$status" = 124 ]; then
    echo "$1 $2 $3: longer than $limit s, left out"
    return 0
  fi
  [ "$status" = 0 ] || { echo "$1 $2 $3: status $status" >&2; return 255; }
  tail -1 "$run.out" >"$run.new" && mv "$run.new" "$run.line"
}
export -f one

collect() { # NAME: runs lines of arguments of `one`, and writes the rows
  export folder=$runs/$1
  mkdir -p "$folder"
  xargs -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'one {}'
  "$here/multi_gpu_rows.py" "$folder" >"$data/multi_gpu_$1.csv"
}
each() { # PROGRAMS POLICIES VARIANT [SETTING...]
  local workload policy
  for workload in $1; do
    for policy in $2; do echo "$workload $policy ${*:3}"; done
  done
}

compared=$(among nhcc sw_hierarchical hmg ideal_remote)  # what the figures of sizes show
if wanted sizes; then
  "$syncline" list keys | awk '/^coherence\.nhcc\.directory_|^modules\./ { print $1 "," $2 }' >"$data/multi_gpu_sizes.csv"
  for policy in gpu_vi nhcc hmg; do  # "5 states (2 stable, 3 transient), 37 transitions (37 outcomes); ..."
    "$syncline" describe "$policy" | awk -v policy="$policy" '/^## .* machine$/ { machine = substr($0, 4) }
      / states \(/ { print policy "," machine "," $5 "," $7 }'
  done >"$data/multi_gpu_tables.csv"
fi
if wanted four_gpus; then each "$programs" "$policies" four_gpus | collect four_gpus; fi
size=${SIZE:-medium}
if wanted one_gpu; then
  each "${PROGRAMS:-nw $some}" "$(among no_remote_caching sw nhcc ideal_remote)" one_gpu sms=8 memory.partitions=4 modules.gpus=1 | collect one_gpu
fi
if wanted medium; then each "${PROGRAMS:-$some hotspot stencil bfs rnn_wgrad sweep}" "$policies" medium | collect medium; fi
if wanted bandwidth; then  # 100, 300 and 400 GB/s, scaled, and switches as fast as their links
  {
    each "$some" "$compared" link_100 modules.link.bandwidth=6.25GB/s modules.switch.bandwidth=5B/cycle
    each "$some" "$compared" link_400 modules.link.bandwidth=25GB/s modules.switch.bandwidth=20B/cycle
    each "$some" "$compared" link_300 modules.link.bandwidth=18.75GB/s modules.switch.bandwidth=15B/cycle
  } | collect bandwidth
fi
if wanted directory; then  # 3K and 6K entries, and so many that none leaves
  {
    each "$some" "$(among hmg)" entries_3k coherence.nhcc.directory_sets=12
    each "$some" "$(among hmg)" entries_6k coherence.nhcc.directory_sets=24
    each "$some" "$(among hmg)" entries_all coherence.nhcc.directory_sets=12288
  } | collect directory
fi
if wanted granularity; then  # as many lines altogether
  {
    each "$some" "$(among hmg)" lines_1 coherence.nhcc.directory_sets=192 coherence.nhcc.directory_lines=1
    each "$some" "$(among hmg)" lines_2 coherence.nhcc.directory_sets=96 coherence.nhcc.directory_lines=2
  } | collect granularity
fi
if wanted l2; then  # 6 and 24 MB a GPU
  {
    each "$some" "$compared" l2_6 l2.size=96KiB
    each "$some" "$compared" l2_24 l2.size=384KiB
  } | collect l2
fi
if wanted gpus; then  # beyond the thesis: four GPUs at a switch, and a spine as wide as the links of one
  {
    each "$some" "$policies" gpus_8 modules.gpus=8 sms=64 memory.partitions=32 modules.gpus_of_switch=4 modules.spine.bandwidth=40B/cycle
    each "$some" "$policies" gpus_16 modules.gpus=16 sms=128 memory.partitions=64 modules.gpus_of_switch=4 modules.spine.bandwidth=40B/cycle
  } | collect gpus
fi
if wanted causes; then  # one change each, of what may keep a claim out of its band: latency and width of links, entries that leave and their lines
  {
    each "${PROGRAMS:-hotspot stencil}" "$policies" latency modules.link.latency=15ns modules.switch.latency=13cycles
    each "${PROGRAMS:-hotspot stencil}" "$policies" width modules.link.bandwidth=200GB/s modules.switch.bandwidth=154B/cycle \
      modules.network.bandwidth=385B/cycle
    each "${PROGRAMS:-bfs rnn_wgrad sweep}" "$policies" entries_all coherence.nhcc.directory_sets=12288
    each "${PROGRAMS:-bfs rnn_wgrad sweep}" "$policies" lines_1 coherence.nhcc.directory_sets=192 coherence.nhcc.directory_lines=1
  } | collect causes
fi
exit 0
