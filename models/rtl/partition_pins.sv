// What a unit between the network and an L2 speaks: four channels of valid, ready and a payload, as bits from the last
// field on. Addresses are of lines, within the partition.
package partition_pins;
  localparam int LINE = 128;  // bytes of the longest line

  // From the SMs, of the family of messages that the unit claims.
  typedef struct packed {
    logic [7:0]        kind;  // of the family
    logic [7:0]        tag;   // to be named in what is said of it
    logic [319:0]      body;  // as the family has it in memory
    logic [63:0]       address;
    logic [LINE-1:0]   mask;
    logic [LINE*8-1:0] data;
  } request_t;

  // To the L2.
  typedef enum logic [1:0] {
    LOAD,
    STORE,
    PASS_ON  // the request `tag` becomes this store, and is not answered by the unit
  } ask_kind_t;
  typedef struct packed {
    ask_kind_t         kind;
    logic [7:0]        tag;  // of the request that it is for
    logic [23:0]       id;   // comes back with what the L2 says
    logic [63:0]       address;
    logic [LINE-1:0]   mask;
    logic [LINE*8-1:0] data;
  } ask_t;

  // From the L2: a line that was read, or that a store is performed.
  typedef struct packed {
    logic [23:0]       id;
    logic [LINE*8-1:0] data;
  } told_t;

  // To the SM. With `performed` the coherence policy's acknowledgement of a store, and nothing else counts; without, a
  // message of the family.
  typedef struct packed {
    logic              performed;
    logic [7:0]        kind;
    logic [7:0]        tag;
    logic [319:0]      body;
    logic [LINE*8-1:0] data;
  } answer_t;
endpackage
