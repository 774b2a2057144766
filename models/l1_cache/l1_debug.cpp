// Bytes that only this L1 has, for readers that take no time.
#include <cstring>

#include "models/cache/by_lines.h"
#include "models/l1_cache/l1_cache.h"

namespace syncline::models {

void L1Cache::debug_overlay(base::ByteAddress address, std::uint8_t* data, std::size_t bytes) const {
  touched();
  by_lines(address.value(), bytes, spec_.line,
           [&](base::LineAddress line, unsigned offset, std::size_t position, unsigned count) {
             base::LineData newest{};
             std::memcpy(newest.data() + offset, data + position, count);
             for (const WrittenBack& leaving : written_back_) {
               const ForwardedAccess& access = handles_[leaving.handle];
               if (access.line == line) access.mask.merge(newest, leaving.data);
             }
             const Index frame = lines_.locate(line).frame;
             if (frame != nowhere) lines_.tags().frame(frame).dirty.merge(newest, lines_.tags().data(frame));
             std::memcpy(data + position, newest.data() + offset, count);
             return true;
           });
}

}  // namespace syncline::models
