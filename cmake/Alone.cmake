# Each source compiles by itself, whatever the unit is that it is built in, and so does each header: twice
# over, with its own module's libraries and no others. A source includes its own header first (a test checks
# that), so that only headers without a source are looked at apart. The target `alone` looks at all of them,
# for the compiler's messages alone, up to the end of each (syntax_only.sh says what that leaves); unchanged files
# are not looked at again.
# Eigen, which nearly all of them include, is read once for all.
add_custom_target(alone)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/alone/eigen.cpp CONTENT "")
add_library(alone_eigen OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/alone/eigen.cpp)
# A precompiled header is for units with the same macros: MPI brings some.
target_link_libraries(alone_eigen PRIVATE scree_eigen scree_petsc scree_compiler)
target_precompile_headers(alone_eigen PRIVATE <Eigen/Core> <Eigen/Geometry>)

# scree_alone(MODULE SOURCES...): adds the sources of a module, and its headers, to the target `alone`.
function(scree_alone module)
  set(units ${ARGN})
  foreach(top ${PROJECT_SOURCE_DIR}/include/scree ${PROJECT_SOURCE_DIR}/src)
    file(GLOB_RECURSE headers RELATIVE ${top} CONFIGURE_DEPENDS ${top}/${module}/*.hpp)
    foreach(header IN LISTS headers)
      string(REGEX REPLACE "[.]hpp$" ".cpp" source ${header})
      if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${source})
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${top}/${header})
        string(REGEX REPLACE "^(include|src)/" "" name ${name})
        set(unit ${CMAKE_CURRENT_BINARY_DIR}/alone/${name}.cpp)
        file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${name}\"\n#include \"${name}\"\n")
        list(APPEND units ${unit})
      endif()
    endforeach()
  endforeach()
  add_library(alone_${module} OBJECT EXCLUDE_FROM_ALL ${units})
  target_include_directories(alone_${module} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(alone_${module} PRIVATE scree_${module} scree_compiler)
  target_compile_options(alone_${module} PRIVATE -Werror)
  target_precompile_headers(alone_${module} REUSE_FROM alone_eigen)
  set_target_properties(alone_${module} PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/syntax_only.sh)
  add_dependencies(alone alone_${module})
endfunction()
