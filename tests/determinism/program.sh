#!/usr/bin/env bash
# A small program under GPUDet shows one thing whatever chance does: program.sh SYNCLINE FILE
# Its first lines, comments, say how it is run and what it shows:
#   forms: NAME...      of the policy, of those below; default: the nine of $forms. With `bytes` all whose names end so show one thing.
#   run: PLATFORM ARGUMENTS...
# and of this run, behind it:
#   shows: what the emulator does      memory is as the program in functional mode leaves it
#   prints: WORD...     all that the program prints
#   status: NUMBER      default: 0
#   says: TEXT          stands in the error
#   note: TEXT          stands in a note of the default form, which may show many things; no other form has a note
set -u
syncline=$1 file=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0 runs=0

declare -A settings=(
  [default]=''
  [base]='quantum_formation=base serial=w_ser'
  [bta]='quantum_formation=bta quantum_size=13'
  [one]='quantum_size=1'
  [lock]='commit=lock sync_latency=100 depth_bits=12'
  [bytes]='z_unit.granule=1'
  [serial_bytes]='byte_stores=serial'
  [small]='store_buffer.entries=128 depth_bits=12'
  [lock_bytes]='commit=lock byte_stores=serial'
  [depths]='depth_bits=8'
  [lock_depths]='commit=lock depth_bits=8'
  [order]='shared_order=instructions')
forms='default base bta one lock bytes serial_bytes small order'
declare -A other=(
  [seed1]='perturbation.chance=all perturbation.seed=1'
  [seed2]='perturbation.chance=all perturbation.seed=2'
  [seed3]='perturbation.chance=all perturbation.seed=3'
  [overlap]='perturbation.chance=all perturbation.seed=4 overlap=next_quantum'
  [machine]='sm.scheduler.policy=gto l1.size=8KiB l1.ways=4 clocks.core=900MHz crossbar.latency=13 sm.coalescer.mode=lane store_buffer.data=chunk'
  [lines]='l1.line=32B l2.line=32B sm.scheduler.policy=two_level overlap=next_quantum overlap_bloom=1024')

fail() {
  echo "$(basename "$file"): $*"
  bad=1
}
# shown SETTING...: exit status, what the program printed, its error and the memory that it left
shown() {
  local all=() one status=0
  for one in "$@"; do
    case $one in
      *.*.*|perturbation.*|clocks.*|z_unit.*|l1.*|l2.*|crossbar.*) all+=(--set "$one") ;;
      *) all+=(--set "determinism.gpudet.$one") ;;
    esac
  done
  "$syncline" run "${run[0]}" "$file" "${run[@]:1}" --no-progress --set determinism.policy=gpudet "${all[@]}" >"$scratch/out" 2>"$scratch/err" ||
    status=$?
  echo "status $status"
  sed "/^[a-z_]* on [a-z0-9]* (timed/,\$d" "$scratch/out" | tee "$scratch/printed"
  cat "$scratch/err"
  sed -n 's/.*"memory_signature":"\([0-9a-f]*\)".*/\1/p' "$scratch/out"
}
# wants WORD: the values of these lines of the header that belong to the run
wants() { sed -n "s|^$1: ||p" <<<"$about"; }

check_run() {
  local form how wanted found text by_bytes=
  text=$(wants note)
  if [ -n "$text" ]; then
    shown >/dev/null
    grep -F "  note " "$scratch/out" | grep -qF -- "$text" || fail "no note says \"$text\"; there is: $(grep -F '  note ' "$scratch/out")"
  fi
  for form in $forms; do
    # shellcheck disable=SC2086
    wanted=$(shown ${settings[$form]})
    if [ -z "$text" ] || [ "$form" != default ]; then
      ! grep -F '  note ' "$scratch/out" || fail "$form: there is a note"
    fi
    grep -qx "status $(wants status | grep . || echo 0)" <<<"$wanted" || fail "$form: $wanted"
    [[ $(<"$scratch/err") == *"$(wants says)"* ]] || fail "$form: no \"$(wants says)\" in: $(cat "$scratch/err")"
    [ "$(tr '\n' ' ' <"$scratch/printed")" = "$(wants prints | sed 's/$/ /' | tr -d '\n')" ] || fail "$form prints: $(cat "$scratch/printed")"
    if [ -n "$(wants shows)" ]; then
      "$syncline" run "${run[0]}" "$file" "${run[@]:1}" --functional --no-progress >"$scratch/out" 2>&1
      [ "$(sed -n 's/.*"memory_signature":"\([0-9a-f]*\)".*/\1/p' "$scratch/out")" = "$(tail -1 <<<"$wanted")" ] ||
        fail "$form: memory is not as the emulator leaves it"
    fi
    if [[ $form == *bytes ]]; then
      by_bytes=${by_bytes:-$wanted}
      [ "$wanted" = "$by_bytes" ] || fail "$form: $wanted, and in another form $by_bytes"
    fi
    for how in "${!other[@]}"; do
      # shellcheck disable=SC2086
      found=$(shown ${settings[$form]} ${other[$how]})
      runs=$((runs + 1))
      [ "$found" = "$wanted" ] || fail "$form, ${other[$how]}:
$(diff <(echo "$wanted") <(echo "$found"))"
    done
  done
}

cd "$(dirname "$file")" || exit 2
file=$(basename "$file")
header=$(sed -n 's,^\(//\|#\) \(forms\|run\|shows\|prints\|status\|says\|note\): ,\2: ,p' "$file")
about=$header
forms=$(wants forms | grep . || echo "$forms")
about=
while read -r line; do
  case $line in
    forms:*) ;;
    run:*)
      [ -z "$about" ] || check_run
      read -ra run <<<"${line#run: }"
      about=$line
      ;;
    *) about+=$'\n'$line ;;
  esac
done <<<"$header"
[ -n "$about" ] || { fail "no run"; exit 1; }
check_run
echo "$file: $runs runs"
exit $bad
