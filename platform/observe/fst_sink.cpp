#include "platform/observe/fst_sink.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <systemc>
#include <utility>

#include "fstapi.h"
#include "platform/observe/fst_files.h"
#include "platform/observe/wave_scopes.h"

namespace syncline::platform {
namespace {

// Of a limit: so little is not worth a block of its own.
constexpr std::uint64_t least_share = 16;
// What a change takes before it is compressed, beside its bits: the time since the last one, and its place.
constexpr std::uint64_t change_bytes = 8;

// A piece of the file is made of so much: fstapi goes over it signal by signal, which is slow where it does not fit the
// host's caches (its own pieces are of 128 MB).
constexpr std::uint64_t piece_of_file = std::uint64_t{1} << 20;

// What a piece of the file takes at most beside the changes in it: all values at its beginning, a place for each
// signal.
std::uint64_t piece_bytes(std::size_t signals) {
  return 256 + 4 * signals;
}
// What closes the file: header, hierarchy and kinds of signals, compressed.
std::uint64_t closing_bytes(std::size_t signals) {
  return 1024 + 16 * signals;
}

using Bits = std::array<char, 8>;

/// The digits of all bytes: most changes are of counters, whose values would take a loop over 32 bits each.
constexpr std::array<Bits, 256> digits_of_bytes() {
  std::array<Bits, 256> digits{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) digits[byte][bit] = static_cast<char>('0' + (byte >> (7 - bit) & 1));
  }
  return digits;
}
constexpr std::array<Bits, 256> bits_of_byte = digits_of_bytes();

fstEnumHandle declare_names(void* writer, const models::ValueNames& names, unsigned width) {
  std::vector<std::string> values;
  std::vector<const char*> name_texts, value_texts;
  for (const auto& [value, name] : names.values) {
    std::string bits;
    for (unsigned bit = width; bit-- > 0;) bits += static_cast<char>('0' + (value >> bit & 1));
    values.push_back(bits);
    name_texts.push_back(name.c_str());
  }
  for (const std::string& value : values) value_texts.push_back(value.c_str());
  return fstWriterCreateEnumTable(writer, names.name.c_str(), static_cast<std::uint32_t>(values.size()), width,
                                  name_texts.data(), value_texts.data());
}

// fstapi does not tell that the disk was full, but then its last parts are not there.
bool is_whole(const std::filesystem::path& file, std::size_t signals, std::uint64_t end_ps) {
  void* const reader = fstReaderOpen(file.c_str());
  if (reader == nullptr) return false;
  const bool whole = fstReaderGetVarCount(reader) == signals && fstReaderGetEndTime(reader) == end_ps;
  fstReaderClose(reader);
  return whole;
}

}  // namespace

FstSink::FstSink(Outputs& outputs, const std::string& path, std::vector<const models::TracedSignal*> signals,
                 std::uint64_t limit)
    : path_(outputs.add(path, "--wave", OutputPath::Writer::by_name, ".fst")),
      signals_(std::move(signals)),
      limit_(limit) {
  take_fst_loss();  // of a file that nobody finished
  writer_ = fstWriterCreate(path_.written().c_str(), 1);
  if (writer_ == nullptr) path_.fail(errno);
  declare();
}

FstSink::~FstSink() {
  close();
}

void FstSink::close() {
  if (writer_ != nullptr) fstWriterClose(std::exchange(writer_, nullptr));
}

void FstSink::declare() {
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
  fstWriterSetVersion(writer_, sc_core::sc_version());
  fstWriterSetTimescale(writer_, -12);
  variables_.resize(signals_.size());
  std::map<std::pair<const models::ValueNames*, unsigned>, fstEnumHandle> tables;
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, wave_root_scope, nullptr);
  WaveScopes(signals_).walk(
      [&](const std::string& name) { fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr); },
      [&](const std::string& name, std::uint32_t number) {
        const models::TracedSignal& signal = *signals_[number];
        if (const models::ValueNames* const names = signal.as.names.get(); names != nullptr) {
          const auto [table, is_new] = tables.try_emplace({names, signal.width}, 0);
          if (is_new) table->second = declare_names(writer_, *names, signal.width);
          fstWriterEmitEnumTableRef(writer_, table->second);
        }
        const std::string range = signal.width == 1 ? "" : " [" + std::to_string(signal.width - 1) + ":0]";
        variables_[number] = {signal.width, fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, signal.width,
                                                               (name + range).c_str(), 0)};
      },
      [&] { fstWriterSetUpscope(writer_); });
  fstWriterSetUpscope(writer_);
}

void FstSink::put_value(std::uint32_t signal, std::uint64_t value) {
  const unsigned width = variables_[signal].width;
  std::array<char, 64> bits;                // the last `width` of them
  if (width < 64 && value >> width != 0) {  // more than it has room for
    bits.fill('x');
  } else {
    for (unsigned end = 64; end + width > 64; end -= 8, value >>= 8)
      std::memcpy(&bits[end - 8], bits_of_byte[value & 0xff].data(), 8);
  }
  fstWriterEmitValueChange(writer_, variables_[signal].handle, &bits[64 - width]);
  unwritten_ += change_bytes + width / 8;
}

/// Whether `bytes` more fit, whatever compression makes of them.
bool FstSink::has_room(std::uint64_t bytes) {
  bytes += closing_bytes(signals_.size()) + piece_bytes(signals_.size());
  if (limit_ == 0 || written_ + unwritten_ + bytes <= limit_) return true;
  if (unwritten_ < limit_ / least_share) return false;
  flush();
  return written_ + bytes + limit_ / least_share <= limit_;
}

void FstSink::begin(std::uint64_t ps, const std::vector<std::uint64_t>& values) {
  fstWriterEmitTimeChange(writer_, ps);
  for (std::uint32_t i = 0; i < values.size(); ++i) put_value(i, values[i]);
  last_ps_ = ps;
}

void FstSink::flush() {
  fstWriterFlushContext(writer_);  // which happens at the next change of time
  fstWriterEmitTimeChange(writer_, last_ps_);
  std::error_code unknown;
  written_ = std::filesystem::file_size(path_.written(), unknown);
  unwritten_ = 0;
}

bool FstSink::change(std::uint64_t ps, const std::vector<Change>& changes) {
  if (unwritten_ >= piece_of_file) flush();
  if (!has_room(changes.size() * (change_bytes + 8))) return false;
  fstWriterEmitTimeChange(writer_, ps);
  for (const Change& change : changes) put_value(change.signal, change.value);
  last_ps_ = ps;
  return true;
}

void FstSink::finish(std::uint64_t ps) {
  fstWriterEmitTimeChange(writer_, std::max(ps, last_ps_));
  close();
  const FstLoss loss = take_fst_loss();
  if (loss.error != 0) path_.fail(loss.error);
  if (loss.some || !is_whole(path_.written(), signals_.size(), std::max(ps, last_ps_)))
    path_.fail("what is there is not whole: the disk is full, or files may not grow");
  path_.complete();
}

}  // namespace syncline::platform
