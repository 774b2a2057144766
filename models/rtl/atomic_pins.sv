// What an atomic unit is asked, and what it answers: payloads, and as bits from the last field on.
package atomic_pins;
  localparam int WORDS = 32;  // of 32 bits, in a line
  localparam int LANES = 32;

  typedef enum logic [3:0] {ADD, MIN, MAX, AND, OR, XOR, EXCHANGE, COMPARE_AND_SWAP, INCREMENT, DECREMENT} operation_t;

  typedef struct packed {
    logic [$clog2(WORDS)-1:0] word;  // the even one of two
    logic [63:0]              operand;
    logic [63:0]              replacement;
  } lane_t;

  typedef struct packed {
    operation_t             operation;
    logic                   is_signed;
    logic                   wide;  // two words a lane
    logic [$clog2(LANES):0] count;
    lane_t [LANES-1:0]      lanes;
    logic [WORDS-1:0][31:0] line;
  } request_t;

  typedef struct packed {
    logic [LANES-1:0][63:0] old;  // what each lane has found
    logic [WORDS-1:0][31:0] line;
  } response_t;
endpackage
