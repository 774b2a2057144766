# Everything the project builds on. All of it is packaged by Debian; nothing is fetched.
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)

include(FindSystemC)
syncline_find_systemc()
