#!/usr/bin/env bash
# The files that a call is given and the files that it leaves: what cannot be read or written is told with the exit status of
# a mistake, nothing of the user's is touched, and a call leaves all of its files or none.
set -u
syncline=$1
root=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
. "$root/tests/support/expect.sh"
watched=$scratch
say() { echo "$1"; failed=1; }
quiet() { "$syncline" "$@" --no-progress >/dev/null; }
cp "$root/tests/data/ptx/faults.ptx" faults.ptx
kernel='run tiny faults.ptx --no-progress --kernel spin --arg b=buf:u32:16:fill(1)'  # which ends at once

# Not every build writes FST.
fst=
if quiet run tiny saxpy --wave first.fst 2>/dev/null; then fst=yes; else echo "skipped: files of waves in FST (this build writes none)"; fi
rm -f first.fst

# What looks like the name of a file under way is the user's own.
mkdir own
(
  cd own || exit 2
  echo precious >precious
  for name in s.json.partial w.vcd.partial.vcd w.vcd.partial w.fst.partial w.fst.partial.vcd .s.json s.json~; do ln -s precious $name; done
  before=$(ls -A)
  quiet run tiny saxpy --stats s.json --wave w.vcd || exit 1
  [ -z "$fst" ] || quiet run tiny saxpy --wave w.fst || exit 1
  rm -f s.json w.vcd w.fst
  [ "$(cat precious)" = precious ] && [ "$(ls -A)" = "$before" ]
) || say "files beside the results were touched"

# Modes and links.
mkdir links
(
  cd links || exit 2
  echo old >real.json && chmod 640 real.json && ln real.json hard.json && ln -s real.json soft.json
  echo old >single.csv && chmod 604 single.csv
  (umask 027; quiet run tiny saxpy --stats soft.json --series single.csv --dump-config new.yaml) || exit 1
  [ "$(stat -c '%a %h' real.json hard.json single.csv new.yaml | tr '\n' ,)" = '640 2,640 2,604 1,640 1,' ] &&
    cmp -s real.json hard.json && grep -q '"value"' hard.json && [ -L soft.json ] && [ "$(ls -A | wc -l)" -eq 5 ]
) || say "modes or links are other ones"

# Two results in one file.
echo there >there && ln -s there link && ln there hard && ln -s . folder && ln -s fresh to_fresh
both() { expect 2 "--stats and $2 both write \`$3\`" run tiny saxpy --stats "$1" "$2" "$3"; }
both a --series ./a
both a --series folder/a
both fresh --series to_fresh
both there --series link
both there --series hard
expect 2 '--dump-config and --stats both write `./a`' run tiny saxpy --dump-config a --stats ./a
expect 2 '--stats and --wave both write `./w.vcd`' run tiny saxpy --stats w.vcd --wave ./w.vcd
expect 2 '--dump b=a and --dump b=./a both write `./a`' $kernel --dump b=a --dump b=./a
expect 2 '--stats and --dump b=folder/s both write `folder/s`' $kernel --stats s --dump b=folder/s
printf 'module: faults.ptx\nbuffers: {b: {bytes: 4}}\nsteps:\n  - dump: {buffer: b, to: d}\n  - dump: {buffer: b, to: folder/d}\n' >twice.yaml
expect 2 'twice.yaml:5:5: error: twice.yaml:4:5 and twice.yaml:5:5 both write `folder/d`' run tiny twice.yaml
expect 2 'twice.yaml:4:5: error: --stats and twice.yaml:4:5 both write `d`' run tiny twice.yaml --stats d
# What the call does stands in these files.
"$syncline" run tiny saxpy --dump-config own.yaml >/dev/null 2>&1
expect 2 'cannot write `folder/faults.ptx`: this call reads it (--stats)' $kernel --stats folder/faults.ptx
expect 2 'cannot write `own.yaml`: this call reads it (--dump-config)' run own.yaml saxpy --dump-config own.yaml
printf 'include: [tiny, includes_own.yaml]\n' >top.yaml && printf 'include: ./own.yaml\n' >includes_own.yaml
for read in own.yaml includes_own.yaml top.yaml; do
  expect 2 "cannot write \`$read\`: this call reads it (--stats)" run top.yaml saxpy --stats $read
  expect 2 "cannot write \`$read\`: this call reads it (--dump-config)" run top.yaml saxpy --functional --dump-config $read
  expect 2 "cannot write \`$read\`: this call reads it (--data)" compare top.yaml --workloads saxpy --policies none --data $read
  expect 2 "cannot write \`$read\`: this call reads it (--report)" compare top.yaml --workloads saxpy --policies none --report $read
