#include "models/z_unit/depth_family.h"

namespace syncline::models {

const MessageFamily depth_family{"depth",
                                 "writes that are ordered by depth, whatever the order of their arrival",
                                 {},
                                 {{"z_commit", "depth"}},
                                 {{"write", 0, protocols::Payload::touched, sizeof(DepthBody), 0, Passage::as_store,
                                   "write where the depth is at most the stored one"},
                                  {"clear", 0, protocols::Payload::touched, sizeof(DepthBody), 0, Passage::as_store,
                                   "all depths of the partition become the farthest"}}};

}  // namespace syncline::models
