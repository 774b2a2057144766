#include "platform/spec/platform_spec.h"

namespace syncline::platform {

template Configuration<PlatformSpec> read_configuration<PlatformSpec>(const ConfigurationInput&);
template std::string configuration_reference<PlatformSpec>();

}  // namespace syncline::platform
