# libd3dcompiler.so: the HLSL compiler and reflection, independent of the runtime.
# All code is in the room's archive; CMake wants a source of the library's own.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/d3dcompiler.cpp CONTENT "")
add_library(d3dcompiler SHARED ${CMAKE_CURRENT_BINARY_DIR}/d3dcompiler.cpp)
target_link_libraries(d3dcompiler PRIVATE
  -Wl,--whole-archive room_compiler -Wl,--no-whole-archive)
target_link_libraries(d3dcompiler PUBLIC monolith_headers)
set_target_properties(d3dcompiler PROPERTIES LINKER_LANGUAGE CXX
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/d3dcompiler.map)
target_link_options(d3dcompiler PRIVATE
  -Wl,-Bsymbolic -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/d3dcompiler.map)
if(NOT MONOLITH_SANITIZE)
  target_link_options(d3dcompiler PRIVATE -Wl,-z,defs)
endif()
install(TARGETS d3dcompiler)
