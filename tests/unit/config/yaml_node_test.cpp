#include "platform/config/yaml_node.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/error_of.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;

TEST(YamlNode, KeepsTextAndPlace) {
  const YamlNode root = parse_yaml("a: 010\nb:\n  - \"yes\"\n  - {c: [1, 2]}\n", "f.yaml");
  ASSERT_EQ(root.kind, YamlNode::Kind::mapping);
  const YamlEntry* a = root.find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->value.text, "010");
  EXPECT_FALSE(a->value.quoted);
  EXPECT_EQ(a->value.where.str(), "f.yaml:1:4");
  const YamlNode& b = root.find("b")->value;
  ASSERT_EQ(b.items.size(), 2U);
  EXPECT_TRUE(b.items[0].quoted);
  EXPECT_EQ(b.items[0].text, "yes");
  const YamlNode& c = b.items[1].find("c")->value;
  EXPECT_EQ(c.items[1].where.str(), "f.yaml:4:13");
  EXPECT_EQ(root.find("d"), nullptr);
}

TEST(YamlNode, AnAbsentValueStandsAtItsKey) {
  const YamlNode root = parse_yaml("a: 1\nb:\nc: ~\n", "f");
  EXPECT_EQ(root.find("b")->value.kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("b")->value.where.str(), "f:2:1");
  EXPECT_EQ(root.find("c")->value.kind, YamlNode::Kind::null);
}

TEST(YamlNode, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_yaml("\xEF\xBB\xBF"
                       "a: 1\n",
                       "f")
                .entries.size(),
            1U);
}

struct BadYaml {
  const char* text;
  const char* message;
};

TEST(YamlNode, RejectsWhatIsOutsideTheSubset) {
  const BadYaml cases[] = {
      {"", "f:1:1: error: the file is empty"},
      {"# only a comment\n", "f:1:1: error: the file is empty"},
      {"a: 1\nb: 2\na: 3\n", "f:3:1: error: duplicate key `a`; it stands first in line 1"},
      {"a: {b: 1, b: 2}\n", "f:1:11: error: duplicate key `b`; it stands first in line 1"},
      {"a: &x 1\n", "f:1:4: error: an anchor (`&name`) is not supported; use `include` to share values"},
      {"a: &x 1\nb: *x\n", "f:1:4: error: an anchor (`&name`) is not supported; use `include` to share values"},
      {"a: !!int 1\n",
       "f:1:4: error: a tag (`tag:yaml.org,2002:int`) is not supported; the type of a value follows from its key"},
      {"a: !thing [1]\n", "f:1:4: error: a tag (`!thing`) is not supported; the type of a value follows from its key"},
      {"a: 1\n<<: {b: 2}\n", "f:2:1: error: a merge key (`<<`) is not supported; use `include` to share values"},
      {"? [1, 2]\n: 3\n", "f:1:3: error: expected the name of a key, found a list"},
      {"a: 1\n---\nb: 2\n", "f:2:1: error: text after the end of the document; a file holds one document"},
      {"a: [1, 2\n", "f:2:1: error: not valid YAML: end of sequence flow not found"},
      {"a: \"text\n", "f:1:4: error: this quoted text has no end"},
      {"a: {b: 1\n", "f:2:1: error: not valid YAML: end of map flow not found"},
      {"a: 1\n b: 2\n", "f:2:3: error: not valid YAML: illegal map value"},
      {"a: 'it''s\n", "f:1:4: error: this quoted text has no end"},
      {"a: \"it\\\"s\n", "f:1:4: error: this quoted text has no end"},
      {"a: \"x", "f:1:6: error: not valid YAML: illegal EOF in scalar"},
      {"a: ! 5\n", "f:1:4: error: a tag (`!`) is not supported; the type of a value follows from its key"},
      {"a: 1\n\tb: 2\n", "f:2:1: error: not valid YAML: illegal tab when looking for indentation"},
      {"a:\n\tb: 2\n", "f:2:1: error: not valid YAML: illegal tab when looking for indentation"},
      {"a:\n  b: 1\n  \tc: 2\n", "f:3:3: error: not valid YAML: illegal tab when looking for indentation"},
      {"a: 1\nb:\r\n\tc: 2\n", "f:3:1: error: not valid YAML: illegal tab when looking for indentation"},
      {"a: {b: 1,\n\tc: 2]}\n", "f:2:6: error: not valid YAML: illegal flow end"},
      {"a: \"b\\Nc\"\n", "f:1:4: error: the escapes `\\N` and `\\_` are not supported; write the character itself"},
      {"\"b\\_\": 1\n", "f:1:1: error: the escapes `\\N` and `\\_` are not supported; write the character itself"},
      {"a: \xFF\n", "f:1:4: error: byte 0xff is not valid UTF-8 text"},
      {"a: 1\nb: \xC0\xAF\n", "f:2:4: error: byte 0xc0 is not valid UTF-8 text"},
      {"a: \xED\xA0\x80\n", "f:1:4: error: byte 0xed is not valid UTF-8 text"},
      {"a: \xE2\x82", "f:1:4: error: byte 0xe2 is not valid UTF-8 text"},
      {"\x7F"
       "ELF\x02\x01",
       "f:1:1: error: control character 0x7f; is this a text file?"},
      {"a: \x01\n", "f:1:4: error: control character 0x01; is this a text file?"},
  };
  for (const BadYaml& bad : cases) EXPECT_EQ(error_of([&] { parse_yaml(bad.text, "f"); }), bad.message) << bad.text;
  EXPECT_EQ(error_of([] { parse_yaml(std::string("a: \0b\n", 6), "f"); }),
            "f:1:4: error: control character 0x00; is this a text file?");
}

