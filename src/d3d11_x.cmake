# libd3d11_x.so: the whole runtime. Exported names are a list; libd3d11.so and libdxgi.so are names for it.
add_library(d3d11_x SHARED ${CMAKE_CURRENT_SOURCE_DIR}/d3d11_x.cpp)
target_link_libraries(d3d11_x PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,room_d3d11> $<LINK_LIBRARY:WHOLE_ARCHIVE,room_dxgi>)
target_link_libraries(d3d11_x PRIVATE asmjit::asmjit)
target_link_options(d3d11_x PRIVATE -Wl,-Bsymbolic -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/d3d11_x.map)
if(NOT MONOLITH_SANITIZE)
  target_link_options(d3d11_x PRIVATE -Wl,-z,defs)
endif()
set_property(TARGET d3d11_x APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/d3d11_x.map)
target_link_libraries(d3d11_x INTERFACE monolith_headers)
foreach(alias d3d11 dxgi)
  add_custom_command(TARGET d3d11_x POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
                     $<TARGET_FILE_NAME:d3d11_x> $<TARGET_FILE_DIR:d3d11_x>/lib${alias}.so)
endforeach()
install(TARGETS d3d11_x LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(CODE "
  foreach(alias d3d11 dxgi)
    file(CREATE_LINK libd3d11_x.so \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lib\${alias}.so\" SYMBOLIC)
  endforeach()")
