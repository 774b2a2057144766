#!/usr/bin/env bash
# An installation works where it is moved, reads what lies there and nothing else: moved.sh CMAKE BUILD_FOLDER
set -u
. "$(dirname "$0")/../support/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --install "$2" --prefix "$scratch/first" >"$scratch/log" || { tail "$scratch/log"; exit 1; }
mv "$scratch/first" "$scratch/second"
syncline=$scratch/second/bin/syncline
data=$scratch/second/share/syncline
cd "$scratch" || exit 2

expect 0 'GPUDet' list platforms
expect 0 '"verified":true' run tiny saxpy --no-progress
expect 0 'fence' validate tiny --only fence
expect 2 'did you mean `tiny`?' run tinny saxpy
printf 'include: tiny\nname: only_here\ndescription: of this folder\n' >"$data/configs/only_here.yaml"
expect 0 'only_here    of this folder' list platforms
ln -s "$syncline" elsewhere
syncline=$scratch/elsewhere expect 0 'on only_here (timed, seed 1)' run only_here saxpy --no-progress
[ -s "$data/waves/gtx480.gtkw" ] || { echo "no view for GTKWave"; failed=1; }

mv "$data/workloads" hidden
expect 2 "saxpy/saxpy.ptx is not in $data/workloads; SYNCLINE_WORKLOADS names the folder" run tiny saxpy
export SYNCLINE_WORKLOADS=$scratch/hidden
expect 0 '"verified":true' run tiny saxpy --no-progress
rm "$data"/configs/*.yaml
expect 2 "no platform has a name: there is no YAML file in $data/configs; SYNCLINE_CONFIGS names the folder" list platforms
rmdir "$data/configs"
expect 2 "no platform has a name: there is no YAML file in $data/configs; SYNCLINE_CONFIGS names the folder" run tiny saxpy

[ "$failed" -eq 0 ] && echo "what is installed works where it is moved"
exit "$failed"