TEST(YamlNode, EscapesMakeCharacters) {
  const YamlNode root = parse_yaml(R"(a: "\x01\t\x85\xa0\u2603\U0001F600\L\"\\")"
                                   "\n",
                                   "f");
  EXPECT_EQ(root.find("a")->value.text, "\x01\t\xC2\x85\xC2\xA0\xE2\x98\x83\xF0\x9F\x98\x80\xE2\x80\xA8\"\\");
}

TEST(YamlNode, DepthIsBounded) {
  const std::string deepest = std::string(max_yaml_depth, '[') + "1" + std::string(max_yaml_depth, ']');
  EXPECT_EQ(error_of([&] { parse_yaml(deepest, "f"); }), "no error");
  EXPECT_EQ(error_of([&] { parse_yaml("[" + deepest + "]", "f"); }), "f:1:34: error: nested deeper than 32 levels");
  for (const char* opening : {"[", "{", "- ", "? ", "[{"}) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += opening;
    EXPECT_NE(error_of([&] { parse_yaml(text, "f"); }).find("error: nested deeper than 32 levels"), std::string::npos)
        << opening;
  }
}

// What opens something and never ends it, wherever it stands: a located error, or the text that it is.
TEST(YamlNode, LongTextsOfOneThingEndInATreeOrALocatedError) {
  const char* const units[] = {"[",  "{",   "[[",  "[{",  "- ",    "? ",    "{a: ", "[a, ", "[\n", "{\n", "[]", "{}",
                               "\"", "'",   "&a ", "*a ", "!",     "!a ",   "|",    ">",    "%",   ",",   ": ", "a: ",
                               "a,", "- -", "-\n", "?\n", "---\n", "...\n", "# ",   "\\n",  "\t",  " ",   "x",  "1, "};
  const char* const heads[] = {"", "a: ", "a: [", "a: {", "a:\n  ", "a: |\n  ", "a: \"", "? ", "- "};
  for (const char* unit : units) {
    for (const char* head : heads) {
      std::string text = head;
      while (text.size() < (1U << 14)) text += unit;
      const std::string message = error_of([&] { parse_yaml(text, "f"); });
      EXPECT_TRUE(message == "no error" || message.rfind("f:", 0) == 0) << head << unit << ": " << message;
      EXPECT_LT(message.size(), 200U) << head << unit;
    }
  }
}

TEST(YamlNode, ManyKeysAreAsGoodAsFew) {
  std::string text;
  constexpr unsigned keys = 200'000;  // comparing each with each would take minutes
  for (unsigned i = 0; i < keys; ++i) text += "k" + std::to_string(i) + ":\n";
  EXPECT_EQ(parse_yaml(text, "f").entries.size(), keys);
  EXPECT_EQ(error_of([&] { parse_yaml(text + "k77: 1\n", "f"); }),
            "f:200001:1: error: duplicate key `k77`; it stands first in line 78");
}

TEST(YamlNode, FilesThatCannotBeRead) {
  const test::ScratchFolder folder;
  const auto message = [&](const std::string& name) {
    return error_of([&] { read_file(folder.path() / name, {"main.yaml", 3, 10}, 8); });
  };
  const std::string start = "main.yaml:3:10: error: cannot read `" + folder.path().string();
  EXPECT_EQ(message("none.yaml"), start + "/none.yaml`: no such file");
  EXPECT_EQ(message(""), start + "/`: it is a folder");
  folder.write("large.yaml", "123456789");
  EXPECT_EQ(message("large.yaml"), start + "/large.yaml`: it has 9 bytes, at most 8 are read");
  EXPECT_EQ(error_of([] { read_file("/dev/zero"); }), "cannot read `/dev/zero`: it is not a regular file");
  EXPECT_EQ(read_file(folder.write("good.yaml", "12345678"), {}, 8), "12345678");
  const auto largest = folder.write("largest.yaml", std::string(max_yaml_bytes, '#'));
  EXPECT_EQ(read_file(largest).size(), max_yaml_bytes);
  EXPECT_NE(error_of([&] {
              read_file(folder.write("larger.yaml", std::string(max_yaml_bytes + 1, '#')));
            }).find("it has 2097153 bytes, at most 2097152 are read"),
            std::string::npos);
}

TEST(YamlNode, MessagesShortenLongTexts) {
  EXPECT_EQ(quoted_for_message("a\tb"), "`a\\x09b`");
  EXPECT_EQ(quoted_for_message(std::string(100, 'x')), "`" + std::string(60, 'x') + "...`");
}

// Every truncation of a good file is either a smaller good file or a located error.
TEST(YamlNode, TruncatedTextsEndInATreeOrAnError) {
  const std::string text = "a: {b: [1, 2], c: \"x\"}\nd:\n  - e: 1\n    f: |\n      text\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string message = error_of([&] { parse_yaml(text.substr(0, length), "f"); });
    EXPECT_TRUE(message == "no error" || message.rfind("f:", 0) == 0) << length << ": " << message;
  }
}

RC_GTEST_PROP(YamlNode, AnyBytesEndInATreeOrALocatedError, (const std::string& bytes)) {
  const std::string message = error_of([&] { parse_yaml(bytes, "f"); });
  RC_ASSERT(message == "no error" || message.rfind("f:", 0) == 0);
}

}  // namespace
}  // namespace syncline::platform
