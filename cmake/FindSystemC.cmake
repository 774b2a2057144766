# Provides the target Syncline::SystemC.
#
# SystemC's own CMake package (2.3.x and 3.0.x install one) is preferred where it is found; Debian ships the
# library with pkg-config files only. SystemC's binary interface depends on the C++ standard it was built with, so
# a mismatch is told here, not by the linker.
function(syncline_find_systemc)
  add_library(syncline_systemc INTERFACE)
  add_library(Syncline::SystemC ALIAS syncline_systemc)

  # Every build of SystemC enters itself in the user's package registry; only one that is installed or named is meant.
  find_package(SystemCLanguage CONFIG QUIET NO_CMAKE_PACKAGE_REGISTRY)
  if(SystemCLanguage_FOUND)
    if(DEFINED SystemC_CXX_STANDARD AND NOT SystemC_CXX_STANDARD STREQUAL "${CMAKE_CXX_STANDARD}")
      message(FATAL_ERROR
        "SystemC at ${SystemCLanguage_DIR} was built for C++${SystemC_CXX_STANDARD}, Syncline is built for "
        "C++${CMAKE_CXX_STANDARD}. Rebuild SystemC with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}, or install Debian's "
        "libsystemc-dev.")
    endif()
    target_link_libraries(syncline_systemc INTERFACE SystemC::systemc)
    set(_origin "CMake package ${SystemCLanguage_DIR}")
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc>=2.3.3)
    if(NOT SYSTEMC_FOUND)
      message(FATAL_ERROR "SystemC was not found, neither as a CMake package (SystemCLanguage) nor by pkg-config "
        "(systemc >= 2.3.3). On Debian: apt-get install libsystemc-dev")
    endif()
    target_link_libraries(syncline_systemc INTERFACE PkgConfig::SYSTEMC)
    set(_origin "pkg-config, version ${SYSTEMC_VERSION}")
  endif()
  target_link_libraries(syncline_systemc INTERFACE Threads::Threads)
  target_compile_definitions(syncline_systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)

  # The library exports one symbol whose name holds the C++ standard: linking finds a mismatch.
  include(CheckCXXSourceCompiles)
  include(CMakePushCheckState)
  cmake_push_check_state(RESET)
  # Only imported targets exist inside the check's own small project.
  get_target_property(CMAKE_REQUIRED_LIBRARIES syncline_systemc INTERFACE_LINK_LIBRARIES)
  check_cxx_source_compiles(
    "#include <systemc>\nint sc_main(int, char**) { sc_core::sc_time t; return t.value() != 0; }" SYNCLINE_SYSTEMC_LINKS)
  cmake_pop_check_state()
  if(NOT SYNCLINE_SYSTEMC_LINKS)
    unset(SYNCLINE_SYSTEMC_LINKS CACHE)  # look again when SystemC has been mended
    message(FATAL_ERROR "SystemC (${_origin}) does not link with C++${CMAKE_CXX_STANDARD}: it was most likely built for "
      "another C++ standard. Debian's libsystemc-dev 2.3.4 links with C++17.")
  endif()
  message(STATUS "SystemC: ${_origin}")
endfunction()
