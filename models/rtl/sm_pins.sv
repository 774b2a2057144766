// What a unit between an SM and its L1 speaks: two channels of valid, ready and a payload, as bits from the last field
// on. Addresses are those of lines in device memory.
package sm_pins;
  localparam int LINE = 128;  // bytes of the longest line

  typedef enum logic [7:0] {
    LOAD,
    STORE,
    ATOMIC
  } kind_t;

  // From the SM.
  typedef struct packed {
    kind_t           kind;
    logic [15:0]     warp;
    logic [7:0]      tag;   // to be named in what is said of it
    logic [63:0]     line;
    logic [LINE-1:0] mask;
  } request_t;

  // To the L1: the request goes on; or, before that, a hint to fetch `line`, which is for the request.
  typedef struct packed {
    logic        hint;
    logic [7:0]  tag;
    logic [63:0] line;  // of a hint
  } response_t;
endpackage
