# What `cmake --install` leaves behind, in two components:
#
#   library   libstator.a of all folders that a program may link, the public headers, and the
#             descriptions by which find_package(stator) and pkg-config find them
#   program   bin/stator
#
# The archive is made of the objects that the folders' own libraries consist of; nothing is compiled
# twice.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The server and the command line are not for linking.
set(packaged base value api mapping patterns provision expression storage keyspace engine wire
  transport client home blobs tasks entities sessions events schema)
set(objects)
foreach(folder ${packaged})
  if(TARGET stator_${folder})
    list(APPEND objects $<TARGET_OBJECTS:stator_${folder}>)
  endif()
endforeach()

if(TARGET stator_home)
  add_library(stator_archive STATIC ${objects})
  set_target_properties(stator_archive PROPERTIES
    OUTPUT_NAME stator EXPORT_NAME stator LINKER_LANGUAGE CXX)
  target_compile_features(stator_archive INTERFACE cxx_std_23)
  target_include_directories(stator_archive INTERFACE $<INSTALL_INTERFACE:include>)
  target_link_libraries(stator_archive INTERFACE RocksDB::rocksdb-shared simdjson::simdjson
    CURL::libcurl OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB Threads::Threads)

  install(TARGETS stator_archive EXPORT statorTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stator
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stator)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/statorConfig.cmake.in
    ${PROJECT_BINARY_DIR}/statorConfig.cmake INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/statorConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/statorConfig.cmake
    ${PROJECT_BINARY_DIR}/statorConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT library)
  install(EXPORT statorTargets NAMESPACE stator:: DESTINATION ${package_dir} COMPONENT library)

  file(RELATIVE_PATH include_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig
    /${CMAKE_INSTALL_INCLUDEDIR})
  set(STATOR_INCLUDE_FROM_PC "\${pcfiledir}/${include_from_pc}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/stator.pc.in ${PROJECT_BINARY_DIR}/stator.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/stator.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endif()

if(TARGET stator)
  install(TARGETS stator RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
