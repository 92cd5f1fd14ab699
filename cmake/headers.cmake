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
# These are reached through headers of ours of the same name, which mend them.
set(MONOLITH_WRAPPED_HEADERS d3d11.h d3d11shader.h d3d10shader.h d3d10_1shader.h d3dcompiler.h)
# Links of an older configuration would hide our headers of the same name.
foreach(h ${MONOLITH_WRAPPED_HEADERS})
  file(REMOVE ${MONOLITH_HEADER_LINKS}/${h})
endforeach()
foreach(h ${MONOLITH_D3D_HEADERS})
  if(NOT EXISTS ${MONOLITH_MINGW_INCLUDE}/${h})
    message(FATAL_ERROR "${MONOLITH_MINGW_INCLUDE}/${h} is missing: install mingw-w64-common")
  endif()
  set(name ${h})
  if(h IN_LIST MONOLITH_WRAPPED_HEADERS)
    set(name mingw_${h})
  endif()
  file(CREATE_LINK ${MONOLITH_MINGW_INCLUDE}/${h} ${MONOLITH_HEADER_LINKS}/${name} SYMBOLIC)
  list(APPEND MONOLITH_INSTALLED_LINKS ${MONOLITH_MINGW_INCLUDE}/${h} ${name})
endforeach()
# Spellings in use on file systems that do not tell case.
foreach(pair Windows.h=windows.h Unknwn.h=unknwn.h D3D11.h=d3d11.h D3D11_1.h=d3d11_1.h D3Dcompiler.h=d3dcompiler.h
        D3DCompiler.h=d3dcompiler.h D3Dcommon.h=d3dcommon.h DXGI.h=dxgi.h DXGI1_2.h=dxgi1_2.h DXGIFormat.h=dxgiformat.h)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 alias)
  list(GET pair 1 name)
  file(CREATE_LINK ${name} ${MONOLITH_HEADER_LINKS}/${alias} SYMBOLIC)
  if(NOT EXISTS ${MONOLITH_MINGW_INCLUDE}/${name} OR name MATCHES "^(windows|unknwn|d3d11|d3dcompiler).h$")
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/${name} ${MONOLITH_HEADER_LINKS}/${alias} SYMBOLIC)
    list(APPEND MONOLITH_INSTALLED_LINKS ../${name} ${alias})
  else()
    list(APPEND MONOLITH_INSTALLED_LINKS ${name} ${alias})
  endif()
endforeach()
# The target that everything which sees the public API links.
add_library(monolith_headers INTERFACE)
target_include_directories(monolith_headers SYSTEM INTERFACE ${CMAKE_SOURCE_DIR}/include ${MONOLITH_HEADER_LINKS})

# Installed as include/monolith (ours) and include/monolith/d3d (links to the package's files).
include(GNUInstallDirs)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/monolith COMPONENT headers)
set(MONOLITH_INSTALL_LINKS_SCRIPT ${CMAKE_BINARY_DIR}/install_header_links.cmake)
file(CONFIGURE OUTPUT ${MONOLITH_INSTALL_LINKS_SCRIPT} CONTENT [[
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/@CMAKE_INSTALL_INCLUDEDIR@/monolith/d3d")
file(MAKE_DIRECTORY "${folder}")
set(links "@MONOLITH_INSTALLED_LINKS@")
while(links)
  list(POP_FRONT links target name)
  file(CREATE_LINK "${target}" "${folder}/${name}" SYMBOLIC)
endwhile()
]] @ONLY)
install(SCRIPT ${MONOLITH_INSTALL_LINKS_SCRIPT} COMPONENT headers)
