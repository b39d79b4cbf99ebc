# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Headers, the package, and the modules with which the package chooses Kokkos in the consumer's
# configure run. Component karpos_development needs no build: there is nothing to compile.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(karpos_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/karpos")

install(TARGETS karpos EXPORT karposTargets
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT karpos_development)
install(EXPORT karposTargets NAMESPACE karpos:: DESTINATION "${karpos_package_dir}"
  COMPONENT karpos_development)

configure_package_config_file(
  "${CMAKE_CURRENT_SOURCE_DIR}/cmake/karposConfig.cmake.in" "${CMAKE_CURRENT_BINARY_DIR}/karposConfig.cmake"
  INSTALL_DESTINATION "${karpos_package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Headers alone: an installation made on one architecture serves every other.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/karposConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/karposConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/karposConfigVersion.cmake"
  cmake/KarposTarget.cmake cmake/KarposKokkos.cmake cmake/KarposLibraries.cmake cmake/blas_integer.cpp
  DESTINATION "${karpos_package_dir}" COMPONENT karpos_development)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/karpos"
  COMPONENT karpos_development)
