#include "tests/unit/lanes/lane_harness.h"

#include <cstdio>

namespace syncline::isa::test {

const char* build_name(LaneIsa isa) {
  switch (isa) {
    case LaneIsa::portable:
      return "portable";
    case LaneIsa::avx2:
      return "avx2";
    case LaneIsa::avx512:
      return "avx512";
    case LaneIsa::automatic:
      break;
  }
  return "automatic";
}

const std::vector<LaneIsa>& runnable_builds() {
  static const std::vector<LaneIsa> builds = [] {
    std::vector<LaneIsa> found;
    for (const LaneIsa isa : {LaneIsa::portable, LaneIsa::avx2, LaneIsa::avx512}) {
      if (lane_isa_available(isa)) {
        found.push_back(isa);
      } else {
        std::printf("not tested: the %s build, which this CPU cannot run\n", build_name(isa));
      }
    }
    return found;
  }();
  return builds;
}

const std::vector<std::uint64_t>& special_patterns(unsigned bytes) {
  static const std::vector<std::uint64_t> byte = {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  static const std::vector<std::uint64_t> half = {
      0,      1,      2,      3,      0x03ff, 0x0400, 0x0401, 0x007f, 0x0080, 0x0081, 0x3bff, 0x3c00, 0x3c01,
      0x3555, 0x4200, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff, 0x3f7f, 0x3f80, 0x3f81, 0x7f7f, 0x7f80, 0x7f81,
      0x7fc0, 0x4000, 0x4040, 0x3800, 0x3f00, 0x8000, 0x8001, 0x8002, 0x83ff, 0x8400, 0xbc00, 0xbbff, 0xbf80,
      0xfbff, 0xfc00, 0xfe00, 0xff7f, 0xff80, 0xffc0, 0xffff, 0x1000, 0x4c00, 0x0f0f};
  static const std::vector<std::uint64_t> word = {
      0,          1,          2,          3,          31,         32,         33,         0x7f,       0x80,
      0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x00ffffff, 0x01000000, 0x01000001,
      0x007fffff, 0x00800000, 0x00800001, 0x33000000, 0x33000001, 0x33800000, 0x387fe000, 0x387fffff, 0x38800000,
      0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3f801000, 0x3f803000, 0x3f808000,
      0x3fc00000, 0x40000000, 0x40200000, 0x40490fdb, 0x41200000, 0x42fe0000, 0x43000000, 0x437f8000, 0x43800000,
      0x46fffe00, 0x47000000, 0x477fe000, 0x477fefff, 0x477ff000, 0x477fff00, 0x47800000, 0x4b000000, 0x4b7fffff,
      0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f800000, 0x7e800000, 0x7effffff,
      0x7f000000, 0x7f7f7fff, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x80000000, 0x80000001,
      0x807fffff, 0x80800000, 0xbeffffff, 0xbf000000, 0xbf800000, 0xbfc00000, 0xc0200000, 0xc7000000, 0xcf000000,
      0xcf000001, 0xdf000000, 0xff7fffff, 0xff800000, 0xffc00000, 0xfffffffe, 0xffffffff, 0xaaaaaaaa, 0x55555555};
  static const std::vector<std::uint64_t> wide = {0,
                                                  1,
                                                  2,
                                                  0x7f,
                                                  0xff,
                                                  0x7fffffff,
                                                  0x80000000,
                                                  0xffffffff,
                                                  0x100000000,
                                                  0x000fffffffffffff,
                                                  0x0010000000000000,
                                                  0x001fffffffffffff,
                                                  0x0020000000000001,
                                                  0x3690000000000000,
                                                  0x36a0000000000000,
                                                  0x36b8000000000000,
                                                  0x380fffffe0000000,
                                                  0x380fffffffffffff,
                                                  0x3810000000000000,
                                                  0x3e6fffffffffffff,
                                                  0x3fdfffffffffffff,
                                                  0x3fe0000000000000,
                                                  0x3fefffffffffffff,
                                                  0x3ff0000000000000,
                                                  0x3ff0000000000001,
                                                  0x3ff0000010000000,
                                                  0x3ff0000030000000,
                                                  0x3ff8000000000000,
                                                  0x4004000000000000,
                                                  0x4059000000000000,
                                                  0x41dfffffffc00000,
                                                  0x41dfffffffe00000,
                                                  0x41e0000000000000,
                                                  0x41efffffffe00000,
                                                  0x41f0000000000000,
                                                  0x43dfffffffffffff,
                                                  0x43e0000000000000,
                                                  0x43efffffffffffff,
                                                  0x43f0000000000000,
                                                  0x47efffffe0000000,
                                                  0x47efffffefffffff,
                                                  0x47effffff0000000,
                                                  0x47f0000000000000,
                                                  0x7fefffffffffffff,
                                                  0x7ff0000000000000,
                                                  0x7ff0000000000001,
                                                  0x7ff8000000000000,
                                                  0x7fffffffffffffff,
                                                  0x8000000000000000,
                                                  0x8000000000000001,
                                                  0x800fffffffffffff,
                                                  0xbfe0000000000000,
                                                  0xbff0000000000000,
                                                  0xbff8000000000000,
                                                  0xc1e0000000000000,
                                                  0xc1e0000000200000,
                                                  0xc3e0000000000000,
                                                  0xc3e0000000000001,
                                                  0xffefffffffffffff,
                                                  0xfff0000000000000,
                                                  0xfff8000000000000,
                                                  0xfffffffffffffffe,
                                                  0xffffffffffffffff,
                                                  0x8080808080808080,
                                                  0x00ff00ff00ff00ff};
  switch (bytes) {
    case 1:
      return byte;
    case 2:
      return half;
    case 4:
      return word;
    default:
      return wide;
  }
}

}  // namespace syncline::isa::test
