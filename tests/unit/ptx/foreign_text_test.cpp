// Files that are no PTX text are named as what they are.
#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using namespace std::string_literals;
using test::error_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ForeignText, ObjectFiles) {
  struct Case {
    std::string bytes, name;
  };
  for (const Case& c :
       {Case{"\x7f"
             "ELF\x02\x01\x01",
             "this is an ELF file (a cubin, a host object or a program), not PTX text; `cuobjdump -ptx`"},
        Case{"\x50\xed\x55\xba\x01\x00\x10\x00"s, "this is a fat binary, not PTX text; `cuobjdump"},
        Case{"!<arch>\nlib.o/", "this is a library of object files, not PTX text; `cuobjdump"},
        Case{"BC\xc0\xde\x35\x14", "this is LLVM bitcode, not PTX text; `llc -march=nvptx64`"},
        Case{"\x1f\x8b\x08", "this is a file compressed by gzip, not PTX text; unpack it first"},
        Case{"\x28\xb5\x2f\xfd", "this is a file compressed by zstd, not PTX text; unpack it first"}})
    EXPECT_THAT(error_of(c.bytes), StartsWith("test.ptx:1:1: error: " + c.name));
}

TEST(ForeignText, ByteOrderMarks) {
  EXPECT_EQ(error_of("\xef\xbb\xbf" + test::header()),
            "test.ptx:1:1: error: the text begins with a byte order mark (UTF-8); PTX is ASCII text (PTX ISA, \"Source "
            "Format\")");
  for (const char* mark : {"\xff\xfe", "\xfe\xff"})
    EXPECT_THAT(error_of(mark + ".\0v\0e\0r\0"s),
                HasSubstr("test.ptx:1:1: error: the text begins with a byte order mark "
                          "(UTF-16); PTX is ASCII text"));
}

TEST(ForeignText, Listings) {
  EXPECT_EQ(error_of("\nFatbin ptx code:\n================\narch = sm_70\n\n" + test::header()),
            "test.ptx:6:1: error: this is a listing of cuobjdump, not PTX text alone: give the part that begins here");
  for (const char* text : {"\n\tcode for sm_70\n\t\tFunction : k\n", "\t.headerflags @\"EF_CUDA_SM70\"\n",
                           "\nFatbin elf code:\n================\n"})
    EXPECT_THAT(error_of(text), AllOf(HasSubstr("error: this is a listing of machine code, not PTX text;"),
                                      HasSubstr("`cuobjdump -ptx`")));
  EXPECT_THAT(error_of("\n\tcode for sm_70\n"), StartsWith("test.ptx:2:2: error: "));
  EXPECT_THAT(error_of("member a.o:\n\nFatbin ptx code:\n" + test::header()),
              StartsWith("test.ptx:4:1: error: this is a listing of cuobjdump, not PTX text alone"));
  for (const char* text : {"PTX file    1: a.sm_52.ptx\n", "ELF file    1: a.sm_52.cubin\n"})
    EXPECT_THAT(error_of(text), HasSubstr("error: this is a listing of machine code, not PTX text"));
  // What comes behind the text of a module.
  EXPECT_THAT(
      error_of(test::header() + "\nFatbin elf code:\n================\n"),
      HasSubstr("test.ptx:5:1: error: here a listing of cuobjdump goes on, which is no PTX text: end it before"));
  // A module may speak of them.
  EXPECT_NO_THROW(test::parse("// Fatbin ptx code:\n" + test::header() + "// code for sm_70\n"));
}

TEST(ForeignText, ZerosAndEndsOfLinesBehindTheText) {
  for (const std::string& end : {"\0"s, "\0\n"s, "\n\0\0\r\n\0 \n"s})
    EXPECT_NO_THROW(test::parse(test::kernel("") + end));
  EXPECT_THAT(error_of(test::kernel("") + "\0.entry"s), HasSubstr("`\\x00` cannot stand"));
  EXPECT_THAT(error_of(test::header() + ".entry"), HasSubstr("test.ptx:4:7: error: expected the name of the kernel"));
}

}  // namespace
}  // namespace syncline::isa
