// A bit for each line of a partition, all of them cleared at once. This is the model of a RAM for simulation: what is not
// set takes no room, however much memory there is.
module line_bits (
    input  logic        clk,
    input  logic        clear,
    input  logic        set,
    input  logic [63:0] set_line,
    input  logic [63:0] line,
    output logic        is_set
);
  logic bits [logic [63:0]];
  logic changed = 1'b0;  // toggles with the bits, for whoever looks at them

  always_ff @(posedge clk) begin
    /* verilator lint_off BLKSEQ */
    if (clear) bits.delete();
    else if (set) bits[set_line] = 1'b1;
    /* verilator lint_on BLKSEQ */
    if (clear || set) changed <= !changed;
  end
  always_comb is_set = (changed || !changed) && bits.exists(line) != 0;
endmodule
