#include "platform/observe/output_file.h"

#include <cstdio>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace syncline::platform {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), stream_(path_ + ".partial") {
  if (!stream_) throw base::UserError("cannot write `" + path_ + "`: " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (committed_) return;
  stream_.close();
  std::remove((path_ + ".partial").c_str());
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_ || std::rename((path_ + ".partial").c_str(), path_.c_str()) != 0)
    throw base::UserError("cannot write `" + path_ + "`: " + std::strerror(errno));
  committed_ = true;
}

}  // namespace syncline::platform
