#include <algorithm>

#include "workloads/aes/reference.h"
#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

// FIPS 197, appendix C.1.
constexpr aes::Block key{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                         0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
constexpr aes::Block known_plain{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
constexpr aes::Block known_cipher{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                  0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

}  // namespace

Verdict run_aes(const Context& context) {
  const std::uint32_t blocks = by_size(context.size, 2'000U, 50'000U, 500'000U, 65'536U);
  std::vector<std::uint8_t> plain =
      random_integers<std::uint8_t>(context.seed, "aes.plain", std::size_t{blocks} * 16, 256);
  std::copy(known_plain.begin(), known_plain.end(), plain.begin());
  const aes::KeySchedule keys = aes::expand_key(key);

  Program program(context);
  program.set_symbol("round_keys", std::vector<std::uint32_t>(keys.begin(), keys.end()));
  const DevicePointer device_plain = program.upload(plain);
  const DevicePointer device_cipher = program.allocate<std::uint8_t>(plain.size());
  program.launch("aes_encrypt", covering(blocks / 2, 256), device_plain, device_cipher, blocks);
  const std::vector<std::uint8_t> cipher = program.download<std::uint8_t>(device_cipher, plain.size());

  std::vector<std::uint8_t> expected(plain.size());
  for (std::size_t first = 0; first < plain.size(); first += 16) {
    aes::Block block{};
    std::copy_n(plain.begin() + static_cast<std::ptrdiff_t>(first), 16, block.begin());
    block = aes::encrypt(block, keys);
    std::copy(block.begin(), block.end(), expected.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return all_of({compare_exact<std::uint8_t>("FIPS 197 vector", {cipher.begin(), cipher.begin() + 16},
                                             {known_cipher.begin(), known_cipher.end()}),
                 compare_exact("cipher text", cipher, expected)});
}

}  // namespace syncline::workloads
