#!/usr/bin/env bash
# Configures the project against SystemC by pkg-config and by a CMake package, and with C++ standards that do not fit.
set -u
. "$(dirname "$0")/configures.sh"

# A CMake package as SystemC installs it, for the library that pkg-config knows: package FOLDER STANDARD
package() {
  mkdir -p "$1"
  cat >"$1/SystemCLanguageConfig.cmake" <<END
set(SystemC_CXX_STANDARD $2)
if(NOT TARGET SystemC::systemc)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(UNDERLYING REQUIRED IMPORTED_TARGET GLOBAL systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::UNDERLYING)
endif()
END
}

configures pass "SystemC: pkg-config, version"
configures fail "does not link with C++20" -DCMAKE_CXX_STANDARD=20
package "$scratch/fits" 17
configures pass "SystemC: CMake package" -DSystemCLanguage_DIR="$scratch/fits"
package "$scratch/older" 14
configures fail "was built for C++14, Syncline is built for C++17" -DSystemCLanguage_DIR="$scratch/older"
echo "SystemC is found, or it is said why not"
