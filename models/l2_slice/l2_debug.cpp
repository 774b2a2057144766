// The host's way to the bytes: reads and writes that take no time and are always coherent with the slice.
#include <cstring>

#include "models/cache/by_lines.h"
#include "models/l2_slice/l2_slice.h"

namespace syncline::models {
bool L2Slice::debug_read(base::ByteAddress address, std::uint8_t* data, std::size_t bytes) {
  touched();
  return by_lines(address.value(), bytes, line_bytes(),
                  [&](base::LineAddress line, unsigned offset, std::size_t position, unsigned count) {
                    if (home_of(line) != node()) return false;
                    base::LineData bytes_of_line;
                    if (!memory.debug_read(line, local(line), bytes_of_line)) return false;
                    const Lookup lookup = lines().locate(line);
                    if (lookup.frame != nowhere) {
                      lines().tags().frame(lookup.frame).valid.merge(bytes_of_line, lines().tags().data(lookup.frame));
                    } else if (lookup.mshr != nowhere) {
                      const MissRegister& entry = lines().mshrs()[lookup.mshr];
                      entry.valid.merge(bytes_of_line, entry.data);
                    }
                    const base::ByteMask mask = base::ByteMask::range(offset, count);
                    if (line_events.watched())
                      line_events.write({LineEvent::Kind::host_read, line, mask, &bytes_of_line});
                    std::memcpy(data + position, bytes_of_line.data() + offset, count);
                    return true;
                  });
}

bool L2Slice::debug_write(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes) {
  touched();
  return by_lines(address.value(), bytes, line_bytes(),
                  [&](base::LineAddress line, unsigned offset, std::size_t position, unsigned count) {
                    if (home_of(line) != node()) return false;
                    const base::ByteMask mask = base::ByteMask::range(offset, count);
                    base::LineData fresh{};
                    std::memcpy(fresh.data() + offset, data + position, count);
                    if (!memory.debug_write(line, local(line), fresh, mask)) return false;
                    const Lookup lookup = lines().locate(line);
                    // Bytes that the frame does not hold yet come from memory, which has the new ones.
                    if (lookup.frame != nowhere) mask.merge(lines().tags().data(lookup.frame), fresh);
                    atomics.changed(line, mask, fresh);
                    if (lookup.mshr != nowhere) {
                      MissRegister& entry = lines().mshrs()[lookup.mshr];
                      mask.merge(entry.data, fresh);
                      entry.refetch = true;
                    }
                    if (line_events.watched()) line_events.write({LineEvent::Kind::host_wrote, line, mask, &fresh});
                    return true;
                  });
}

void L2Slice::debug_write_copies(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes) {
  touched();
  by_lines(address.value(), bytes, line_bytes(),
           [&](base::LineAddress line, unsigned offset, std::size_t position, unsigned count) {
             const Lookup lookup = lines().locate(line);
             if (lookup.frame == nowhere && lookup.mshr == nowhere) return true;
             const base::ByteMask mask = base::ByteMask::range(offset, count);
             base::LineData fresh{};
             std::memcpy(fresh.data() + offset, data + position, count);
             if (lookup.frame != nowhere) {
               mask.merge(lines().tags().data(lookup.frame), fresh);
               if (line_events.watched())
                 line_events.write(
                     {LineEvent::Kind::host_merged, line, mask, &fresh, nullptr, nullptr, lookup.frame, node()});
             }
             atomics.changed(line, mask, fresh);
             if (lookup.mshr == nowhere) return true;
             MissRegister& entry = lines().mshrs()[lookup.mshr];
             mask.merge(entry.data, fresh);
             entry.valid |= mask;
             entry.refetch = true;
             return true;
           });
}

bool L2Slice::debug_write_back(base::ByteAddress address, std::size_t bytes) {
  touched();
  return by_lines(address.value(), bytes, line_bytes(), [&](base::LineAddress line, unsigned, std::size_t, unsigned) {
    if (home_of(line) != node()) return false;
    const Index frame = lines().locate(line).frame;
    if (frame == nowhere) return true;
    base::ByteMask& dirty = lines().tags().frame(frame).dirty;
    if (!memory.debug_write(line, local(line), lines().tags().data(frame), dirty)) return false;
    dirty = {};
    return true;
  });
}

bool L2Slice::debug_refresh(base::ByteAddress address, std::size_t bytes) {
  touched();
  return by_lines(address.value(), bytes, line_bytes(), [&](base::LineAddress line, unsigned, std::size_t, unsigned) {
    base::LineData fresh;
    if (home_of(line) != node() || !memory.debug_read(line, local(line), fresh)) return false;
    const Lookup lookup = lines().locate(line);
    if (lookup.mshr != nowhere) lines().mshrs()[lookup.mshr].refetch = true;
    if (lookup.frame == nowhere) return true;
    const base::ByteMask clean = base::ByteMask::all(line_bytes()) - lines().tags().frame(lookup.frame).dirty;
    clean.merge(lines().tags().data(lookup.frame), fresh);
    if (line_events.watched()) line_events.write({LineEvent::Kind::host_wrote, line, clean, &fresh});
    return true;
  });
}

unsigned L2Slice::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const base::ByteAddress address(payload.get_address());
  const unsigned bytes = payload.get_data_length();
  const bool done = payload.is_read()    ? debug_read(address, payload.get_data_ptr(), bytes)
                    : payload.is_write() ? debug_write(address, payload.get_data_ptr(), bytes)
                                         : false;
  payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return done ? bytes : 0;
}

}  // namespace syncline::models
