# What the program is linked with.
#
# The loader looks up every symbol of a shared library that another one might define, at every start:
# nearly 15,000, most of them RocksDB's, which was half of the work of a start. So the program takes
# libraries from their archives where these are there, and has only addresses to adjust.
# Libraries for other programs (StatorPackage.cmake) and the tests keep to the shared ones. The libraries of
# the compiler are always shared, and so is OpenSSL, which the program loads when it first needs it: they
# are mended without building anything again.

# stator_archived(NAME SHARED library ARCHIVES name...)
# The library stator_NAME: `SHARED` for everybody but the program, which gets the archives if all are there.
function(stator_archived name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARED" "ARCHIVES")
  set(found)
  foreach(archive ${arg_ARCHIVES})
    find_library(STATOR_ARCHIVE_${archive} ${CMAKE_STATIC_LIBRARY_PREFIX}${archive}${CMAKE_STATIC_LIBRARY_SUFFIX})
    mark_as_advanced(STATOR_ARCHIVE_${archive})
    if(NOT STATOR_ARCHIVE_${archive})
      message(STATUS "lib${archive}.a is not there: the program is linked with the shared ${name}")
      set(found ${arg_SHARED})
      break()
    endif()
    list(APPEND found ${STATOR_ARCHIVE_${archive}})
  endforeach()
  add_library(stator_${name} INTERFACE)
  foreach(library ${found})
    target_link_libraries(stator_${name} INTERFACE $<$<BOOL:$<TARGET_PROPERTY:STATOR_ARCHIVED>>:${library}>)
  endforeach()
  target_link_libraries(stator_${name} INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:STATOR_ARCHIVED>>>:${arg_SHARED}>)
endfunction()

# stator_on_demand(NAME SHARED): the library stator_NAME, `SHARED` for everybody but the program, which has
# functions of its own that load it (src/cli/openssl_on_demand.cc).
function(stator_on_demand name shared)
  add_library(stator_${name} INTERFACE)
  target_link_libraries(stator_${name} INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:STATOR_ARCHIVED>>>:${shared}>)
endfunction()

# stator_program(TARGET): an executable for users. With sanitizers it keeps to the shared libraries, which
# their lists of exceptions name.
function(stator_program target)
  if(STATOR_SANITIZE OR STATOR_COVERAGE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES STATOR_ARCHIVED ON)
  target_link_libraries(${target} PRIVATE stator_openssl_on_demand ${CMAKE_DL_LIBS})
  # Nobody links with a program: what is not used goes, and nothing is offered to shared libraries. GNU ld,
  # because mold 1.10 does not say which glibc packed relocations need, and glibc refuses them then; GNU ld also
  # keeps apart what runs only at the start, and what runs only when something fails.
  target_link_options(${target} PRIVATE -fuse-ld=bfd -Wl,--gc-sections -Wl,--exclude-libs,ALL
    -Wl,-z,pack-relative-relocs)
endfunction()
