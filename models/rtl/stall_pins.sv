// The commands of a stall buffer and its answers (models/transactions/getm/stall_work.h), as bits from the last field on.
package stall_pins;
  typedef enum logic [1:0] {PARK, CHANGED, RELEASE, TAKE} command_t;

  typedef struct packed {
    logic [31:0] label;
    logic [15:0] count;
    logic [63:0] at;
    logic [31:0] who;
    logic        is_store;
    logic [63:0] granule;
  } access_t;

  // What is known of a granule.
  typedef struct packed {
    logic        reserved;
    logic [31:0] owner;
    logic [63:0] rts;
    logic [63:0] wts;
    logic [63:0] granule;
  } metadata_t;

  typedef struct packed {
    metadata_t metadata;
    access_t   access;
    command_t  command;
  } request_t;

  typedef struct packed {
    access_t     access;
    logic [15:0] waiting;    // for the granule of a request that was to be parked
    logic [15:0] addresses;  // granules for which requests wait
    logic        may_one_go;
    logic        taken;
  } response_t;
endpackage
