// The Z-unit of a memory partition (Jooybar, thesis, 4.4): orders writes by a depth, whatever the order of their arrival.
//
// The contract is that of models/z_unit/z_unit.h. A cycle schedules the oldest request that is ready, compares the
// depths of another one, and gives one message to the L2 and one answer.
module z_unit
  import partition_pins::*;
#(
    parameter int REQUESTS = 16,
    parameter int SETS     = 32,
    parameter int WAYS     = 4
) (
    input  logic        clk,
    input  logic        reset,
    // How much of it there is, and where: constant from reset on.
    input  logic [7:0]  requests,     // at most REQUESTS
    input  logic [7:0]  comparators,  // at most REQUESTS
    input  logic [15:0] sets,         // a power of two, at most SETS
    input  logic [7:0]  ways,         // at most WAYS
    input  logic [2:0]  line_log,     // log2 of the bytes of a line
    input  logic [1:0]  granule_log,  // log2 of the bytes that share a depth
    input  logic [63:0] memory_base,  // of the depths in the partition
    input  logic        request_valid,
    output logic        request_ready,
    input  request_t    request,
    output logic        ask_valid,
    input  logic        ask_ready,
    output ask_t        ask,
    input  logic        told_valid,
    output logic        told_ready,
    input  told_t       told,
    output logic        answer_valid,
    input  logic        answer_ready,
    output answer_t     answer,
    output logic        busy
);
  localparam int DEPTHS = LINE / 4;
  localparam int ENTRY = $clog2(REQUESTS), SET = $clog2(SETS), WAY = $clog2(WAYS);
  localparam int OUT = 4;  // messages for the L2

  typedef enum logic [1:0] {FREE, READY, BLOCKED, ACTIVE} status_t;
  typedef enum logic [1:0] {DEPTHS_READ, COLOUR, WRITE_BACK} purpose_t;
  typedef struct packed {
    logic              clears;
    logic [7:0]        tag;
    logic [31:0]       depth;
    logic [63:0]       address;
    logic [LINE-1:0]   mask;
    logic [LINE*8-1:0] data;
  } write_t;
  typedef struct packed {
    logic            valid;
    logic            locked;
    logic            dirty;
    logic [63:0]     number;  // of the line of depths in the partition
    logic [31:0]     used;    // when last
  } block_t;

  // The request buffer. Ages are compared by their distance from `now`.
  status_t [REQUESTS-1:0]       status   /*verilator public_flat_rd*/;
  write_t                       write [REQUESTS];
  logic    [REQUESTS-1:0][3:0]  parts;       // lines of depths that are not compared yet
  logic    [REQUESTS-1:0][3:0]  acks;        // stores of which the L2 has not said that they are performed
  logic    [REQUESTS-1:0][31:0] accepted;
  logic    [REQUESTS-1:0][63:0] waits_for;   // blocked: for this line of depths, or
  logic    [REQUESTS-1:0]       waits_for_way;  // for a block of its set
  // Its comparison.
  logic    [REQUESTS-1:0]          comparing  /*verilator public_flat_rd*/;
  logic    [REQUESTS-1:0]          fetched;
  logic    [REQUESTS-1:0][1:0]     part;
  logic    [REQUESTS-1:0][63:0]    number;
  logic    [REQUESTS-1:0][WAY-1:0] way;
  logic    [REQUESTS-1:0][31:0]    begun;
  logic    [31:0]                  now;

  // The Z-cache.
  block_t            blocks [SETS][WAYS];
  logic [LINE*8-1:0] depths [SETS*WAYS];

  ask_t               out [OUT];
  logic [1:0]         out_first;
  logic [2:0]         out_count  /*verilator public_flat_rd*/;
  logic [15:0]        write_backs;
  logic               answering;
  logic [ENTRY-1:0]   answered;

  function automatic logic [63:0] line_of_depths(logic [63:0] address, logic [1:0] which);
    return ((memory_base + (address << (2'd2 - granule_log))) >> line_log) + 64'(which);
  endfunction
  function automatic logic [SET-1:0] set_of(logic [63:0] line);
    return SET'(line & (64'(sets) - 64'd1));
  endfunction

  // Bytes of data whose depths are one line.
  logic [7:0] bytes_of_part;
  logic [3:0] granule_bits;
  assign bytes_of_part = (8'd1 << line_log) >> (2'd2 - granule_log);
  assign granule_bits  = granule_log == 2'd0 ? 4'h1 : granule_log == 2'd1 ? 4'h3 : 4'hf;

  // Acceptance.
  logic [7:0]       used_requests;
  logic [ENTRY-1:0] free;
  logic [3:0]       touched;
  always_comb begin
    used_requests = '0;
    free          = '0;
    for (int i = REQUESTS - 1; i >= 0; i--) begin
      if (status[i] == FREE) free = ENTRY'(i);
      else used_requests = used_requests + 8'd1;
    end
    touched = '0;
    for (int i = 0; i < LINE; i++) begin
      for (int p = 0; p < 4; p++)
        if (request.mask[i] && 32'(i) >= p * 32'(bytes_of_part) && 32'(i) < (p + 1) * 32'(bytes_of_part)) touched[p] = 1'b1;
    end
  end
  assign request_ready = used_requests < requests;

  // Scheduling: the oldest request that is ready; nothing overtakes a clear, which waits until it is alone.
  logic             schedules, behind, blocked, probes, hit, hit_locked, has_way, older;
  logic [ENTRY-1:0] next;
  logic [1:0]       next_part;
  logic [63:0]      next_number;
  logic [SET-1:0]   next_set;
  logic [WAY-1:0]   hit_way, victim;
  logic [7:0]       comparisons;
  logic             victim_dirty;
  logic [63:0]      victim_number;
  logic             unwritten, clears;
  always_comb begin
    schedules   = 1'b0;
    next        = '0;
    comparisons = '0;
    for (int i = 0; i < REQUESTS; i++) begin
      comparisons = comparisons + 8'(comparing[i]);
      older = 1'b0;  // somebody is, that keeps it
      for (int j = 0; j < REQUESTS; j++)
        if (status[j] != FREE && now - accepted[j] > now - accepted[i] && (write[i].clears || write[j].clears)) older = 1'b1;
      if (status[i] == READY && !older && (!schedules || now - accepted[i] > now - accepted[next])) begin
        schedules = 1'b1;
        next      = ENTRY'(i);
      end
    end
    if (comparisons >= comparators || out_count > 3'(OUT - 3)) schedules = 1'b0;

    next_part = '0;
    for (int p = 3; p >= 0; p--) if (parts[next][p]) next_part = 2'(p);
    next_number = line_of_depths(write[next].address, next_part);
    next_set    = set_of(next_number);
    behind      = 1'b0;
    for (int j = 0; j < REQUESTS; j++)
      if (status[j] != FREE && now - accepted[j] > now - accepted[next] && write[j].address == write[next].address &&
          parts[j][next_part])
        behind = 1'b1;

    hit     = 1'b0;
    hit_way = '0;
    has_way = 1'b0;
    victim  = '0;
    for (int w = 0; w < WAYS; w++) begin
      if (8'(w) < ways) begin
        if (blocks[next_set][w].valid && blocks[next_set][w].number == next_number) begin
          hit     = 1'b1;
          hit_way = WAY'(w);
        end
        if (!blocks[next_set][w].locked) begin
          if (!has_way || (blocks[next_set][victim].valid &&
                           (!blocks[next_set][w].valid || now - blocks[next_set][w].used > now - blocks[next_set][victim].used)))
            victim = WAY'(w);
          has_way = 1'b1;
        end
      end
    end
    victim_dirty  = blocks[next_set][victim].valid && blocks[next_set][victim].dirty;
    victim_number = blocks[next_set][victim].number;
    hit_locked   = hit && blocks[next_set][hit_way].locked;
    clears       = schedules && write[next].clears;
    probes       = schedules && !clears;
    blocked      = probes && (hit_locked || behind || (!hit && !has_way));
  end

  // Lines of depths that were written to the L2 since the last clear: others are not read, for they are the farthest.
  logic is_written;
  line_bits written (
      .clk(clk),
      .clear(reset || clears),
      .set(evicts),
      .set_line(victim_number),
      .line(next_number),
      .is_set(is_written)
  );
  assign unwritten = !is_written;

  // Comparison: of those whose depths are there the one that was begun first.
  logic              compares, finishes;
  logic [ENTRY-1:0]  compared;
  logic [SET-1:0]    compared_set;
  logic [LINE*8-1:0] next_depths;
  logic [LINE-1:0]   won;
  logic [3:0]        left;
  logic              is_locked;
  always_comb begin
    compares = 1'b0;
    compared = '0;
    for (int i = 0; i < REQUESTS; i++) begin
      if (comparing[i] && fetched[i] && (!compares || now - begun[i] > now - begun[compared])) begin
        compares = 1'b1;
        compared = ENTRY'(i);
      end
    end
    if (out_count == 3'(OUT)) compares = 1'b0;
    compared_set = set_of(number[compared]);
    next_depths  = depths[{compared_set, way[compared]}];
    is_locked    = blocks[compared_set][way[compared]].locked;
    won          = '0;
    for (int n = 0; n < DEPTHS; n++) begin
      automatic logic [7:0] at = 8'(part[compared]) * bytes_of_part + (8'(n) << granule_log);
      automatic logic [LINE-1:0] granule = LINE'(granule_bits) << at;
      if (32'(n) * 4 < (1 << line_log) && (write[compared].mask & granule) != '0 && write[compared].depth <= next_depths[n*32+:32]) begin
        won                    = won | (write[compared].mask & granule);
        next_depths[n*32+:32] = write[compared].depth;
      end
    end
    left     = parts[compared] & ~(4'd1 << part[compared]);
    finishes = compares && left == '0 && acks[compared] == '0 && won != '0;  // the request itself goes on to the L2
  end

  // What goes to the L2: a block that leaves the cache, depths to be read, bytes that have won.
  logic evicts, reads, stores;
  assign evicts = probes && !blocked && !hit && victim_dirty;
  assign reads  = probes && !blocked && !hit && !unwritten;
  assign stores = compares && won != '0;

  logic [ENTRY-1:0] told_entry;
  purpose_t         told_purpose;
  logic             acknowledges;
  assign told_ready   = 1'b1;
  assign told_entry   = ENTRY'(told.id >> 2);
  assign told_purpose = purpose_t'(told.id[1:0]);
  assign acknowledges = told_valid && told_purpose == COLOUR;

  assign ask_valid = out_count != '0;
  assign ask       = out[out_first];

  // Answers: the oldest of those that are done; it stays the one until it is taken.
  logic             done;
  logic [ENTRY-1:0] done_entry;
  always_comb begin
    done       = 1'b0;
    done_entry = '0;
    for (int i = 0; i < REQUESTS; i++) begin
      if (status[i] == ACTIVE && !comparing[i] && parts[i] == '0 && acks[i] == '0 && !(answering && answered == ENTRY'(i)) &&
          (!done || now - accepted[i] > now - accepted[done_entry])) begin
        done       = 1'b1;
        done_entry = ENTRY'(i);
      end
    end
  end
  assign answer_valid = answering;
  assign answer       = '{performed: 1'b1, kind: '0, tag: write[answered].tag, body: '0, data: '0};
  assign busy         = used_requests != '0 || out_count != '0 || write_backs != '0 || answering;

  function automatic logic [LINE-1:0] whole_line();
    return LINE'((129'd1 << (8'd1 << line_log)) - 129'd1);
  endfunction

  always_ff @(posedge clk) begin
    now <= now + 32'd1;
    if (reset) begin
      status      <= '{default: FREE};
      comparing   <= '0;
      now         <= '0;
      out_first   <= '0;
      out_count   <= '0;
      write_backs <= '0;
      answering   <= 1'b0;
      for (int s = 0; s < SETS; s++) for (int w = 0; w < WAYS; w++) blocks[s][w] <= '0;
    end else begin
      automatic logic [1:0] last = out_first + 2'(out_count);

      if (request_valid && request_ready) begin
        write[free] <= '{
            clears: request.kind == 8'd1,
            tag: request.tag,
            depth: request.body[31:0],
            address: request.address,
            mask: request.mask,
            data: request.data
        };
        status[free]    <= request.kind == 8'd1 || touched != '0 ? READY : ACTIVE;
        parts[free]     <= request.kind == 8'd1 ? 4'd1 : touched;
        acks[free]      <= '0;
        accepted[free]  <= now;
        comparing[free] <= 1'b0;
      end

      if (clears) begin
        // Nothing else is in the unit.
        status[next] <= ACTIVE;
        parts[next]  <= '0;
        for (int s = 0; s < SETS; s++) for (int w = 0; w < WAYS; w++) blocks[s][w] <= '0;
      end
      if (blocked) begin
        status[next]        <= BLOCKED;
        waits_for[next]     <= next_number;
        waits_for_way[next] <= !hit && !behind;
      end
      if (probes && !blocked) begin
        status[next]    <= ACTIVE;
        comparing[next] <= 1'b1;
        fetched[next]   <= hit || unwritten;
        part[next]      <= next_part;
        number[next]    <= next_number;
        way[next]       <= hit ? hit_way : victim;
        begun[next]     <= now;
        blocks[next_set][hit ? hit_way : victim] <= '{
            valid: 1'b1,
            locked: 1'b1,
            dirty: hit && blocks[next_set][hit_way].dirty,
            number: next_number,
            used: now
        };
        if (!hit && unwritten) depths[{next_set, victim}] <= '1;
      end
      if (evicts) begin
        out[last] <= '{
            kind: STORE,
            tag: write[next].tag,
            id: {22'd0, WRITE_BACK},
            address: victim_number << line_log,
            mask: whole_line(),
            data: depths[{next_set, victim}]
        };
        last = last + 2'd1;
      end
      if (reads) begin
        out[last] <= '{
            kind: LOAD,
            tag: write[next].tag,
            id: (24'(next) << 2) | 24'(DEPTHS_READ),
            address: next_number << line_log,
            mask: whole_line(),
            data: '0
        };
        last = last + 2'd1;
      end

      if (compares) begin
        depths[{compared_set, way[compared]}] <= next_depths;
        blocks[compared_set][way[compared]].locked <= 1'b0;
        if (won != '0) blocks[compared_set][way[compared]].dirty <= 1'b1;
        comparing[compared] <= 1'b0;
        parts[compared]     <= left;
        status[compared]    <= finishes ? FREE : left != '0 ? READY : ACTIVE;
        for (int i = 0; i < REQUESTS; i++) begin
          // Who was blocked, and who is just now.
          automatic logic now_blocked = blocked && next == ENTRY'(i);
          automatic logic [63:0] line = now_blocked ? next_number : waits_for[i];
          automatic logic for_way = now_blocked ? !hit && !behind : waits_for_way[i];
          if ((status[i] == BLOCKED || now_blocked) &&
              (for_way ? set_of(line) == compared_set : line == number[compared]))
            status[i] <= READY;
        end
      end
      if (stores) begin
        out[last] <= '{
            kind: finishes ? PASS_ON : STORE,
            tag: write[compared].tag,
            id: (24'(compared) << 2) | 24'(COLOUR),
            address: write[compared].address,
            mask: won,
            data: write[compared].data
        };
      end
      for (int i = 0; i < REQUESTS; i++) begin
        if (status[i] != FREE)
          acks[i] <= acks[i] + 4'(stores && !finishes && compared == ENTRY'(i)) - 4'(acknowledges && told_entry == ENTRY'(i));
      end

      if (told_valid && told_purpose == DEPTHS_READ) begin
        depths[{set_of(number[told_entry]), way[told_entry]}] <= told.data;
        fetched[told_entry] <= 1'b1;
      end
      write_backs <= write_backs + 16'(evicts) - 16'(told_valid && told_purpose == WRITE_BACK);

      if (answering && answer_ready) begin
        answering        <= 1'b0;
        status[answered] <= FREE;
      end
      if (done && (!answering || answer_ready)) begin
        answering <= 1'b1;
        answered  <= done_entry;
      end

      out_first <= out_first + 2'(ask_valid && ask_ready);
      out_count <= out_count + 3'(evicts) + 3'(reads) + 3'(stores) - 3'(ask_valid && ask_ready);
    end
  end

  // The wires.
  asks_until_taken :
  assert property (@(posedge clk) disable iff (reset) request_valid && !request_ready |=> request_valid && $stable(request));
  l2_is_asked_until_it_takes :
  assert property (@(posedge clk) disable iff (reset) ask_valid && !ask_ready |=> ask_valid && $stable(ask));
  answers_until_taken :
  assert property (@(posedge clk) disable iff (reset) answer_valid && !answer_ready |=> answer_valid && $stable(answer));
  // Inside.
  fits :
  assert property (@(posedge clk) disable iff (reset) 32'(requests) <= REQUESTS && 32'(ways) <= WAYS && 32'(sets) <= SETS);
  out_has_room :
  assert property (@(posedge clk) disable iff (reset) out_count <= 3'(OUT));
  locked_while_compared :
  assert property (@(posedge clk) disable iff (reset) compares |-> is_locked);
  told_what_was_asked :
  assert property (@(posedge clk) disable iff (reset)
    told_valid && told_purpose == DEPTHS_READ |-> comparing[told_entry] && !fetched[told_entry]);
  acknowledged_what_was_stored :
  assert property (@(posedge clk) disable iff (reset) acknowledges |-> acks[told_entry] != '0);
  clears_what_nobody_compares :
  assert property (@(posedge clk) disable iff (reset)
    clears |-> comparisons == '0);
endmodule
