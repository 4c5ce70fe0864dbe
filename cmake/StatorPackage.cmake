# What `cmake --install` leaves behind, in two components:
#
#   library   the public headers, an archive for every folder that a program may link, and the
#             descriptions by which find_package(stator COMPONENTS ...) and pkg-config find them
#   program   bin/stator
#
# A part of the package is a target stator::PART and a file stator-PART.pc. It is made of folders and
# of other parts, and brings along what they need and nothing else: stator::database has no HTTP
# client, stator::client no storage engine. docs/using.md lists them.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# stator_part(NAME FOLDERS folder... [PARTS part...] [NEEDS package...])
# NEEDS are packages of others, each "CMakePackage=pkg-config-name". In the order in which parts
# depend on each other. A part whose folders are not in this build is left out.
set(STATOR_PARTS)
function(stator_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;PARTS;NEEDS;FETCH")
  foreach(folder ${arg_FOLDERS})
    if(NOT TARGET stator_${folder})
      return()
    endif()
  endforeach()
  add_library(stator_part_${name} INTERFACE)
  set_target_properties(stator_part_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(stator_part_${name} INTERFACE cxx_std_23)
  target_include_directories(stator_part_${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set(own)
  set(libs)
  foreach(folder ${arg_FOLDERS})
    list(APPEND own stator_${folder})
    list(PREPEND libs -lstator_${folder}) # Whoever needs a folder stands before it.
    set_target_properties(stator_${folder} PROPERTIES EXPORT_NAME folder_${folder})
  endforeach()
  foreach(symbol ${arg_FETCH})
    list(PREPEND libs -Wl,-u,${symbol})
  endforeach()
  set(requires)
  foreach(part ${arg_PARTS})
    list(APPEND own stator_part_${part})
    list(APPEND requires stator-${part})
  endforeach()
  foreach(need ${arg_NEEDS})
    string(REGEX REPLACE ".*=" "" package ${need})
    list(APPEND requires ${package}) # Nothing for what has no description.
  endforeach()
  target_link_libraries(stator_part_${name} INTERFACE ${own})
  list(TRANSFORM arg_FOLDERS PREPEND stator_)
  install(TARGETS stator_part_${name} ${arg_FOLDERS} EXPORT statorTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)

  set(STATOR_PC_NAME stator-${name})
  list(JOIN libs " " STATOR_PC_LIBS)
  list(JOIN requires " " STATOR_PC_REQUIRES)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/stator.pc.in
    ${PROJECT_BINARY_DIR}/stator-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/stator-${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

  set(needs)
  foreach(part ${arg_PARTS})
    list(APPEND needs ${STATOR_NEEDS_${part}})
  endforeach()
  foreach(need ${arg_NEEDS})
    string(REGEX REPLACE "=.*" "" package ${need})
    list(APPEND needs ${package})
  endforeach()
  list(REMOVE_DUPLICATES needs)
  set(STATOR_NEEDS_${name} ${needs} PARENT_SCOPE)
  set(STATOR_PARTS ${STATOR_PARTS} ${name} PARENT_SCOPE)
endfunction()

file(RELATIVE_PATH include_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
set(STATOR_INCLUDE_FROM_PC "\${pcfiledir}/${include_from_pc}")

stator_part(core FOLDERS base value api expression policy request partiql open
  NEEDS OpenSSL=libcrypto simdjson=simdjson Threads=)
stator_part(database FOLDERS bulk storage keyspace engine home_embedded
  PARTS core NEEDS RocksDB=rocksdb ZLIB=zlib zstd=libzstd FETCH stator_embedded_home)
stator_part(client FOLDERS wire transport client home_remote
  PARTS core NEEDS ZLIB=zlib FETCH stator_remote_home)
stator_part(mapping FOLDERS mapping PARTS core NEEDS Boost=)
stator_part(patterns FOLDERS patterns PARTS core)
stator_part(provision FOLDERS provision PARTS mapping)
stator_part(files FOLDERS blob_files PARTS core)
stator_part(blobs FOLDERS blobs PARTS client files)
stator_part(entities FOLDERS entities PARTS mapping patterns)
stator_part(sessions FOLDERS sessions PARTS patterns provision blobs)
stator_part(events FOLDERS events PARTS patterns provision blobs NEEDS ZLIB=zlib)
stator_part(tasks FOLDERS tasks PARTS patterns provision files)
stator_part(schema FOLDERS schema PARTS entities provision)
stator_part(mcp FOLDERS mcp PARTS tasks)
stator_part(stator PARTS ${STATOR_PARTS})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stator
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

# What find_package(stator) looks for, by part.
set(STATOR_PACKAGE_NEEDS)
foreach(part ${STATOR_PARTS})
  string(APPEND STATOR_PACKAGE_NEEDS "set(stator_needs_${part} ${STATOR_NEEDS_${part}})\n")
endforeach()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stator)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/statorConfig.cmake.in
  ${PROJECT_BINARY_DIR}/statorConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/statorConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/statorConfig.cmake
  ${PROJECT_BINARY_DIR}/statorConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT library)
install(EXPORT statorTargets NAMESPACE stator:: DESTINATION ${package_dir} COMPONENT library)

# Everything that the library component consists of.
set(libraries)
foreach(part ${STATOR_PARTS})
  get_target_property(linked stator_part_${part} INTERFACE_LINK_LIBRARIES)
  list(APPEND libraries ${linked})
endforeach()
list(FILTER libraries EXCLUDE REGEX ^stator_part_)
list(REMOVE_DUPLICATES libraries)
add_custom_target(stator_package DEPENDS ${libraries})

if(TARGET stator)
  install(TARGETS stator RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
