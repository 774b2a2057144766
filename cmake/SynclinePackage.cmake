# Debian packages: `cpack -G DEB` in the build folder makes `syncline` (the program and its data) and `syncline-dev`
# (libraries, headers, CMake package).
set(CPACK_PACKAGE_CONTACT "Syncline maintainers <maintainers@users.noreply.a-seed-08ea26a3.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Runs PTX programs on a timed model of SMs, caches, crossbars and DRAM, in which the \
bytes really travel, for those who design how GPUs synchronize: coherence, determinism, transactions.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${CPACK_COMPONENT_PROGRAM_DESCRIPTION} Libraries, headers and a CMake package \
for platforms of one's own.")

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ${BUILD_SHARED_LIBS})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME syncline)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME syncline-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# What syncline-config.cmake looks for.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "syncline (= ${PROJECT_VERSION}), libboost-dev, libcli11-dev, libfmt-dev, \
libsqlite3-dev, libsystemc-dev, libyaml-cpp-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
include(CPack)
