#!/bin/sh
# build_ptx.sh --check must pass on an untouched copy, fail on a changed .ptx, and say why it skips without the compiler.
set -eu
source=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/workloads/common"
cp "$source/workloads/build_ptx.sh" "$copy/workloads/"
cp "$source/workloads/common/cuda_device.h" "$copy/workloads/common/"
cp -r "$source/workloads/saxpy" "$copy/workloads/"

status=0
message=$(CLANG=/nonexistent/clang "$copy/workloads/build_ptx.sh" --check) || status=$?
if [ "$status" != 77 ] || [ "${message#skipped: /nonexistent/clang is not installed}" = "$message" ]; then
  echo "without a compiler: status $status, message: $message"
  exit 1
fi

status=0
"$copy/workloads/build_ptx.sh" --check || status=$?
[ "$status" != 77 ] || exit 77
[ "$status" = 0 ] || { echo "an untouched copy fails with status $status"; exit 1; }

sed -i 's/fma\.rn/fma.rz/' "$copy/workloads/saxpy/saxpy.ptx"
if "$copy/workloads/build_ptx.sh" --check; then
  echo "a changed instruction was not noticed"
  exit 1
fi
