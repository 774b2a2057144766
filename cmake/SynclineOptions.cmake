# Language, warnings and build flavours, for every target of the project. In somebody else's project (add_subdirectory)
# nothing is set for his targets, and what is ours alone is off.
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)  # Debian's SystemC is built for it; -DCMAKE_CXX_STANDARD=20 with a SystemC built for that
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

option(SYNCLINE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(SYNCLINE_CORE_TESTS "Build all unit tests; without, not those for which `./check asan` is enough" ON)
option(SYNCLINE_JOIN_TESTS "Compile several files of tests at once: faster from nothing, slower after a change" OFF)
option(SYNCLINE_PRECOMPILE "Read large headers once for each target: faster from nothing, slower after a change" OFF)
option(SYNCLINE_BENCHMARKS "Build the Google Benchmark programs" ${PROJECT_IS_TOP_LEVEL})
option(SYNCLINE_EXAMPLES "Build the platforms of sc_main/examples" ${PROJECT_IS_TOP_LEVEL})
option(SYNCLINE_INSTALL "Install programs, libraries, headers and data" ${PROJECT_IS_TOP_LEVEL})
option(SYNCLINE_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(SYNCLINE_WIDE_LANES "Build the lane kernels for AVX2 and AVX-512, too" ON)
option(SYNCLINE_RTL "Build the blocks in SystemVerilog, too, where Verilator is found" ON)
option(SYNCLINE_FST "Write waves as FST, too, where Verilator's fstapi and zlib are found" ON)
option(SYNCLINE_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(SYNCLINE_SANITIZE "" CACHE STRING "Sanitizers for the whole build, for example address;undefined")
set(_check_tiles OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR SYNCLINE_SANITIZE)
  set(_check_tiles ON)
endif()
option(SYNCLINE_CHECK_TILES "Abort when a tile touches another one's state" ${_check_tiles})
option(SYNCLINE_SHUFFLE_THREADS "Threads of one simulation begin and end in random order" OFF)
option(SYNCLINE_TAPS "Blocks ask whether somebody listens to them; without, benchmarks/taps.sh measures what asking costs" ON)
option(SYNCLINE_COVERAGE "Instrument for gcov" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(syncline_flags INTERFACE)
target_compile_options(syncline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wimplicit-fallthrough
  # PTX arithmetic is bit exact: the host compiler must neither fuse nor reassociate it.
  -ffp-contract=off -fno-fast-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 takes the inactive members of std::variant and std::optional for uninitialised reads when it inlines.
  target_compile_options(syncline_flags INTERFACE -Wno-maybe-uninitialized)
  # What is reached less than once in a thousand calls, as it guesses, GCC makes small rather than fast: also the fast
  # ways behind a few conditions. There, and for sets of more than 128 bytes everywhere, it has the processor copy by
  # `rep movs`, which takes some thirty cycles to begin.
  target_compile_options(syncline_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:--param=hot-bb-frequency-fraction=100000>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(_strategy vector_loop:512:noalign,libcall:-1:noalign)
    target_compile_options(syncline_flags INTERFACE -mmemcpy-strategy=${_strategy} -mmemset-strategy=${_strategy})
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Hints to GCC's vectoriser (`#pragma GCC ivdep`, a vector width in a target attribute) say nothing to clang.
  target_compile_options(syncline_flags INTERFACE -Wno-unknown-pragmas -Wno-ignored-attributes)
endif()
if(SYNCLINE_WERROR)
  target_compile_options(syncline_flags INTERFACE -Werror)
endif()
set(SYNCLINE_INSTRUMENTS "")  # what whoever links our libraries has to link with, too
if(SYNCLINE_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${SYNCLINE_SANITIZE}")
  target_compile_options(syncline_flags INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # AddressSanitizer sees what these see, but for alignment, which no host of ours minds; they are a fifth of the build.
  if(_sanitizers MATCHES "address.*undefined")
    target_compile_options(syncline_flags INTERFACE -fno-sanitize=null,alignment,object-size)
  endif()
  list(APPEND SYNCLINE_INSTRUMENTS -fsanitize=${_sanitizers})
endif()
if(SYNCLINE_COVERAGE)
  target_compile_options(syncline_flags INTERFACE --coverage)
  list(APPEND SYNCLINE_INSTRUMENTS --coverage)
endif()
target_link_options(syncline_flags INTERFACE ${SYNCLINE_INSTRUMENTS})
