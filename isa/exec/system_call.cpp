#include "isa/exec/system_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "isa/exec/memory_fault.h"

namespace syncline::isa {
namespace {

constexpr std::size_t longest_string = 1 << 20;

std::string read_string(LaneMemory& memory, unsigned lane, std::uint64_t address, std::string_view what) {
  std::string text;
  for (char c = 0; text.size() < longest_string; text += c) {
    if (!memory.read(lane, address + text.size(), &c, 1))
      throw base::ProgramFault(fmt::format("lane {} passes {} at {:#x}, which cannot be read", lane, what, address));
    if (c == 0) break;
  }
  return text;
}

[[noreturn]] void throw_too_long(std::string_view what, std::uint64_t characters) {
  throw base::ProgramFault(
      fmt::format("{} of a printf makes {} characters, the limit is {}", what, characters, longest_string));
}

/// Width and precision decide how much is made, whatever the value is.
void check_specification(const std::string& specification) {
  constexpr std::uint64_t many = std::uint64_t{1} << 40;  // digits behind it change nothing
  std::uint64_t number = 0, largest = 0;
  for (const char c : specification) {
    number = c < '0' || c > '9' ? 0 : number < many ? 10 * number + static_cast<unsigned>(c - '0') : number;
    largest = std::max(largest, number);
  }
  if (largest > longest_string) throw_too_long("`" + specification.substr(0, 40) + "`", largest);
}

template <class T>
std::string print_one(const std::string& specification, T value) {
  char small[128];
  const int length = std::snprintf(small, sizeof small, specification.c_str(), value);
  if (length < static_cast<int>(sizeof small)) return std::string(small, static_cast<std::size_t>(std::max(length, 0)));
  if (static_cast<std::size_t>(length) > longest_string)
    throw_too_long("`" + specification + "`", static_cast<std::uint64_t>(length));
  std::vector<char> large(static_cast<std::size_t>(length) + 1);
  std::snprintf(large.data(), large.size(), specification.c_str(), value);
  return std::string(large.data(), static_cast<std::size_t>(length));
}

/// The buffer of variable arguments of one lane.
class Arguments {
 public:
  Arguments(LaneMemory& memory, unsigned lane, std::uint64_t address) : memory_(memory), lane_(lane), at_(address) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (!memory_.read(lane_, at_, &value, sizeof value))
      throw base::ProgramFault(
          fmt::format("lane {} passes printf arguments at {:#x}, which cannot be read", lane_, at_));
    at_ += sizeof(T);
    return value;
  }

 private:
  LaneMemory& memory_;
  unsigned lane_;
  std::uint64_t at_;
};

}  // namespace

std::string format_printf(LaneMemory& memory, unsigned lane, std::uint64_t format, std::uint64_t arguments) {
  const std::string text = read_string(memory, lane, format, "a printf format");
  Arguments args(memory, lane, arguments);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    std::string spec = "%";
    bool wide = false;
    for (++i; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '*')
        spec += std::to_string(args.next<std::int32_t>());
      else if (std::strchr("-+ #.0123456789", c) != nullptr)
        spec += c;
      else if (c == 'l' || c == 'j' || c == 'z' || c == 't')
        wide = true;  // 64 bits in the device's data model
      else if (c != 'h' && c != 'L')
        break;
    }
    const char conversion = i < text.size() ? text[i] : '%';
    check_specification(spec + conversion);
    switch (conversion) {
      case 'd':
      case 'i':
        out += wide ? print_one(spec + PRId64, args.next<std::int64_t>())
                    : print_one(spec + PRId32, args.next<std::int32_t>());
        break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        if (wide)
          out += print_one(spec + "ll" + conversion, static_cast<unsigned long long>(args.next<std::uint64_t>()));
        else
          out += print_one(spec + conversion, args.next<std::uint32_t>());
        break;
      case 'c':
        out += print_one(spec + 'c', args.next<std::int32_t>());
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        out += print_one(spec + conversion, args.next<double>());
        break;
      case 'p':
        out += fmt::format("{:#x}", args.next<std::uint64_t>());
        break;
      case 's':
        out += print_one(spec + 's', read_string(memory, lane, args.next<std::uint64_t>(), "a string for %s").c_str());
        break;
      default:
        out += conversion;
        break;
    }
    if (out.size() > longest_string) throw_too_long("the text", out.size());
  }
  return out;
}

namespace {

std::string failed_assertion(LaneMemory& memory, Warp& warp, const Op& op, unsigned lane) {
  const auto string = [&](unsigned argument, std::string_view what) {
    return read_string(memory, lane, warp.argument(op, lane, argument), what);
  };
  return fmt::format("assertion `{}` failed at {}:{} in `{}` by {} in kernel `{}`", string(0, "an assertion"),
                     string(1, "a file name"), warp.argument(op, lane, 2), string(3, "a function name"),
                     thread_name(warp, lane), warp.program().kernel().name);
}

// What cannot be read is told with the call that passes it.
template <class Read>
std::string located(const Warp& warp, const Op& op, unsigned lane, Read&& read) {
  try {
    return read();
  } catch (const base::ProgramFault& fault) {
    throw base::ProgramFault(fmt::format("{} ({} in kernel `{}`): {}", fault.what(), thread_name(warp, lane),
                                         warp.program().kernel().name, warp.program().where(op)));
  }
}

}  // namespace

void serve_system_call(Warp& warp, const Step& step, LaneMemory& memory, SystemServices& services) {
  const Op& op = *step.op;
  base::for_each_lane(step.lanes, [&](unsigned lane) {
    switch (step.call) {
      case SystemCall::vprintf: {
        const std::string text = located(warp, op, lane, [&] {
          return format_printf(memory, lane, warp.argument(op, lane, 0), warp.argument(op, lane, 1));
        });
        services.print(text);
        warp.set_result(op, lane, text.size());
        break;
      }
      case SystemCall::malloc:
        warp.set_result(op, lane, services.heap_allocate(warp.argument(op, lane, 0)));
        break;
      case SystemCall::free:
        if (const std::uint64_t address = warp.argument(op, lane, 0); address != 0 && !services.heap_free(address))
          throw base::ProgramFault(fmt::format("free of {:#x} by {}, where no malloc result begins: {}", address,
                                               thread_name(warp, lane), warp.program().where(op)));
        break;
      case SystemCall::assertfail:
        throw base::ProgramFault(located(warp, op, lane, [&] { return failed_assertion(memory, warp, op, lane); }));
      case SystemCall::none:
        break;
    }
  });
}

}  // namespace syncline::isa
