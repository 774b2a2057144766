#!/bin/sh
# Makes the committed .ptx of every workload from its .cu, with the one compiler that the bytes are pinned to.
#
#   build_ptx.sh                 writes workloads/NAME/NAME.ptx
#   build_ptx.sh NAME...         only these
#   build_ptx.sh --check [NAME...]  compiles to a temporary folder and compares; 1 on a difference, 77 without the compiler
#
# A kernel file may say `// target: sm_70` in its first lines; the default is sm_30 with PTX ISA 3.2.
set -eu
cd "$(dirname "$0")/.."
clang=${CLANG:-clang-14}
pinned="clang version 14.0.6"

check=no
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
if ! command -v "$clang" > /dev/null; then
  echo "skipped: $clang is not installed (Debian package clang-14)"
  exit 77
fi
if ! "$clang" --version | grep -q "$pinned"; then
  echo "skipped: the .ptx files are pinned to $pinned, $clang is $("$clang" --version | head -n 1)"
  exit 77
fi

out=workloads
if [ "$check" = yes ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi

compile() { # NAME
  target=$(sed -n '1,5s|^// target: \(sm_[0-9]*\)$|\1|p' "workloads/$1/$1.cu")
  case ${target:=sm_30} in
    sm_30) isa=ptx32 ;;
    sm_70) isa=ptx60 ;;
    *) echo "workloads/$1/$1.cu: no PTX ISA version is chosen for target $target" >&2; exit 1 ;;
  esac
  mkdir -p "$out/$1"
  # --cuda-path: an installed toolkit must not change the result.
  "$clang" -x cuda --cuda-device-only --cuda-path=/nonexistent --cuda-gpu-arch="$target" -nocudainc -nocudalib \
    -Xclang -target-feature -Xclang +"$isa" -std=c++17 -I. -Wall -Werror -S -O2 \
    "workloads/$1/$1.cu" -o "$out/$1/$1.ptx"
}

names=$*
if [ -z "$names" ]; then
  for file in workloads/*/*.cu; do
    names="$names $(basename "$file" .cu)"
  done
fi
status=0
count=0
for name in $names; do
  compile "$name"
  count=$((count + 1))
  if [ "$check" = yes ] && ! cmp "$out/$name/$name.ptx" "workloads/$name/$name.ptx"; then
    status=1
  fi
done
[ "$check" = no ] || [ "$status" != 0 ] || echo "$count .ptx files equal what $pinned makes"
exit $status
