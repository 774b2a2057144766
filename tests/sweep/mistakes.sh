#!/usr/bin/env bash
# Mistakes in sweep files and databases are told with their places, and nothing is lost.
set -u
. "$(dirname "$0")/common.sh"
watched=$scratch

# refused TEXT LINES...: a file of these lines is refused with status 2.
refused() {
  local text=$1
  shift
  printf '%s\n' "$@" >bad.yaml
  expect 2 "$text" sweep bad.yaml
}
ok=('platforms: [gtx480]' 'workloads: [saxpy, bfs]')

expect 2 'missing.yaml' sweep missing.yaml
refused 'bad.yaml:1:1: error: the sweep lacks the key `workloads`' 'platforms: gtx480'
refused 'bad.yaml:1:1: error: the sweep lacks the key `platforms`' 'workloads: saxpy'
refused 'bad.yaml:3:1: error: unknown key `size` in the sweep; did you mean `sizes`?' "${ok[@]}" 'size: small'
refused 'bad.yaml:1:13: error: unknown platform `gtx40`; did you mean `gtx480`?' 'platforms: [gtx40]' 'workloads: saxpy'
refused 'bad.yaml:2:20: error: unknown workload `bsf`; did you mean `bfs`?' 'platforms: gtx480' 'workloads: [saxpy, bsf]'
refused 'bad.yaml:3:8: error: ' "${ok[@]}" 'sizes: smal'
refused 'did you mean `small`?' "${ok[@]}" 'sizes: smal'
refused 'bad.yaml:3:16: error: ' "${ok[@]}" 'sizes: [small, paper]'
refused '`platforms` has `gtx480` twice, the first time in line 2' 'workloads: saxpy' 'platforms: [gtx480,' ' gtx480]'
refused 'bad.yaml:1:12: error: `platforms` expects a value or a list of some, found an empty list' 'platforms: []' 'workloads: saxpy'
refused 'bad.yaml:2:12: error: `workloads` expects a value or a list of some, found a mapping' 'platforms: gtx480' 'workloads: {a: b}'
refused 'bad.yaml:2:13: error: `workloads` expects names, found a list' 'platforms: gtx480' 'workloads: [[saxpy]]'
refused 'bad.yaml:2:13: error: `workloads` expects names, found an empty one' 'platforms: gtx480' 'workloads: [""]'
refused 'bad.yaml:3:11: error: `database` expects a name, found a list' "${ok[@]}" 'database: [a.db, b.db]'
refused 'bad.yaml:3:11: error: `database` expects names, found an empty one' "${ok[@]}" 'database: ""'
refused 'bad.yaml:3:14: error: `keep`: the pattern `gpu.sm[0.issued` has a `[` without `]`' "${ok[@]}" 'keep: ["*.x","gpu.sm[0.issued"]'
refused 'error: `keep`: the pattern `gpu.[]` has a `[` without `]`' "${ok[@]}" 'keep: "gpu.[]"'
refused 'error: `keep`: the pattern `gpu\` ends with a `\`' "${ok[@]}" "keep: 'gpu\\'"

# Keys, where they stand.
refused 'bad.yaml:4:22: error: ' "${ok[@]}" 'vary:' '  coherence.policy: [mesii]'
refused 'did you mean `mesi`?' "${ok[@]}" 'vary:' '  coherence.policy: [mesii]'
refused 'bad.yaml:3:7: error: unknown key `mshrs` in `l1`' "${ok[@]}" 'set: {l1.mshrs: 8}'
refused 'bad.yaml:3:12: error: ' "${ok[@]}" 'set: {sms: 010}'
refused 'bad.yaml:3:20: error: ' "${ok[@]}" 'vary: {sms: [4, 2, 0]}'
refused 'bad.yaml:3:13: error: `sms` below `vary` expects a list of values, found `4`' "${ok[@]}" 'vary: {sms: 4}'
refused 'bad.yaml:4:8: error: `sms` stands below `set` and below `vary`' "${ok[@]}" 'set: {sms: 4}' 'vary: {sms: [2]}'
refused 'bad.yaml:3:17: error: `sms` has `4` twice, the first time in line 3' "${ok[@]}" 'vary: {sms: [4, 4]}'
refused 'bad.yaml:3:12: error: `sms` expects a value or a list of values, found a mapping' "${ok[@]}" 'set: {sms: {a: b}}'
refused 'bad.yaml:3:6: error: `set` expects a mapping of keys and their values, found `sms`' "${ok[@]}" 'set: sms'
refused 'bad.yaml:3:7: error: `vary` expects a mapping of keys and lists of their values, found a list' "${ok[@]}" 'vary: [sms]'
# Values that are the same in other words; runs of another case may be.
refused 'bad.yaml:3:26: error: two runs are the same: `l1.size` is `24 KiB` in one and `24576` in the other, and all keys have the same values' \
  "${ok[@]}" 'vary: {l1.size: [24 KiB, 24576]}'
