// GETM's stall buffer (Ren's thesis, 4.5.2, figure 4.9): a few lines, each of a granule with the metadata that was last
// told of it and a few requests that wait for it. A command is answered in the cycle in which it comes.
module stall_buffer
  import stall_pins::*;
#(
    parameter int LINES    = 16,
    parameter int REQUESTS = 4   // of a line
) (
    input  logic      clk,
    input  logic      reset,
    // How much of it there is: constant from reset on.
    input  logic [15:0] stall_addresses,  // at most LINES
    input  logic [15:0] stall_requests,   // at most REQUESTS
    input  logic      request_valid,
    output logic      request_ready,
    input  request_t  request,
    output logic      response_valid,
    input  logic      response_ready,
    output response_t response,
    output logic      busy
);
  localparam int LINE = $clog2(LINES), PLACE = $clog2(REQUESTS);

  // The metadata table. A line is in use when some request waits in it.
  metadata_t [LINES-1:0] metadata;
  logic [LINES-1:0][31:0] opened;  // by which command

  access_t [LINES-1:0][REQUESTS-1:0] access;
  logic [LINES-1:0][REQUESTS-1:0] valid    /*verilator public_flat_rd*/;
  logic [LINES-1:0][REQUESTS-1:0] judged;    // the metadata was told since it waits
  logic [LINES-1:0][REQUESTS-1:0] released;  // it may go whatever the metadata says
  logic [LINES-1:0][REQUESTS-1:0][31:0] arrived;
  logic [31:0] now;  // number of the command; ages are compared by their distance from it

  logic [LINES-1:0] used, holds;
  logic [LINES-1:0][REQUESTS-1:0] may_go  /*verilator public_flat_rd*/;
  logic [15:0] lines  /*verilator public_flat_rd*/;
  logic performs;

  /* verilator lint_off UNUSEDSIGNAL */  // of both only what decides
  function automatic logic lets_go(access_t a, metadata_t m);
    logic too_early;
    too_early = m.wts > a.at || (a.is_store && m.rts > a.at);
    return !m.reserved || m.owner == a.who || too_early;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    lines = '0;
    for (int l = 0; l < LINES; l++) begin
      used[l] = |valid[l];
      lines = lines + 16'(used[l]);
      holds[l] = used[l] && metadata[l].granule == (request.command == PARK ? request.access.granule : request.metadata.granule);
      for (int r = 0; r < REQUESTS; r++)
        may_go[l][r] = valid[l][r] && (released[l][r] || (judged[l][r] && lets_go(access[l][r], metadata[l])));
    end
  end

  // Where a request is parked: in the line of its granule, or in the first free one.
  logic [LINE-1:0]  park_line;
  logic [PLACE-1:0] park_place;
  logic [15:0]      waiting;
  logic             known, room;
  always_comb begin
    park_line  = '0;
    park_place = '0;
    waiting    = '0;
    known      = |holds;
    for (int l = LINES - 1; l >= 0; l--) if (known ? holds[l] : !used[l]) park_line = LINE'(l);
    for (int r = REQUESTS - 1; r >= 0; r--) begin
      if (!valid[park_line][r]) park_place = PLACE'(r);
      waiting = waiting + 16'(valid[park_line][r]);
    end
    room = waiting < stall_requests && (known || lines < stall_addresses);
  end

  // Who goes: the earliest, of these whose line was opened first, of these who came first.
  logic [LINE-1:0]  go_line;
  logic [PLACE-1:0] go_place;
  logic             goes, better;
  always_comb begin
    go_line  = '0;
    go_place = '0;
    goes     = 1'b0;
    for (int l = 0; l < LINES; l++) begin
      for (int r = 0; r < REQUESTS; r++) begin
        better = !goes || access[l][r].at < access[go_line][go_place].at;
        if (goes && access[l][r].at == access[go_line][go_place].at) begin
          better = now - opened[l] > now - opened[go_line];
          if (go_line == LINE'(l)) better = now - arrived[l][r] > now - arrived[go_line][go_place];
        end
        if (may_go[l][r] && better) begin
          goes     = 1'b1;
          go_line  = LINE'(l);
          go_place = PLACE'(r);
        end
      end
    end
  end

  // What stands behind the command.
  logic [LINES-1:0][REQUESTS-1:0] next_valid, next_judged, next_released, next_may_go;
  metadata_t [LINES-1:0] next_metadata;
  always_comb begin
    next_valid    = valid;
    next_judged   = judged;
    next_released = released;
    next_metadata = metadata;
    case (request.command)
      PARK:
      if (room) begin
        next_valid[park_line][park_place]    = 1'b1;
        next_judged[park_line][park_place]   = 1'b0;
        next_released[park_line][park_place] = 1'b0;
        if (!known) next_metadata[park_line].granule = request.access.granule;
      end
      CHANGED:
      for (int l = 0; l < LINES; l++) begin
        if (holds[l]) begin
          next_metadata[l] = request.metadata;
          next_judged[l]   = '1;
          next_released[l] = '0;
        end
      end
      RELEASE: next_released = '1;
      TAKE:    if (goes) next_valid[go_line][go_place] = 1'b0;
    endcase
    response.addresses  = '0;
    response.may_one_go = 1'b0;
    for (int l = 0; l < LINES; l++) begin
      response.addresses = response.addresses + 16'(|next_valid[l]);
      for (int r = 0; r < REQUESTS; r++) begin
        next_may_go[l][r] = next_valid[l][r] &&
            (next_released[l][r] || (next_judged[l][r] && lets_go(access[l][r], next_metadata[l])));
        response.may_one_go = response.may_one_go | next_may_go[l][r];
      end
    end
    response.access  = access[go_line][go_place];
    response.taken   = request.command == PARK ? room : request.command == TAKE && goes;
    response.waiting = request.command == PARK ? (known || room ? waiting + 16'(room) : '0) : '0;
  end

  assign request_ready  = response_ready;
  assign response_valid = request_valid;
  assign performs       = request_valid && response_ready;
  assign busy           = 1'b0;  // it waits for commands alone

  always_ff @(posedge clk) begin
    if (reset) begin
      valid <= '0;
      now   <= '0;
    end else if (performs) begin
      now      <= now + 32'd1;
      valid    <= next_valid;
      judged   <= next_judged;
      released <= next_released;
      metadata <= next_metadata;
      if (request.command == PARK && room) begin
        access[park_line][park_place]  <= request.access;
        arrived[park_line][park_place] <= now;
        if (!known) opened[park_line] <= now;
      end
    end
  end

  asks_until_taken :
  assert property (@(posedge clk) disable iff (reset) request_valid && !request_ready |=> request_valid && $stable(request));
  one_line_a_granule :
  assert property (@(posedge clk) disable iff (reset) request_valid |-> $onehot0(holds));
  no_more_lines_than_there_are :
  assert property (@(posedge clk) disable iff (reset) lines <= stall_addresses);
  in_a_free_place :
  assert property (@(posedge clk) disable iff (reset) performs && request.command == PARK && room |-> !valid[park_line][park_place]);
  fits :
  assert property (@(posedge clk) disable iff (reset)
    request_valid |-> 32'(stall_addresses) <= LINES && 32'(stall_requests) <= REQUESTS);
endmodule
