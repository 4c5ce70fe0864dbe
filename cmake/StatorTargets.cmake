# One library per folder under src/, one test program per folder, all with the same flags.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Paths relative to the source tree and the compiler known by its bytes, so that a clone in another place,
# or in another root (tools/fresh_debian), finds what this one compiled. Of ccache's checks only those are left out
# that precompiled headers need: without the one of a header's time, what was compiled while somebody
# changed the header was given to others as if it were made of the new one.
find_program(STATOR_CCACHE ccache)
if(STATOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content CCACHE_PCH_EXTSUM=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${STATOR_CCACHE})
endif()

# Linking is a good part of a small rebuild; take the fastest linker that is there.
find_program(STATOR_MOLD mold)
if(STATOR_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(stator_options INTERFACE)
target_include_directories(stator_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(stator_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A false alarm of g++ 12 inside std::string.
  target_compile_options(stator_options INTERFACE -Wno-restrict)
else()
  # Clang counts the first to -Wconversion, g++ does not. The second is what stator/base/mutex.h promises:
  # nobody touches a datum without its mutex. The third is about std::stable_sort of libstdc++ 12.
  target_compile_options(stator_options INTERFACE -Wno-sign-conversion -Wthread-safety
    -Wno-deprecated-declarations)
endif()

set(STATOR_SANITIZE "" CACHE STRING "Value for -fsanitize=, e.g. address,undefined")
if(STATOR_SANITIZE)
  set(checks -fsanitize=${STATOR_SANITIZE})
  if(STATOR_SANITIZE MATCHES "address,undefined")
    # Three checks at every use of a pointer: two fifths of the time to compile and half of the bytes.
    # The address sanitizer stops at null pointers, too; fuzz targets keep all three.
    list(APPEND checks -fno-sanitize=null,alignment,vptr)
  endif()
  if(STATOR_FUZZERS)
    set(checks -fsanitize=${STATOR_SANITIZE})
  endif()
  add_compile_options(${checks} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${STATOR_SANITIZE})
  if(STATOR_SANITIZE MATCHES "address")
    # What the sanitizers add is full of addresses: a third less to write and to relocate at start.
    set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
    add_compile_options(-fno-pie)
    add_link_options(-no-pie)
  endif()
  if(STATOR_SANITIZE MATCHES "thread")
    # Boost.Asio has fences besides its locks; the sanitizer understands the locks and warns of them.
    add_compile_options(-Wno-tsan)
  endif()
endif()
option(STATOR_COVERAGE "Count which lines run" OFF)
if(STATOR_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
else()
  # A program says src/base/x.cc wherever it was built. gcovr looks for the real paths.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

set(STATOR_GROUP_FILES 1 CACHE STRING
  "How many files are compiled as one: the more, the less time for all, and the more for a change of one")
if(STATOR_GROUP_FILES GREATER 1)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # Groups name their files from here, and g++ takes for a header what a group includes.
  target_compile_options(stator_options INTERFACE -iquote ${PROJECT_SOURCE_DIR}
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# stator_group(TARGET FILES): replaces the names in the variable FILES by those of what to compile.
function(stator_group target files)
  set(sources)
  set(others)
  foreach(file ${${files}})
    if(NOT file MATCHES "^\\$<")
      cmake_path(ABSOLUTE_PATH file NORMALIZE)
    endif()
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${file} is_made)
    if(is_made OR file MATCHES "^\\$<") # Made by the build, or the objects of a target.
      list(APPEND others ${file})
    else()
      list(APPEND sources ${file})
    endif()
  endforeach()
  if(STATOR_GROUP_FILES GREATER 1 AND sources)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/group_sources.py
        ${PROJECT_BINARY_DIR}/groups/${target} ${STATOR_GROUP_FILES} ${sources}
      OUTPUT_VARIABLE sources COMMAND_ERROR_IS_FATAL ANY)
  endif()
  set(${files} ${sources} ${others} PARENT_SCOPE)
endfunction()

# Reading the headers that nearly every file includes is a third of what clang does for it. They are read
# once (cmake/precompiled/), for all targets with the same flags.
#
# The precompiled file names the folder it was made in, so it is never taken from ccache. What is compiled with it
# may be: ccache reads the headers as text, and knows the file itself by a sum that is the same in every clone. CMake's
# own way to use it (REUSE_FROM) has the folder in its flags; clang finds it beside the header, too.
option(STATOR_PRECOMPILED "Read the common headers once (needs clang and the tests' libraries)" OFF)
if(STATOR_PRECOMPILED)
  set(header ${PROJECT_SOURCE_DIR}/cmake/precompiled/stator_precompiled.h)
  set(STATOR_PRECOMPILED_HEADER ${PROJECT_BINARY_DIR}/CMakeFiles/stator_precompiled.dir/cmake_pch.hxx)
  target_include_directories(stator_options INTERFACE ${PROJECT_SOURCE_DIR}/cmake/precompiled)
  add_library(stator_precompiled OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled/precompiled.cc)
  target_link_libraries(stator_precompiled PRIVATE stator_options GTest::gmock rapidcheck simdjson::simdjson)
  target_precompile_headers(stator_precompiled PRIVATE <stator_precompiled.h>)
  set_target_properties(stator_precompiled PROPERTIES CXX_COMPILER_LAUNCHER "")
  file(SHA256 ${header} sum)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(WRITE ${STATOR_PRECOMPILED_HEADER}.pch.sum ${sum})
endif()

function(stator_precompile target)
  if(STATOR_PRECOMPILED)
    set(wanted $<NOT:$<BOOL:$<TARGET_PROPERTY:DISABLE_PRECOMPILE_HEADERS>>>)
    target_compile_options(${target} PRIVATE "SHELL:$<${wanted}:-include ${STATOR_PRECOMPILED_HEADER}>")
    get_target_property(files ${target} SOURCES)
    list(FILTER files EXCLUDE REGEX "^\\$<") # The objects of a target.
    set_property(SOURCE ${files} APPEND PROPERTY OBJECT_DEPENDS ${STATOR_PRECOMPILED_HEADER}.pch)
    add_dependencies(${target} stator_precompiled)
  endif()
endfunction()

# stator_library(FOLDER [SMALL] SOURCES file... [LINKS target...] [PRIVATE_LINKS target...])
# SMALL: its speed is noticed by nobody, so that an optimised build looks at its size instead.
function(stator_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SMALL" "" "SOURCES;LINKS;PRIVATE_LINKS")
  stator_group(stator_${folder} arg_SOURCES)
  add_library(stator_${folder} STATIC ${arg_SOURCES})
  target_link_libraries(stator_${folder} PUBLIC $<BUILD_INTERFACE:stator_options> ${arg_LINKS}
    PRIVATE ${arg_PRIVATE_LINKS})
  if(arg_SMALL)
    target_compile_options(stator_${folder} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Os>)
  endif()
  stator_precompile(stator_${folder})
endfunction()

# stator_test(NAME SOURCES file... [LINKS target...] [LABELS label...] [TIMEOUT seconds] [COST seconds])
# One program per folder or suite; ctest runs it as one test. Without TIMEOUT, ./dev decides. ctest
# begins with what costs most, so that nothing long runs alone at the end.
function(stator_test name)
  if(NOT STATOR_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;COST" "SOURCES;LINKS;LABELS")
  stator_group(${name} arg_SOURCES)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stator_options ${arg_LINKS}
    GTest::gmock GTest::gtest_main rapidcheck)
  stator_precompile(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
  if(arg_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

# stator_refusal_test(NAME FILE): FILE must not compile, and the compiler must say why
# in the words that FILE announces; see tools/check_refusals.py.
function(stator_refusal_test name file)
  find_program(STATOR_PYTHON python3)
  if(NOT STATOR_TESTS OR NOT STATOR_PYTHON)
    return()
  endif()
  add_test(NAME ${name}
    COMMAND ${STATOR_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_refusals.py
      ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${CMAKE_CXX_COMPILER} -std=c++23
      -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)
endfunction()

# stator_bench(NAME SOURCES file... [LINKS target...])
function(stator_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stator_options ${arg_LINKS} benchmark::benchmark)
endfunction()

# stator_fuzzer(NAME SOURCES file... [LINKS target...]): one libFuzzer program.
function(stator_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stator_options ${arg_LINKS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
