# Sourced by tests of the command line, which have the program in $syncline: failed becomes 1 where an answer is not as expected.
failed=0

# expect STATUS TEXT ARGUMENTS...: exit status, and TEXT somewhere in the output
expect() {
  local want=$1 text=$2 status=0 out
  shift 2
  out=$("$syncline" "$@" 2>&1) || status=$?
  if [ "$status" -ne "$want" ] || ! grep -qF -- "$text" <<<"$out"; then
    echo "syncline $*: status $status, expected $want and \`$text\`"
    echo "$out"
    failed=1
  fi
}
