// Read-modify-write of 32-bit lanes on the words of a line: one lane a cycle, its old value a cycle later.
module atomic_lanes #(
    parameter int WORDS = 32
) (
    input  logic                     clk,
    input  logic                     reset,
    // The line comes before its lanes and leaves behind them.
    input  logic                     load,
    input  logic [WORDS*32-1:0]      line_in,
    output logic [WORDS*32-1:0]      line_out,
    // A lane.
    input  logic                     lane_valid,
    output logic                     lane_ready,
    input  logic [2:0]               operation,
    input  logic [$clog2(WORDS)-1:0] word,
    input  logic [31:0]              operand,
    input  logic [31:0]              replacement,
    // What it has found.
    output logic                     old_valid,
    input  logic                     old_ready,
    output logic [31:0]              old
);
  typedef enum logic [2:0] {
    ADD,
    MIN_UNSIGNED,
    MAX_UNSIGNED,
    MIN_SIGNED,
    MAX_SIGNED,
    EXCHANGE,
    COMPARE_AND_SWAP
  } operation_t;

  logic [WORDS-1:0][31:0] line;
  logic [31:0] was, becomes;

  assign line_out   = line;
  assign lane_ready = !old_valid || old_ready;
  assign was        = line[word];

  always_comb begin
    becomes = was;
    case (operation)
      ADD:              becomes = was + operand;
      MIN_UNSIGNED:     becomes = operand < was ? operand : was;
      MAX_UNSIGNED:     becomes = operand > was ? operand : was;
      MIN_SIGNED:       becomes = $signed(operand) < $signed(was) ? operand : was;
      MAX_SIGNED:       becomes = $signed(operand) > $signed(was) ? operand : was;
      EXCHANGE:         becomes = operand;
      COMPARE_AND_SWAP: becomes = was == operand ? replacement : was;
      default:          becomes = was;
    endcase
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      old_valid <= 1'b0;
    end else begin
      if (load) line <= line_in;
      if (lane_valid && lane_ready) begin
        line[word] <= becomes;
        old        <= was;
        old_valid  <= 1'b1;
      end else if (old_ready) begin
        old_valid <= 1'b0;
      end
    end
  end
endmodule
