// Files in memory, which processes write that this one starts.
#pragma once

#include <string>

namespace syncline::platform {

/// A file without a name: whatever becomes of the processes that write it, nothing is left over.
class MemoryFile {
 public:
  MemoryFile();  ///< UserError when the system gives none
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();
  int descriptor() const { return descriptor_; }
  std::string contents() const;

 private:
  int descriptor_;
};

}  // namespace syncline::platform
