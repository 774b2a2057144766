# What reports are drawn by becomes a part of the program, so that it needs no file beside it: the page's files, and D3,
# which is Debian's package node-d3.
find_file(SYNCLINE_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_DEFAULT_PATH
  DOC "D3 (d3js.org) in one file, version 5 or later, for the pages of --report")
if(NOT SYNCLINE_D3)
  message(FATAL_ERROR "no d3.min.js for the pages of --report; expected Debian's package node-d3, or -DSYNCLINE_D3=FILE")
endif()

# syncline_embed(TARGET OUTPUT HEADER NAMESPACE NAME FILE...): OUTPUT defines, for each NAME, a text that is FILE.
function(syncline_embed target output header namespace)
  set(parts "// Made from the files that it names.\n#include \"${header}\"\n\nnamespace ${namespace} {\n")
  while(ARGN)
    list(POP_FRONT ARGN name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND parts "// ${file}\nconst char* const ${name} = R\"embedded(${text})embedded\";\n")
  endwhile()
  # Not configured: the texts have @ and $ of their own.
  file(WRITE ${output}.new "${parts}}  // namespace ${namespace}\n")
  file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON CXX_CLANG_TIDY ""
    COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
