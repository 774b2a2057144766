# Everything the project builds on. All of it is packaged by Debian; nothing is fetched. What the libraries need is
# looked for by syncline-config.cmake.in, too.
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB QUIET)  # with fstapi: waves in FST
find_path(SYNCLINE_FSTAPI fstapi.c HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator PATH_SUFFIXES include/gtkwave
  DOC "Folder of GTKWave's fstapi, which comes with Verilator")

include(${CMAKE_CURRENT_LIST_DIR}/SynclineSystemC.cmake)
syncline_find_systemc(_problem)
if(_problem)
  message(FATAL_ERROR "${_problem}")
endif()
