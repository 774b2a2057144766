// GTKWave's writer and reader of FST, from the folder where Verilator keeps them: one unit, as in Verilator's own
// library.
#define FST_CONFIG_INCLUDE "fst_config.h"
// clang-format off
#include "fastlz.c"
#include "fstapi.c"
#include "lz4.c"
// clang-format on
