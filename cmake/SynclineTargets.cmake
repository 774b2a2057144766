# What is built, and what of it is installed.
include(GNUInstallDirs)

# syncline_publish(TARGET NAME HEADERS...): the library is Syncline::NAME for everybody, here and where it is installed. How
# it is compiled (syncline_flags) is nobody else's matter.
function(syncline_publish target name)
  add_library(Syncline::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARGN})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:syncline_flags>)
  target_link_options(${target} INTERFACE ${SYNCLINE_INSTRUMENTS})
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  syncline_install(${target} FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/syncline COMPONENT development)
endfunction()

# syncline_install(TARGET ARTIFACTS...): a library or program that is installed, and is part of the CMake package.
function(syncline_install target)
  if(NOT SYNCLINE_INSTALL)
    return()
  endif()
  if(BUILD_SHARED_LIBS)  # what is installed together finds each other, wherever it is moved
    file(RELATIVE_PATH libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/${libraries}")
  endif()
  install(TARGETS ${target} EXPORT syncline RUNTIME COMPONENT program
    LIBRARY COMPONENT program NAMELINK_COMPONENT development ARCHIVE COMPONENT development ${ARGN})
endfunction()

# syncline_join(TARGET SOURCES...): which files of a target CMAKE_UNITY_BUILD joins. By place in the list: a file that one
# preset compiles alone does not shift what the others join.
function(syncline_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(place 0)
  foreach(source IN LISTS ARGN)
    math(EXPR group "${place} / 16")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    math(EXPR place "${place} + 1")
  endforeach()
endfunction()

# syncline_precompile(TARGET ...): target_precompile_headers, of headers that many files of a target begin with.
function(syncline_precompile)
  if(SYNCLINE_PRECOMPILE)
    target_precompile_headers(${ARGN})
  endif()
endfunction()

# One library per floor of the house, static unless BUILD_SHARED_LIBS. The link interface repeats the import rule: a
# floor that includes what it may not include does not link, and tests/layering says so by name.
function(syncline_library name)
  cmake_parse_arguments(ARG "SYSTEMC" "" "LINK;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  foreach(pattern IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${pattern})
    list(FILTER headers EXCLUDE REGEX ${pattern})
  endforeach()
  add_library(syncline_${name} ${sources})
  target_link_libraries(syncline_${name} PUBLIC ${ARG_LINK})
  if(ARG_SYSTEMC)
    target_link_libraries(syncline_${name} PUBLIC Syncline::SystemC)
  endif()
  set_target_properties(syncline_${name} PROPERTIES LINKER_LANGUAGE CXX)
  syncline_publish(syncline_${name} ${name} ${headers})
  syncline_join(syncline_${name} ${sources})
endfunction()