done
mkdir -p suite/saxpy && cp "$root/workloads/saxpy/saxpy.ptx" suite/saxpy
under="env SYNCLINE_WORKLOADS=$scratch/suite"
expect 2 'cannot write `suite/saxpy/saxpy.ptx`: this call reads it (--stats)' run tiny saxpy --stats suite/saxpy/saxpy.ptx
expect 2 'cannot write `suite/saxpy/saxpy.ptx`: this call reads it (--data)' \
  compare tiny --workloads saxpy --policies none --data suite/saxpy/saxpy.ptx
under=
expect 2 'cannot write `twice.yaml`: this call reads it (--stats)' run tiny twice.yaml --stats twice.yaml
expect 2 'cannot write `faults.ptx`: this call reads it (--stats)' run tiny twice.yaml --stats faults.ptx
quiet run tiny saxpy --stats /dev/null --series /dev/null || say "two results cannot go nowhere"
touch printed.txt
watched= output=printed.txt expect 2 'cannot write `printed.txt`: standard output goes to the same file' run tiny saxpy --stats printed.txt
"$syncline" run tiny saxpy --stats told.txt 2>told.txt && say "a result takes the place of what is told"
grep -qF 'cannot write `told.txt`: standard error goes to the same file' told.txt || say "it is not told why"

