#include "platform/observe/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace syncline::platform {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor), buffer_(std::size_t{1} << 16) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int DescriptorBuffer::sync() {
  for (const char* at = pbase(); at != pptr() && error_ == 0;) {
    const ssize_t n = write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
    if (n > 0) at += n;
    if (n < 0 && errno != EINTR) error_ = errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

OutputFile::OutputFile(Outputs& outputs, std::string path, std::string asked_by)
    : path_(outputs.add(std::move(path), std::move(asked_by))), buffer_(path_.descriptor()) {}

void OutputFile::finish() {
  stream_.flush();
  if (buffer_.error() != 0) path_.fail(buffer_.error());
  path_.complete();
}

}  // namespace syncline::platform
