// Random bytes as a configuration, as a workload script and as a kernel argument: each reader either succeeds or throws
// a UserError that says where, and a configuration that was read survives being dumped and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "platform/config/configuration.h"
#include "platform/script/argument_text.h"
#include "platform/script/workload_script.h"
#include "tests/unit/config/sample_spec.h"

namespace {

using namespace syncline;

[[noreturn]] void fail(const char* what, const std::string& detail) {
  std::fprintf(stderr, "%s: %s\n", what, detail.c_str());
  std::abort();
}

template <class Read>
void must_read_or_explain(Read&& read) {
  try {
    read();
  } catch (const base::UserError& e) {
    if (e.where().file.empty()) fail("an error without a location", e.what());
  }
}

void configuration(const std::string& text) {
  using test_spec = platform::test::SampleSpec;
  const auto first = platform::parse_configuration<test_spec>(text, SYNCLINE_SOURCE_DIR "/tests/fuzz/data/fuzz.yaml");
  const std::string dump = first.settings.dump();
  const auto second = platform::parse_configuration<test_spec>(dump, "dump");
  if (!(second.spec == first.spec) || second.settings.dump() != dump) fail("a dump reads back differently", dump);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  must_read_or_explain([&] { configuration(text); });
  must_read_or_explain(
      [&] { platform::parse_workload_script(text, SYNCLINE_SOURCE_DIR "/tests/fuzz/data/fuzz.yaml"); });
  must_read_or_explain([&] { platform::parse_argument(text); });
  return 0;
}
