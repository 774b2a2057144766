#!/usr/bin/env bash
# Configures builds that write and that use a profile, and says what there is not.
set -u
. "$(dirname "$0")/configures.sh"

has_flag() { # FLAG FILE: whether the command that compiles it has the flag
  grep -F '"command"' "$scratch/build/compile_commands.json" | grep -F -- "$2" | grep -qF -- "$1"
}

configures pass "Build files have been written" -DSYNCLINE_PROFILE=write
has_flag -fprofile-generate= models/sm/sm.cpp && ! has_flag -fprofile-generate= isa/exec/warp.cpp || {
  echo "with SYNCLINE_PROFILE=write models are to be counted, and lanes not"
  exit 1
}
configures pass "Build files have been written" -DSYNCLINE_PROFILE=use
has_flag -fprofile-use= models/sm/sm.cpp || {
  echo "with SYNCLINE_PROFILE=use models are to be built by the profile"
  exit 1
}
configures fail "SYNCLINE_PROFILE is \`read\`, expected write or use" -DSYNCLINE_PROFILE=read
if command -v clang++ >/dev/null; then
  compiler=clang++
  configures fail "SYNCLINE_PROFILE=use needs GCC, this is Clang" -DSYNCLINE_PROFILE=use
else
  echo "not tried: another compiler than GCC, there is no clang++"
fi
echo "profiles are written and used by those who ask for it"