refused 'bad.yaml:3:39: error: two runs are the same: `clocks.core` is `1400 MHz` in one and `1.4 GHz` in the other' \
  "${ok[@]}" 'vary: {clocks.core: [1400 MHz, 2 GHz, 1.4 GHz], sms: [2, 4]}'
refused 'bad.yaml:3:40: error: two runs are the same: `sms.0.l1.ways` is `2` in one and `8` in the other' \
  "${ok[@]}" 'vary: {sms: [2, 4], sms.0.l1.ways: [2, 8, 4], sms.0-1.l1.ways: [4, 8]}'
printf '%s\n' "${ok[@]}" 'cases:' '  one: {set: {l1.size: 24 KiB}}' '  two: {set: {l1.size: 24576}}' >cases.yaml
expect 0 'l1.size=24576' sweep cases.yaml --list
rm cases.yaml
# Rules over several keys.
refused 'bad.yaml:3:28: error: `transactions.policy` = getm needs `determinism.policy: none`' "${ok[@]}" 'set: {transactions.policy: getm, determinism.policy: gpudet}'

# Options.
refused 'bad.yaml:3:17: error: ' "${ok[@]}" 'options: {sync: locks}'
refused 'bad.yaml:3:17: error: ' 'platforms: gtx480' 'workloads: hash_table' 'options: {sync: lock}'
refused 'bad.yaml:3:10: error: `options` expects a mapping of options and their values' "${ok[@]}" 'options: sync'

# Seeds.
refused 'bad.yaml:3:8: error: ' "${ok[@]}" 'seeds: -1'
refused 'bad.yaml:3:8: error: ' "${ok[@]}" 'seeds: 1-'
refused 'bad.yaml:3:8: error: ' "${ok[@]}" 'seeds: 01-3'
refused 'bad.yaml:3:8: error: `seeds`: the range `3-1` ends before it begins' "${ok[@]}" 'seeds: 3-1'
refused 'bad.yaml:3:8: error: `seeds` has more than 1000000 numbers' "${ok[@]}" 'seeds: 1-18446744073709551615'
refused 'bad.yaml:3:14: error: `input_seeds` has 2 twice' "${ok[@]}" 'input_seeds: [1-3, 2]'
refused 'the sweep has more than 200000 runs' "${ok[@]}" 'seeds: 1-100001'

# Cases.
refused 'bad.yaml:4:9: error: unknown key `keep` in the case `one`' "${ok[@]}" 'cases:' '  one: {keep: x}'
refused 'bad.yaml:3:8: error: `cases` expects a mapping of names, found an empty one' "${ok[@]}" 'cases: {}'
refused 'bad.yaml:3:3: error: the case `one` lacks the key `workloads`' 'platforms: gtx480' 'cases:' '  one: {}'
refused 'two runs are the same: saxpy (small) on gtx480, of the cases `one` and `two`' "${ok[@]}" 'cases:' '  one: {}' '  two: {}'

