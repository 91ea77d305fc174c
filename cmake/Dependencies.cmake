# Every library is a Debian package; README.md lists them.
find_package(PkgConfig REQUIRED)
find_package(MPI REQUIRED COMPONENTS C CXX)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc>=3.18)
find_package(Zoltan REQUIRED)
# Debian's parallel HDF5 by pkg-config; elsewhere by CMake's module, whose compiler wrapper fails in
# folders with a blank in their name.
pkg_check_modules(HDF5 IMPORTED_TARGET hdf5-openmpi)
if(NOT HDF5_FOUND)
  set(HDF5_PREFER_PARALLEL ON)
  find_package(HDF5 REQUIRED COMPONENTS C)
  if(NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR "scree needs parallel HDF5: install libhdf5-openmpi-dev")
  endif()
endif()
find_package(yaml-cpp REQUIRED)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
find_package(Boost REQUIRED)  # headers only: Boost.Math
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_path(EIGEN3_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)

add_library(scree_eigen INTERFACE)
target_include_directories(scree_eigen SYSTEM INTERFACE ${EIGEN3_INCLUDE_DIR})

add_library(scree_petsc INTERFACE)
target_link_libraries(scree_petsc INTERFACE PkgConfig::PETSC MPI::MPI_CXX)
target_compile_definitions(scree_petsc INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

find_path(ZOLTAN_INCLUDE_DIR zoltan.h PATH_SUFFIXES trilinos REQUIRED)
add_library(scree_zoltan INTERFACE)
target_include_directories(scree_zoltan SYSTEM INTERFACE ${ZOLTAN_INCLUDE_DIR})
target_link_libraries(scree_zoltan INTERFACE ${Zoltan_LIBRARIES} MPI::MPI_C)

add_library(scree_hdf5 INTERFACE)
if(TARGET PkgConfig::HDF5)
  target_link_libraries(scree_hdf5 INTERFACE PkgConfig::HDF5 MPI::MPI_C)
else()
  target_include_directories(scree_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_compile_definitions(scree_hdf5 INTERFACE ${HDF5_DEFINITIONS})
  target_link_libraries(scree_hdf5 INTERFACE ${HDF5_LIBRARIES} MPI::MPI_C)
endif()

add_library(scree_json INTERFACE)
target_include_directories(scree_json SYSTEM INTERFACE ${NLOHMANN_JSON_INCLUDE_DIR})