# Names that cannot be.
long=$(printf 'n%.0s' {1..300})
for ending in yaml ptx litmus vcd; do ln -s circle.$ending circle.$ending; done
mkdir a_folder.yaml
for bad in "$long:File name too long" "circle.yaml:Too many levels of symbolic links" "faults.ptx/x:Not a directory" \
  "nowhere/x:No such file or directory" "a_folder.yaml:Is a directory"; do
  name=${bad%%:*}
  why=${bad#*:}
  for option in --stats --series --dump-config; do expect 2 "cannot write \`$name\`: $why" run tiny saxpy $option "$name"; done
  expect 2 "cannot write \`$name\`: $why" $kernel --dump "b=$name"
  expect 2 "cannot write \`$name\`: $why" compare tiny --workloads saxpy --policies none --data "$name"
done
expect 2 'cannot write `circle.vcd`: Too many levels of symbolic links' run tiny saxpy --wave circle.vcd --stats a.json
for bad in "$long.yaml:File name too long" "circle.yaml:Too many levels of symbolic links" "a_folder.yaml:it is a folder"; do
  name=${bad%%:*}
  why=${bad#*:}
  expect 2 "cannot read the platform \`$name\`: $why" run "$name" saxpy
  expect 2 "cannot read the platform \`$name\`: $why" list keys --platform "$name"
  expect 2 "cannot read \`$name\`: $why" run tiny "$name"
  expect 2 "cannot read \`$name\`: $why" validate tiny --ledger "$name"
  expect 2 "cannot read \`$name\`: $why" check rcc --mutate --survivors "$name"
  expect 2 "cannot read \`$name\`: $why" run tiny faults.ptx --kernel spin --arg "buf:$name"
  printf 'include: %s\n' "$name" >includes.yaml
  expect 2 "includes.yaml:1:10: error: cannot read \`$name\`: $why" run includes.yaml saxpy
  printf 'module: %s\nsteps: []\n' "$name" >module.yaml
  expect 2 "module.yaml:1:9: error: cannot read \`$name\`: $why" run tiny module.yaml
done
expect 2 'circle.ptx: error: the PTX file cannot be read: Too many levels of symbolic links' run tiny circle.ptx --kernel k
expect 2 "$long.ptx: error: the PTX file cannot be read: File name too long" run tiny "$long.ptx" --kernel k
expect 2 'expected the path of either: Too many levels of symbolic links' litmus tiny circle.litmus
expect 2 'expected the path of either: File name too long' litmus tiny "$long"

# A folder that is no longer there, and none for temporary files.
mkdir gone && cd gone && rmdir ../gone
for option in '--stats o' '--wave o.vcd' ${fst:+'--wave o.fst'} '--dump-config o'; do expect 2 'No such file or directory' run tiny saxpy $option; done
expect 2 'No such file or directory' compare tiny --workloads saxpy --policies none --data o
expect 2 'no such file' run tiny x.yaml
expect 2 'unknown platform `x.yaml`' run x.yaml saxpy
expect 0 'verified' run tiny saxpy --no-progress
expect 0 'no violation' check rcc --program 'ld x | st x 1'
cd "$scratch" || exit 2
under='env TMPDIR=/nowhere' expect 0 'geometric mean' compare tiny --workloads saxpy --policies none

# Disks that are full: nothing of the call stays, whichever of its files it was.
ln -s /dev/full full.vcd
for full in stats series wave dump-config dump; do
  files=(stats=a.json series=b.csv wave=c.vcd dump-config=d.yaml dump=b=e)
  disk=/dev/full
  [ $full = wave ] && disk=full.vcd
  for i in "${!files[@]}"; do files[i]=--$(sed "s|^\($full=\(b=\)\?\)[a-e].*|\1$disk|" <<<"${files[i]}"); done
  expect 2 "cannot write \`$disk\`: No space left on device" $kernel "${files[@]}"
done
expect 2 'cannot write `/dev/full`: No space left on device' compare tiny --workloads saxpy --policies none --data /dev/full
# A short text fails when it is flushed, a long one when it is written.
for command in --help 'list platforms' 'list keys' 'run tiny saxpy --no-progress --stats a.json --wave c.vcd' "$kernel --dump b=e" \
  'compare tiny --workloads saxpy --policies none --data a.json'; do
  output=/dev/full expect 2 'syncline: cannot write standard output: No space left on device' $command
done
output=/dev/full expect 2 'did you mean `run`?' rnu
# What no longer fits, here because files may not grow.
cat >limited <<'END'
#!/bin/sh
trap '' XFSZ
ulimit -f 16
exec "$@"
END
cat >silent <<'END'
#!/bin/sh
exec "$@" >&-
END
chmod +x limited silent
under=./limited expect 2 'cannot write `cut.vcd`: File too large' run tiny matmul --no-progress --wave cut.vcd
if [ -n "$fst" ]; then
  under=./limited expect 2 'cannot write `cut.fst`: File too large' run tiny matmul --no-progress --wave cut.fst
fi
under=./limited expect 2 'cannot write `cut.json`: File too large' run tiny matmul --no-progress --stats cut.json
# A disk that is really full, from the first bytes on or later: what is left on it is told, too.
cat >on_disk <<'END'
#!/bin/sh
exec unshare -rm sh -c '
  mount -t tmpfs -o size="$0" none disk && cd disk || exit 99
  "$@"
  status=$?
  [ -z "$(ls -A)" ] || { ls -A >&2; exit 98; }
  exit $status' "$@"
END
chmod +x on_disk && mkdir disk
if ./on_disk 4k true 2>/dev/null; then
  for size in 4k 16k 64k; do
    for kind in vcd ${fst:+fst}; do
      under="./on_disk $size" expect 2 "cannot write \`w.$kind\`: No space left on device" run gtx480 matmul --size small --no-progress --wave w.$kind
    done
  done
else
  echo "skipped: small disks (this machine lets nobody mount one)"
fi

# A standard output that is closed is told before anything is done, and its number goes to no file.
for command in '--help' 'list platforms' 'run tiny saxpy --stats a.json' 'compare tiny --workloads saxpy --data a.json'; do
  under=./silent expect 2 'cannot write standard output: it is closed' $command
done
"$syncline" run tiny saxpy --stats e.json 2>&- >printed.txt && tail -n 1 e.json | grep -q '^\]}$' || say "what is told goes into a result"

# A named pipe that nobody reads is waited for, which is told.
mkfifo pipe
"$syncline" run tiny saxpy --no-progress --stats pipe >printed.txt 2>told.txt &
for _ in $(seq 600); do
  grep -qF 'the named pipe `pipe`' told.txt && break
  sleep 0.1
done
grep -qF 'waiting for somebody to read the named pipe `pipe`' told.txt || say "a wait is not told"
timeout 60 cat pipe >through.json
wait $! && cmp -s through.json e.json && [ -p pipe ] || say "what went through the pipe is something else"

# Memory.
printf '#!/bin/sh\nulimit -v 400000\nexec "$@"\n' >small && chmod +x small
under=./small expect 2 'out of memory: what was asked for needs more than this computer gives' run gtx480 saxpy --size large
# However little there is, it is the computer's fault and no bug of a policy.
printf '#!/bin/sh\nulimit -v $1\nshift\nexec "$@"\n' >smaller && chmod +x smaller
for ((kib = 10000; kib < 100000; kib += 4000)); do
  ./smaller $kib "$syncline" --version >/dev/null 2>&1 || continue
  for command in 'run gtx480 saxpy --no-progress' 'stress none --operations 500'; do
    # shellcheck disable=SC2086
    ./smaller $kib "$syncline" $command >printed.txt 2>told.txt
    status=$?
    [ $status -eq 0 ] || { [ $status -eq 2 ] && grep -qF 'out of memory' told.txt; } ||
      say "$command with $kib KiB: status $status, $(cat told.txt)"
  done
done
under=./small expect 2 'gives no address space for' run tiny saxpy --functional
expect 2 '--arg `b=buf:u8:2147483648`:1:7: error: mem_alloc of 2147483648 bytes: out of device memory, 0 of 1610612736 bytes (`host.memory`) are in use' \
  run tiny faults.ptx --kernel spin --arg b=buf:u8:2147483648
under=./small expect 2 'this computer gives no memory for the 1073741824 bytes of buffer `arg0`' \
  run tiny faults.ptx --kernel spin --arg buf:u8:1073741824:random

# Nothing that could be opened any more, and no process.
cat >few <<'END'
#!/bin/bash
# What this test was started with counts as open. The script itself is 255 and closed by exec.
for open in /proc/$$/fd/*; do
  number=${open##*/}
  [ "$number" -gt 2 ] && [ "$number" -ne 255 ] && eval "exec $number>&-"
done
ulimit -n $1
shift
exec "$@"
END
chmod +x few
under='./few 4' expect 2 'cannot write `b.csv`: Too many open files' run tiny saxpy --dump-config a.yaml --series b.csv --stats c.json
under='./few 4' expect 2 'no pipe can be made: Too many open files' stress none
under='./few 5' expect 2 'no memory for what a process prints: Too many open files' compare tiny --workloads saxpy
printf '#!/bin/bash\nulimit -u 0\nexec "$@"\n' >alone && chmod +x alone

# A whole disk. This one has no driver, should it be opened nevertheless.
if mknod disk b 259 1048575 2>/dev/null; then
  expect 2 'cannot write `disk`: it is a whole disk' run tiny saxpy --stats disk
  rm disk
else
  echo "skipped: results to a whole disk (no right to make one)"
fi

# Without rights. Root has all of them.
mkdir locked && echo theirs >locked/theirs.json && cp faults.ptx locked/theirs.ptx && chmod 700 locked && echo mine >read_only.json && chmod 444 read_only.json
chmod 755 "$scratch"
nobody=
if [ "$(id -u)" -eq 0 ]; then nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
if [ -z "$nobody" ]; then chmod 000 locked; fi
if under=$nobody && $under "$syncline" --version >/dev/null 2>&1; then
  for name in locked/new.json locked/theirs.json; do expect 2 "cannot write \`$name\`: Permission denied" run tiny saxpy --stats $name; done
  expect 2 'cannot write `read_only.json`: Permission denied' run tiny saxpy --stats read_only.json
  expect 2 'cannot read the platform `locked/theirs.json`: Permission denied' run locked/theirs.json saxpy
  expect 2 'the PTX file cannot be read: Permission denied' run tiny locked/theirs.ptx --kernel k
  under="$nobody ./alone" expect 2 'no process can be started: Resource temporarily unavailable' compare tiny --workloads saxpy
  under="$nobody ./alone" expect 2 'no process can be started: Resource temporarily unavailable' stress none
else
  echo "skipped: mistakes with rights (no user without them can run $syncline)"
fi
chmod 700 locked

[ "$failed" -eq 0 ] && echo "files are as they should be"
exit "$failed"
