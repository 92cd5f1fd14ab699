# The Direct3D interface headers come from the mingw-w64-common package. Only the files listed
# here are linked into a folder of ours: the package's own folder also holds a C library that
# must never shadow the system's.
set(MONOLITH_MINGW_INCLUDE /usr/share/mingw-w64/include CACHE PATH "Folder with the Direct3D interface headers")
set(MONOLITH_D3D_HEADERS
  d3d11.h d3d11_1.h d3d11_2.h d3d11_3.h d3d11_4.h d3d11sdklayers.h d3d11shader.h d3d12shader.h
  d3dcommon.h d3dcompiler.h d3d10.h d3d10_1.h d3d10_1shader.h d3d10effect.h d3d10misc.h
  d3d10sdklayers.h d3d10shader.h dxgi.h dxgi1_2.h dxgi1_3.h dxgi1_4.h dxgi1_5.h dxgi1_6.h
  dxgicommon.h dxgidebug.h dxgiformat.h dxgitype.h)
set(MONOLITH_HEADER_LINKS ${CMAKE_BINARY_DIR}/include/d3d)
file(MAKE_DIRECTORY ${MONOLITH_HEADER_LINKS})
foreach(h ${MONOLITH_D3D_HEADERS})
  if(NOT EXISTS ${MONOLITH_MINGW_INCLUDE}/${h})
    message(FATAL_ERROR "${MONOLITH_MINGW_INCLUDE}/${h} is missing: install mingw-w64-common")
  endif()
  file(CREATE_LINK ${MONOLITH_MINGW_INCLUDE}/${h} ${MONOLITH_HEADER_LINKS}/${h} SYMBOLIC)
endforeach()
# The target that everything which sees the public API links.
add_library(monolith_headers INTERFACE)
target_include_directories(monolith_headers SYSTEM INTERFACE ${CMAKE_SOURCE_DIR}/include ${MONOLITH_HEADER_LINKS})
