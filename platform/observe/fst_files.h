// The files that GTKWave's writer of FST keeps while it writes. It looks at no result of a write, and maps files that
// may be shorter than it believes, which ends a process by SIGBUS where a disk is full.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>

namespace syncline::platform {

/// What it calls in the place of the system's functions of these names, without a prefix (fstapi.cpp).
namespace fst_files {

/// A file without a name. It lies in memory: it needs no disk, and has some bytes for each signal.
std::FILE* tmpfile();
/// The hierarchy of signals, which is to lie beside the file of waves (`.hier`) and is gone in the end, is such a
/// file, too.
std::FILE* fopen(const char* name, const char* mode);
/// These remember what was not written.
std::size_t fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file);
int fflush(std::FILE* file);
int fclose(std::FILE* file);
/// What the file lacks is zero, and remembered as not written.
void* mmap(void* address, std::size_t length, int protection, int flags, int descriptor, off_t offset);

}  // namespace fst_files

/// Of what was not written, why.
struct FstLoss {
  bool some = false;
  int error = 0;  ///< an errno; 0: the system's reason is lost
};
/// What this thread's writers lost since the last call.
FstLoss take_fst_loss();

}  // namespace syncline::platform
