// A prefetcher between an SM and its L1: before a load goes on, the next line is asked for, if it is in the same 4 KiB.
module next_line
  import sm_pins::*;
(
    input  logic      clk,
    input  logic      reset,
    input  logic      request_valid,
    output logic      request_ready,
    /* verilator lint_off UNUSEDSIGNAL */  // neither the warp nor the bytes matter
    input  request_t  request,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic      response_valid,
    input  logic      response_ready,
    output response_t response,
    output logic      busy
);
  logic        working, hints;
  logic [7:0]  tag;
  logic [63:0] line;

  assign request_ready  = !working;
  assign response_valid = working;
  assign response       = '{hint: hints, tag: tag, line: line + 64'd128};
  assign busy           = working;

  always_ff @(posedge clk) begin
    if (reset) begin
      working <= 1'b0;
    end else if (!working) begin
      working <= request_valid;
      hints   <= request.kind == LOAD && request.line[11:7] != '1;
      tag     <= request.tag;
      line    <= request.line;
    end else if (response_ready) begin
      hints   <= 1'b0;
      working <= hints;
    end
  end

  keeps_what_it_gives :
  assert property (@(posedge clk) disable iff (reset) response_valid && !response_ready |=> $stable(response));
endmodule
