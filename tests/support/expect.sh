# Sourced by tests of the command line, which have the program in $syncline: `failed` becomes 1 where an answer is not as
# expected.
failed=0

# What is below the folder $watched, as far as one can tell without reading it.
state_of_watched() {
  find "$watched" ! -type d -printf '%P %y %m %n %s %T@ %l\n' -o -printf '%P %y %m\n' | LC_ALL=C sort
}

# expect STATUS TEXT ARGUMENTS...: exit status, and TEXT somewhere in the output; of a call that could not end well (2 and
# above) on standard error, unless told=anywhere. Such a call leaves what is below the folder $watched as it was, where the script has set one.
# In front of it, output=FILE: where standard output goes; path=FOLDERS: where programs are looked for; under="COMMAND
# WORDS": what the program is started by.
expect() {
  local status=$1 text=$2 got=0 where before=
  shift 2
  where=$(mktemp -d)
  [ -n "${watched:-}" ] && before=$(state_of_watched)
  timeout 120 ${path:+env PATH="$path"} ${under:-} "$syncline" "$@" >"${output:-$where/out}" 2>"$where/err" || got=$?
  [ "$got" -ge 2 ] && [ "${told:-}" != anywhere ] || cat "${output:-$where/out}" >>"$where/err"
  if [ "$got" -ne "$status" ] || ! grep -qF -- "$text" "$where/err"; then
    printf 'syncline %s\n  exit status %s, expected %s; expected to read: %s\n' "$*" "$got" "$status" "$text"
    sed 's/^/  | /' "$where/err" | cut -c 1-400 | head -n 8
    failed=1
  fi
  if [ "$got" -ge 2 ] && [ -n "${watched:-}" ] && [ "$before" != "$(state_of_watched)" ]; then
    printf 'syncline %s\n  fails, and leaves something behind:\n' "$*"
    diff <(echo "$before") <(state_of_watched) | sed 's/^/  | /'
    failed=1
  fi
  rm -rf "$where"
}
