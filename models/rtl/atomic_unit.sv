// Read-modify-write of the lanes of a request on the words of a line: what stands behind an L2 slice.
//
// Lanes are performed in their order for each word, up to `line_rate` of them a cycle, the oldest first; of one word
// one a cycle. The response follows `latency - 3` cycles behind the last lane's: with a cycle in which the request comes,
// and one in which the response leaves, that makes `latency` between two blocks with registers.
module atomic_unit
  import atomic_pins::*;
#(
    parameter int FLIGHT = 16  // requests between the last lane and the response
) (
    input  logic       clk,
    input  logic       reset,
    // Constant from reset on.
    input  logic [7:0] latency,    // 3 to FLIGHT + 2
    input  logic [7:0] line_rate,  // 1 to LANES
    input  logic       request_valid,
    output logic       request_ready,
    input  request_t   request,
    output logic       response_valid,
    input  logic       response_ready,
    output response_t  response,
    output logic       busy
);
  localparam int PLACE = $clog2(FLIGHT);

  // The request at the lanes.
  logic             working  /*verilator public_flat_rd*/;
  logic [LANES-1:0] done     /*verilator public_flat_rd*/;
  operation_t       operation;
  logic             is_signed, wide;
  lane_t [LANES-1:0]      lanes;
  logic [WORDS-1:0][31:0] line;
  logic [LANES-1:0][63:0] old;

  // Requests behind them, a ring.
  response_t            flight  [FLIGHT];
  logic     [7:0]       waiting [FLIGHT];
  logic     [PLACE-1:0] first, free;
  logic     [PLACE:0]   flying   /*verilator public_flat_rd*/;

  logic [WORDS-1:0][31:0] next_line;
  logic [LANES-1:0]       next_done;
  logic [LANES-1:0][63:0] next_old;
  logic [WORDS-1:0]       claimed;
  logic [7:0]             taken;
  logic                   proceeds, ends;

  // A word of 32 bits with its sign, so that both widths compare alike.
  function automatic logic [63:0] extended(logic [63:0] value);
    return wide ? value : {{32{is_signed & value[31]}}, value[31:0]};
  endfunction

  function automatic logic [63:0] becomes(logic [63:0] a, logic [63:0] b, logic [63:0] replacement);
    logic below;
    below = is_signed ? $signed(b) < $signed(a) : b < a;
    case (operation)
      ADD:              return a + b;
      MIN:              return below ? b : a;
      MAX:              return below ? a : b;
      AND:              return a & b;
      OR:               return a | b;
      XOR:              return a ^ b;
      EXCHANGE:         return b;
      COMPARE_AND_SWAP: return a == b ? replacement : a;
      INCREMENT:        return a >= b ? 64'd0 : a + 64'd1;
      DECREMENT:        return a == 64'd0 || a > b ? b : a - 64'd1;
      default:          return a;
    endcase
  endfunction

  always_comb begin
    next_line = line;
    next_done = done;
    next_old  = old;
    claimed   = '0;
    taken     = '0;
    for (int i = 0; i < LANES; i++) begin
      automatic logic [WORDS-1:0] span = WORDS'(wide ? 3 : 1) << lanes[i].word;
      automatic logic [$clog2(WORDS)-1:0] low = lanes[i].word;
      automatic logic [$clog2(WORDS)-1:0] high = {low[$clog2(WORDS)-1:1], 1'b1};
      automatic logic [63:0] was = {wide ? next_line[high] : 32'd0, next_line[low]};
      automatic logic [63:0] is = becomes(extended(was), extended(lanes[i].operand), lanes[i].replacement);
      if (!done[i]) begin
        if ((claimed & span) == '0 && taken < line_rate) begin
          next_done[i]   = 1'b1;
          next_old[i]    = was;
          next_line[low] = is[31:0];
          if (wide) next_line[high] = is[63:32];
          taken = taken + 8'd1;
        end
        claimed = claimed | span;
      end
    end
  end

  assign proceeds      = working && flying != (PLACE + 1)'(FLIGHT);
  assign ends          = proceeds && (&next_done);
  assign request_ready = !working || ends;

  assign response_valid = flying != '0 && waiting[first] == '0;
  assign response       = flight[first];
  assign busy           = working || flying != '0;

  always_ff @(posedge clk) begin
    if (reset) begin
      working <= 1'b0;
      first   <= '0;
      free    <= '0;
      flying  <= '0;
    end else begin
      if (proceeds) begin
        line <= next_line;
        done      <= next_done;
        old       <= next_old;
      end
      for (int i = 0; i < FLIGHT; i++) if (waiting[i] != '0) waiting[i] <= waiting[i] - 8'd1;
      if (ends) begin
        working       <= 1'b0;
        flight[free]  <= '{old: next_old, line: next_line};
        waiting[free] <= latency - 8'd3;
        free          <= free + 1'b1;
      end
      if (request_valid && request_ready) begin
        working <= 1'b1;
        operation <= request.operation;
        is_signed <= request.is_signed;
        wide      <= request.wide;
        lanes     <= request.lanes;
        line      <= request.line;
        old     <= '0;
        for (int i = 0; i < LANES; i++) done[i] <= 32'(request.count) <= i;
      end
      if (response_valid && response_ready) first <= first + 1'b1;
      flying <= flying + (PLACE + 1)'(ends) - (PLACE + 1)'(response_valid && response_ready);
    end
  end

  // The wires.
  asks_until_taken :
  assert property (@(posedge clk) disable iff (reset) request_valid && !request_ready |=> request_valid && $stable(request));
  answers_until_taken :
  assert property (@(posedge clk) disable iff (reset) response_valid && !response_ready |=> response_valid && $stable(response));
  known_operation :
  assert property (@(posedge clk) disable iff (reset) request_valid |-> request.operation <= DECREMENT);
  some_lanes :
  assert property (@(posedge clk) disable iff (reset) request_valid |-> request.count != '0 && 32'(request.count) <= LANES);
  even_word :
  assert property (@(posedge clk) disable iff (reset) request_valid && request.wide |-> !request.lanes[0].word[0]);
  // Inside.
  moves_on :
  assert property (@(posedge clk) disable iff (reset) proceeds |-> taken != '0);
  latency_fits :
  assert property (@(posedge clk) disable iff (reset) request_valid |-> latency >= 8'd3 && line_rate != '0);
endmodule
