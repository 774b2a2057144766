// Mistakes that a spec's author can make.
#include <gtest/gtest.h>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "tests/unit/config/sample_spec.h"

namespace syncline::platform {
namespace {

using test::Policy;

struct TwiceSpec {
  int a = 0;
  template <class V>
  void fields(V& v) {
    v.field("a", a, base::param::count("once"));
    v.field("a", a, base::param::count("twice"));
  }
};
struct DottedSpec {
  int a = 0;
  template <class V>
  void fields(V& v) {
    v.field("a.b", a, base::param::count("a dot"));
  }
};
struct IncludeSpec {
  int a = 0;
  template <class V>
  void fields(V& v) {
    v.field("include", a, base::param::count("taken"));
  }
};
struct LooseRuleSpec {
  int a = 0;
  template <class V>
  void fields(V& v) {
    v.require(true, "a", "is not listed yet");
    v.field("a", a, base::param::count("late"));
  }
};
struct UnnamedChoiceSpec {
  Policy policy = static_cast<Policy>(9);
  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, test::policy_names(), base::param::text("a value without a name"));
  }
};

template <class Spec>
std::string mistake_in() {
  Spec spec;
  try {
    FieldList::of(spec);
  } catch (const base::ModelError& e) {
    return e.what();
  }
  return "none";
}

TEST(FieldList, MistakesInASpecAreModelErrors) {
  EXPECT_EQ(mistake_in<TwiceSpec>(), "parameter `a` is listed twice");
  EXPECT_EQ(mistake_in<DottedSpec>(), "parameter name `a.b` is not snake_case");
  EXPECT_EQ(mistake_in<IncludeSpec>(), "the key `include` belongs to the reader of configurations");
  EXPECT_EQ(mistake_in<LooseRuleSpec>(), "a rule names the key `a`, which is not listed before it");
  EXPECT_EQ(mistake_in<UnnamedChoiceSpec>(), "the value of `policy` is not in its table of names");
}

}  // namespace
}  // namespace syncline::platform
