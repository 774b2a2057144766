// Adds the lanes of a request to the words of its line, one lane a cycle.
module serial_adder
  import atomic_pins::*;
(
    input  logic      clk,
    input  logic      reset,
    input  logic      request_valid,
    output logic      request_ready,
    /* verilator lint_off UNUSEDSIGNAL */  // sums have no sign
    input  request_t  request,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic      response_valid,
    input  logic      response_ready,
    output response_t response,
    output logic      busy
);
  logic                     working;
  lane_t [LANES-1:0]        lanes;
  logic [WORDS-1:0][31:0]   line;
  logic [LANES-1:0][63:0]   old;
  logic [$clog2(LANES):0]   count, done;
  logic [$clog2(LANES)-1:0] lane;
  logic [$clog2(WORDS)-1:0] word;

  assign lane           = done[$clog2(LANES)-1:0];
  assign word           = lanes[lane].word;
  assign request_ready  = !working;
  assign response_valid = working && done == count;
  assign response       = '{old: old, line: line};
  assign busy           = working;

  always_ff @(posedge clk) begin
    if (reset) begin
      working <= 1'b0;
    end else if (!working) begin
      working <= request_valid;
      lanes   <= request.lanes;
      line    <= request.line;
      count   <= request.count;
      done    <= '0;
    end else if (!response_valid) begin
      old[lane]  <= {32'd0, line[word]};
      line[word] <= line[word] + lanes[lane].operand[31:0];
      done       <= done + 1'b1;
    end else if (response_ready) begin
      working <= 1'b0;
    end
  end

  adds_words :
  assert property (@(posedge clk) disable iff (reset) request_valid |-> request.operation == ADD && !request.wide);
endmodule
