# stator_home_tests(NAME name SOURCES file... [LINKS target...] [HOMES home...] [TIMEOUT seconds])
# Compiles the cases once and links them with each home: name_memory_test, name_files_test, ... A
# home whose target home_NAME does not exist in this build is left out. HOMES is all of them when
# it is not given.
function(stator_home_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "SOURCES;LINKS;HOMES")
  if(NOT arg_HOMES)
    set(arg_HOMES memory files server local)
  endif()
  set(cases ${arg_NAME}_cases)
  stator_group(${cases} arg_SOURCES)
  add_library(${cases} OBJECT ${arg_SOURCES})
  target_include_directories(${cases} PUBLIC ${PROJECT_SOURCE_DIR}/test)
  target_link_libraries(${cases} PUBLIC stator_options ${arg_LINKS} GTest::gmock rapidcheck)
  foreach(home ${arg_HOMES})
    if(TARGET home_${home})
      stator_test(${arg_NAME}_${home}_test SOURCES $<TARGET_OBJECTS:home_${home}>
        LINKS ${cases} home_${home} ${arg_LINKS} LABELS ${home} TIMEOUT ${arg_TIMEOUT})
    endif()
  endforeach()
endfunction()
