# A room is a folder of src/ with one subject. monolith_room(name DEPS a b LIBS x) makes the
# static library room_<name> of all its .cpp files (recursively) and test_<name> of tests/unit/<name>.
# Files named *_avx2.cpp are compiled for x86-64-v3 and may only be entered after a CPU check.
include(GoogleTest)

function(monolith_room name)
  cmake_parse_arguments(R "" "" "DEPS;LIBS" ${ARGN})
  string(REPLACE "/" "_" target room_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    foreach(s ${sources})
      if(s MATCHES "_avx2\\.cpp$")
        set_source_files_properties(${s} PROPERTIES COMPILE_OPTIONS "-march=x86-64-v3")
      endif()
    endforeach()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} ${scope} Threads::Threads ${R_LIBS})
  foreach(d ${R_DEPS})
    target_link_libraries(${target} ${scope} room_${d})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY MONOLITH_ROOMS ${name})
endfunction()

# Unit tests of a room: tests/unit/<name>/*.cpp into test_<name>.
function(monolith_room_tests name)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${name}/*.cpp)
  if(NOT tests)
    return()
  endif()
  add_executable(test_${name} ${tests})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE room_${name} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE
    MONOLITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" MONOLITH_BINARY_DIR="${CMAKE_BINARY_DIR}"
    MONOLITH_SHARED_DIR="${MONOLITH_SHARED_DIR}")
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES LABELS unit)
endfunction()
