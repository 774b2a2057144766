# Builds for aarch64 on another Debian machine: cmake --toolchain cmake/aarch64-linux-gnu.cmake. Needs the libraries of
# .ci/packages.txt for arm64 (dpkg --add-architecture arm64), crossbuild-essential-arm64, and qemu-user-static to run the tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)

find_program(SYNCLINE_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
if(SYNCLINE_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${SYNCLINE_EMULATOR})
endif()
