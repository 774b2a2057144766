#!/usr/bin/env bash
# Each module in SystemVerilog passes Verilator's lint with all warnings: lint.sh ROOT
set -u
cd "$1" || exit 2
failed=0
# lint MODULE FILE...
lint() {
  verilator --lint-only -Wall --assert --top "$1" "${@:2}" || failed=1
}
lint atomic_unit models/rtl/{atomic_pins,atomic_unit}.sv
lint stall_buffer models/rtl/{stall_pins,stall_buffer}.sv
lint z_unit models/rtl/{partition_pins,line_bits,z_unit}.sv
lint serial_adder models/rtl/atomic_pins.sv sc_main/examples/own_rtl/serial_adder.sv
lint next_line models/rtl/sm_pins.sv sc_main/examples/own_rtl/next_line.sv
[ "$(git ls-files '*.sv' | wc -l)" -eq 10 ] || { echo "other modules than these:"; git ls-files '*.sv'; failed=1; }
exit "$failed"
