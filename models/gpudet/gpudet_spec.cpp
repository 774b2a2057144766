#include "models/gpudet/gpudet_spec.h"

namespace syncline::models {

const base::ChoiceTable<CommitKind>& commit_kinds() {
  static const base::ChoiceTable<CommitKind> table{{"z_unit", CommitKind::z_unit}, {"lock", CommitKind::lock}};
  return table;
}

const base::ChoiceTable<ByteStores>& byte_stores_names() {
  static const base::ChoiceTable<ByteStores> table{{"parallel", ByteStores::parallel}, {"serial", ByteStores::serial}};
  return table;
}

const base::ChoiceTable<BloomSize>& bloom_sizes() {
  static const base::ChoiceTable<BloomSize> table{{"128", BloomSize::b128},
                                                  {"256", BloomSize::b256},
                                                  {"512", BloomSize::b512},
                                                  {"1024", BloomSize::b1024},
                                                  {"ideal", BloomSize::ideal}};
  return table;
}

const base::ChoiceTable<OverlapBloom>& overlap_bloom_sizes() {
  static const base::ChoiceTable<OverlapBloom> table{{"1024", OverlapBloom::b1024},
                                                     {"4096", OverlapBloom::b4096},
                                                     {"16384", OverlapBloom::b16384},
                                                     {"65536", OverlapBloom::b65536},
                                                     {"ideal", OverlapBloom::ideal}};
  return table;
}

}  // namespace syncline::models