# Scripts.
printf '%s\n' 'module: none.ptx' 'buffers: {x: {type: u32, count: 4, fill: 1}}' 'steps:' '  - dump: {buffer: x, to: x.out}' >dumps.yaml
empty_kernel none.ptx
refused 'dumps.yaml:4:5: error: a script of a sweep cannot write files' 'platforms: gtx480' 'workloads: dumps.yaml'
refused 'bad.yaml:2:12: error: `workloads` expects programs of the suite and workload scripts, found a PTX file' 'platforms: gtx480' 'workloads: none.ptx'
refused 'nowhere.yaml' 'platforms: gtx480' 'workloads: nowhere.yaml'

# Of many names each is compared with all that are the same, not with all.
(echo 'platforms: gtx480'; echo 'workloads: saxpy'; echo -n 'keep: ['; seq -s, 100000 299999 | tr -d '\n'; echo ', 123456]') >bad.yaml
under='prlimit --cpu=20' expect 2 'bad.yaml:3:1400009: error: `keep` has `123456` twice, the first time in line 3' sweep bad.yaml

# The command line.
printf '%s\n' 'platforms: gtx480' 'workloads: saxpy' >good.yaml
expect 2 'unknown option `--job`; did you mean `--jobs`?' sweep good.yaml --job 2
expect 2 '--jobs' sweep good.yaml --jobs 0
expect 2 '--jobs' sweep good.yaml --jobs -1
expect 2 '--retry does not apply to --list, which only prints' sweep good.yaml --list --retry

# Databases that are none, or somebody else's, stay as they are.
expect 2 'cannot write the database `nowhere/x.db`: No such file or directory' sweep good.yaml --database nowhere/x.db
mkdir folder
expect 2 'cannot write the database `folder`: Is a directory' sweep good.yaml --database folder
echo 'this is a text, and a long one beside: it is longer than what SQLite reads at first, so that it can tell.........' >text.db
expect 2 'the database `text.db`: file is not a database' sweep good.yaml --database text.db
python3 -c "import sqlite3; c = sqlite3.connect('foreign.db'); c.execute('CREATE TABLE mine (x)'); c.execute('INSERT INTO mine VALUES (1)'); c.commit()"
expect 2 'the database `foreign.db` is none of a sweep' sweep good.yaml --database foreign.db
expect 0 '1 runs: 1 done' sweep good.yaml --database later.db --no-progress
python3 -c "import sqlite3; c = sqlite3.connect('later.db'); c.execute('PRAGMA user_version = 7'); c.commit()"
expect 2 'the database `later.db` has tables of version 7, and this program knows version 1' sweep good.yaml --database later.db

# What is there stays when there is no room for more: on a disk of its own that is full.
sed 's/saxpy/[saxpy, bfs]/' good.yaml >more.yaml
watched=
mkdir disk
if unshare -rm mount -t tmpfs none disk 2>no_disk; then
  cat >on_small_disk <<'END'
#!/usr/bin/env bash
mount -t tmpfs -o size=128k none disk
"$@" || exit 9
head -c 1M /dev/zero >disk/rest 2>/dev/null
"${@:1:2}" more.yaml "${@:4}"
status=$?
rm disk/rest
cp disk/full.db* .
exit $status
END
  chmod +x on_small_disk
  under="unshare -rm ./on_small_disk" told=anywhere expect 2 'the database `disk/full.db`: ' sweep good.yaml --database disk/full.db --no-progress
  is "after a full disk" "$(ask full.db "SELECT workload, state FROM run WHERE state = 'done'")" 'saxpy done'
  expect 0 '2 runs: 2 done, 0 failed; 1 of them now' sweep more.yaml --database full.db --no-progress
else
  echo "skipped: a full disk, for this computer mounts none: $(cat no_disk)"
fi

# Nor where files must not be as large.
printf '#!/usr/bin/env bash\nulimit -f 32\n"$@"\n' >with_small_files
chmod +x with_small_files
under=./with_small_files told=anywhere expect 2 'the database `limited.db`: ' sweep good.yaml --database limited.db --no-progress
expect 0 '1 runs: 1 done, 0 failed; 1 of them now' sweep good.yaml --database limited.db --no-progress

[ "$failed" -eq 0 ] && echo "mistakes of sweeps are told with their places"
exit "$failed"
