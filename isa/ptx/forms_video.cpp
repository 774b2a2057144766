// Video instructions, scalar and SIMD (PTX ISA: Video Instructions).
#include "isa/ptx/forms.h"

namespace syncline::isa {
namespace {

void add_scalar(std::vector<FormRow>& rows, std::string_view opcode) {
  rows.push_back({opcode, "$i32 $i32 $i32 .sat?", "=^t ^s ^r t?"});  // c: what the other parts of d become
  rows.push_back({opcode, "$i32 $i32 $i32 .sat? second:.add/.min/.max", "=t ^s ^r t"});
}

void add_simd(std::vector<FormRow>& rows, std::string_view opcode) {
  rows.push_back({opcode, "$i32 $i32 $i32 .sat?", "=^t ^s ^r t"});
  rows.push_back({opcode, "$i32 $i32 $i32 simd:.add", "=^t ^s ^r t"});
}

std::vector<FormRow> make_rows() {
  std::vector<FormRow> rows;
  for (const char* opcode : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) add_scalar(rows, opcode);
  for (const char* opcode : {"vshl", "vshr"}) {
    rows.push_back({opcode, "$i32 $i32 .u32 .sat? .clamp/.wrap", "=^t ^s ^r t?"});
    rows.push_back({opcode, "$i32 $i32 .u32 .sat? .clamp/.wrap second:.add/.min/.max", "=t ^s ^r t"});
  }
  rows.push_back({"vmad", "$i32 $i32 $i32 .sat? .shr7/.shr15?", "=t -^s -^r -t"});
  rows.push_back({"vmad", "$i32 $i32 $i32 .po .sat? .shr7/.shr15?", "=t ^s ^r t"});
  rows.push_back({"vset", "$i32 $i32 cmp:.eq/.ne/.lt/.le/.gt/.ge", "=^u32 ^t ^s u32?"});
  rows.push_back({"vset", "$i32 $i32 cmp:.eq/.ne/.lt/.le/.gt/.ge second:.add/.min/.max", "=u32 ^t ^s u32"});
  for (const char* opcode : {"vadd2", "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2", "vabsdiff4", "vmin2",
                             "vmin4", "vmax2", "vmax4"})
    add_simd(rows, opcode);
  for (const char* opcode : {"vset2", "vset4"}) {
    rows.push_back({opcode, "$i32 $i32 cmp:.eq/.ne/.lt/.le/.gt/.ge", "=^u32 ^t ^s u32"});
    rows.push_back({opcode, "$i32 $i32 cmp:.eq/.ne/.lt/.le/.gt/.ge simd:.add", "=^u32 ^t ^s u32"});
  }
  return rows;
}

}  // namespace

const std::vector<FormRow>& video_forms() {
  static const std::vector<FormRow> rows = make_rows();
  return rows;
}

}  // namespace syncline::isa
