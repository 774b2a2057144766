# Provides the target Syncline::SystemC, here and in the projects of those who use an installed Syncline.
#
# SystemC's own CMake package (2.3.x and 3.0.x install one) is preferred where it is found; Debian ships the
# library with pkg-config files only. SystemC's binary interface depends on the C++ standard it was built with, so
# a mismatch is told here, not by the linker.
#
# syncline_find_systemc(PROBLEM): sets PROBLEM to why there is none; empty: the target is there.
function(syncline_find_systemc problem)
  set(${problem} "" PARENT_SCOPE)
  if(TARGET Syncline::SystemC)
    return()
  endif()
  if(NOT CMAKE_CXX_STANDARD)
    set(CMAKE_CXX_STANDARD 17)  # as SynclineOptions.cmake has it
  endif()

  # Every build of SystemC enters itself in the user's package registry; only one that is installed or named is meant.
  find_package(SystemCLanguage CONFIG QUIET NO_CMAKE_PACKAGE_REGISTRY)
  if(SystemCLanguage_FOUND)
    if(DEFINED SystemC_CXX_STANDARD AND NOT SystemC_CXX_STANDARD STREQUAL "${CMAKE_CXX_STANDARD}")
      set(${problem} "SystemC at ${SystemCLanguage_DIR} was built for C++${SystemC_CXX_STANDARD}, Syncline is built for \
C++${CMAKE_CXX_STANDARD}. Rebuild SystemC with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}, or install Debian's \
libsystemc-dev." PARENT_SCOPE)
      return()
    endif()
    set(library SystemC::systemc)
    set(origin "CMake package ${SystemCLanguage_DIR}")
  else()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc>=2.3.3)
    endif()
    if(NOT SYSTEMC_FOUND)
      set(${problem} "SystemC was not found, neither as a CMake package (SystemCLanguage) nor by pkg-config \
(systemc >= 2.3.3). On Debian: apt-get install libsystemc-dev" PARENT_SCOPE)
      return()
    endif()
    set(library PkgConfig::SYSTEMC)
    set(origin "pkg-config, version ${SYSTEMC_VERSION}")
  endif()

  # The library exports one symbol whose name holds the C++ standard: linking finds a mismatch.
  set(links SYNCLINE_SYSTEMC_LINKS_CXX${CMAKE_CXX_STANDARD})
  include(CheckCXXSourceCompiles)
  include(CMakePushCheckState)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_LIBRARIES ${library} Threads::Threads)
  set(CMAKE_REQUIRED_DEFINITIONS -DSC_INCLUDE_DYNAMIC_PROCESSES)
  set(CMAKE_REQUIRED_QUIET ${syncline_FIND_QUIETLY})
  check_cxx_source_compiles(
    "#include <systemc>\nint sc_main(int, char**) { sc_core::sc_time t; return t.value() != 0; }" ${links})
  cmake_pop_check_state()
  if(NOT ${links})
    unset(${links} CACHE)  # look again when SystemC has been mended
    set(${problem} "SystemC (${origin}) does not link with C++${CMAKE_CXX_STANDARD}: it was most likely built for \
another C++ standard. Debian's libsystemc-dev 2.3.4 links with C++17." PARENT_SCOPE)
    return()
  endif()

  # Imported, so that it is found again where Syncline is installed, not installed with it.
  add_library(Syncline::SystemC INTERFACE IMPORTED)
  target_link_libraries(Syncline::SystemC INTERFACE ${library} Threads::Threads)
  target_compile_definitions(Syncline::SystemC INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
  if(NOT syncline_FIND_QUIETLY)
    message(STATUS "SystemC: ${origin}")
  endif()
endfunction()
