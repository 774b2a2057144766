#!/usr/bin/env bash
# Every number of a platform at the least or at the greatest value that it takes: the run ends well, or the mistake is
# told; there is no crash, no hang, no internal error. A time or a number without a greatest value is tried
# with the greatest of 64 bits.
set -u
export syncline=$1
bound=$2  # least or greatest
[ "$bound" = least ] && bound_word=least || bound_word=most
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# try KEY VALUE
try() {
  local got=0 text policy=coherence.policy=none
  case $1 in  # a key is read where its policy runs
    coherence.rcc.*) policy=coherence.policy=rcc ;;
    coherence.tc.*) policy=coherence.policy=tc_weak ;;
    coherence.mesi.*) policy=coherence.policy=mesi ;;
    determinism.* | z_unit.*) policy=determinism.policy=gpudet ;;
  esac
  text=$(timeout 120 "$syncline" run tiny saxpy --no-progress --set "$policy" --set "$1=$2" 2>&1 >/dev/null) || got=$?
  if [ "$got" -eq 0 ]; then
    echo ran
  elif [ "$got" -eq 2 ]; then
    echo told
  else
    printf '%s=%s: exit status %s: %s\n' "$1" "$2" "$got" "$text"
  fi
}
export -f try

"$syncline" list keys --format markdown | awk -v bound="at $bound_word " '
  BEGIN { FS = " [|] " }
  /^[|] `/ {
    key = $1
    gsub(/[|` ]/, "", key)
    if (match($4, bound "[^,(]*"))
      value = substr($4, RSTART + length(bound), RLENGTH - length(bound))
    else if (bound == "at most " && $4 ~ /^a (whole number|time in cycles)/)
      value = "18446744073709551615" ($4 ~ /cycles/ ? " cycles" : "")
    else
      next
    sub(/[ |]*$/, "", value)
    printf "%s\n%s\n", key, value
  }' >"$scratch/tried"
xargs -d '\n' -n 2 -P "$(nproc)" bash -c 'try "$@"' try <"$scratch/tried" >"$scratch/answers"
grep -v '^ran$\|^told$' "$scratch/answers" | sort
ran=$(grep -c '^ran$' "$scratch/answers")
tried=$(($(wc -l <"$scratch/tried") / 2))
echo "$tried keys at their $bound: $ran ran, $(grep -c '^told$' "$scratch/answers") were told to be mistakes"
# Most values go with the defaults of the other keys, or this tests messages only.
[ "$tried" -gt 130 ] && [ "$ran" -gt $((tried / 2)) ] && ! grep -qv '^ran$\|^told$' "$scratch/answers"
