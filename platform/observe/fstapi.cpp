// GTKWave's writer and reader of FST, from the folder where Verilator keeps them: one unit, as in Verilator's own
// library. What they call of the system's files is ours (fst_files.h).
#define FST_CONFIG_INCLUDE "fst_config.h"

#include <sys/mman.h>
#include <zlib.h>

#include <cstdio>

#include "platform/observe/fst_files.h"

#define tmpfile syncline::platform::fst_files::tmpfile
#define fopen syncline::platform::fst_files::fopen
#define fwrite syncline::platform::fst_files::fwrite
#define fflush syncline::platform::fst_files::fflush
#define fclose syncline::platform::fst_files::fclose
#define mmap syncline::platform::fst_files::mmap
// Times are packed at level 9, for which a busy run pays more than for all its values.
#define compress2(to, to_bytes, from, bytes, level) compress2(to, to_bytes, from, bytes, (level) < 4 ? (level) : 4)
// clang-format off
#include "fastlz.c"
#include "fstapi.c"
#include "lz4.c"
// clang-format on
