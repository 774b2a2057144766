// Text files among the outputs of a call.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "platform/observe/outputs.h"

namespace syncline::platform {

/// A buffer in front of a file descriptor. It remembers why a write failed, which std::filebuf does not tell.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  /// Of the first write that failed, an errno; 0: none did.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int descriptor_;
  int error_ = 0;
  std::vector<char> buffer_;
};

/// A text file that appears with the other outputs of the call.
class OutputFile {
 public:
  /// Opens it for writing; throws as Outputs::add.
  OutputFile(Outputs& outputs, std::string path, std::string asked_by);

  std::ostream& stream() { return stream_; }
  /// All is written; UserError when not all of it could be, because the disk is full.
  void finish();

 private:
  OutputPath& path_;
  DescriptorBuffer buffer_;
  std::ostream stream_{&buffer_};
};

}  // namespace syncline::platform
