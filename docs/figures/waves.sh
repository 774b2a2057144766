#!/usr/bin/env bash
# Draws the pictures of docs/how-to-waves.md in GTKWave, without a screen: docs/figures/waves.sh SYNCLINE [FOLDER]
# Needs gtkwave and xvfb.
set -eu
syncline=$(realpath "$1")
folder=$(realpath "${2:-$(dirname "$0")}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >grab.tcl <<'END'
gtkwave::/View/Show_Filled_High_Values
gtkwave::/File/Grab_To_File [file normalize grabbed.png]
flush stdout
exit
END

# picture NAME HEIGHT ARGUMENTS...: of the view of a run
picture() {
  local name=$1 height=$2
  shift 2
  "$syncline" run "$@" --no-progress --wave waves.fst --wave-view waves.gtkw >/dev/null
  sed -i "s/^\[size\].*/[size] 1500 $height/" waves.gtkw
  HOME=$scratch xvfb-run -a -s '-screen 0 1600x1100x24' gtkwave -S grab.tcl waves.fst waves.gtkw >gtkwave.log 2>&1 || true
  mv grabbed.png "$folder/waves_$name.png" || { cat gtkwave.log; exit 1; }
}

picture pipeline 780 tiny matmul --wave-groups sm,warps --wave-blocks 'gpu.sm0.*_warps,gpu.sm0.issued,gpu.sm0.warp0[0-3]*'
picture line 400 tiny hash_table --set coherence.policy=mesi --wave-groups lines --watch-line 0x10009b00
