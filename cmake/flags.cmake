# Compiler flags for all of our code. -ffp-contract=off: results must not depend on
# whether a compiler fuses a multiply and an add; where fusion is wanted, it is written.
add_compile_options(-Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-unused-private-field)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(MONOLITH_DEBUG=1)
endif()
if(MONOLITH_SANITIZE)
  add_compile_options(-fsanitize=${MONOLITH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MONOLITH_SANITIZE})
endif()
