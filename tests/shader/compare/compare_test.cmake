# Two settings of the compiler agree, two sources do not: cmake -DFXC=... -DCOMPARE=... -DDIR=... -P compare_test.cmake
file(MAKE_DIRECTORY ${DIR})
set(body "cbuffer C { float4 k; int n; float a[5]; }; Texture2D t; SamplerState s;
float4 main(float2 uv : TEXCOORD0, nointerpolation int i : IDX) : SV_Target {
  float4 r = 0;
  for (int j = 0; j < n; j++) r += t.Sample(s, uv + j * 0.1) * a[j % 5];
  return r * k + i * FACTOR;
}")
function(build name factor)
  file(WRITE ${DIR}/${name}.hlsl "${body}")
  execute_process(COMMAND ${FXC} /nologo /T ps_5_0 /DFACTOR=${factor} ${ARGN} /Fo ${DIR}/${name}.dxbc ${DIR}/${name}.hlsl
    RESULT_VARIABLE code OUTPUT_QUIET)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name} does not compile")
  endif()
endfunction()
build(plain 2 /Od)
build(fast 2 /O3)
build(other 3 /O3)
execute_process(COMMAND ${COMPARE} ${DIR}/plain.dxbc ${DIR}/fast.dxbc RESULT_VARIABLE code OUTPUT_VARIABLE text)
if(NOT code EQUAL 0 OR NOT text MATCHES "640 words compared, 0 differ")
  message(FATAL_ERROR "the same source differs: ${text}")
endif()
execute_process(COMMAND ${COMPARE} ${DIR}/other.dxbc ${DIR}/fast.dxbc RESULT_VARIABLE code OUTPUT_VARIABLE text)
if(NOT code EQUAL 1)
  message(FATAL_ERROR "another source is not told apart: ${text}")
endif()
