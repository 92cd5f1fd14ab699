# The libraries that programs link. Each has a file of its own.
include(${CMAKE_CURRENT_LIST_DIR}/d3dcompiler.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/d3d11_x.cmake)
