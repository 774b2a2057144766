# What is installed beside programs, libraries and headers: data, the CMake package, the license.
set(SYNCLINE_DATADIR ${CMAKE_INSTALL_DATADIR}/syncline)
install(DIRECTORY configs waves DESTINATION ${SYNCLINE_DATADIR} COMPONENT program)
install(DIRECTORY sc_main/examples DESTINATION ${SYNCLINE_DATADIR} COMPONENT development)
# Packages of the payloads that SystemVerilog of others has at its pins.
install(FILES models/rtl/atomic_pins.sv models/rtl/partition_pins.sv models/rtl/sm_pins.sv models/rtl/stall_pins.sv
  DESTINATION ${SYNCLINE_DATADIR}/rtl COMPONENT development)
install(DIRECTORY workloads DESTINATION ${SYNCLINE_DATADIR} COMPONENT program
  FILES_MATCHING PATTERN "*.ptx" PATTERN "ledger.yaml" PATTERN common EXCLUDE)

set(SYNCLINE_PACKAGEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/syncline)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/syncline-config.cmake.in syncline-config.cmake
  INSTALL_DESTINATION ${SYNCLINE_PACKAGEDIR} PATH_VARS SYNCLINE_DATADIR)
write_basic_package_version_file(syncline-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/syncline-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/syncline-config-version.cmake
  cmake/SynclineSystemC.cmake DESTINATION ${SYNCLINE_PACKAGEDIR} COMPONENT development)
install(EXPORT syncline FILE syncline-targets.cmake NAMESPACE Syncline:: DESTINATION ${SYNCLINE_PACKAGEDIR} COMPONENT development)

# By the name that Debian looks for, in the folder of each package.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/syncline RENAME copyright COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/syncline-dev RENAME copyright COMPONENT development)
# What the program holds of others.
install(FILES platform/report/d3-license.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/syncline COMPONENT program)
