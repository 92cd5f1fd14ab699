// SPDX-License-Identifier: MIT
// The tool fxc: options, messages, files, exit codes.
#include "d3dcompiler/fxc_tool.h"

using namespace monolith::test;
namespace fs = std::filesystem;

namespace {
class Fxc : public FxcTest {};
} // namespace

TEST_F(Fxc, HelpAndWrongUse) {
  ToolRun r = fxc("/?");
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.text.find("/T <profile>"), std::string::npos);
  EXPECT_EQ(fxc("-? -nologo").code, 0);
  r = fxc("/nologo");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "No files specified, use /? to get usage information\n");
  r = fxc("/nologo /Zq x.hlsl");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "Unknown or invalid option /Zq, use /? to get usage information\n");
  r = fxc("/nologo /T");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "Argument expected for option T, use /? to get usage information\n");
  r = fxc("/nologo /T ps_5_0 " + path("none.hlsl"));
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "failed to open file: " + path("none.hlsl") + " (No such file or directory)\n");
}

TEST_F(Fxc, DumpsBinaries) {
  std::vector<uint8_t> shader = sampleContainer();
  write("a.cso", shader.data(), shader.size());
  ToolRun r = fxc("/nologo /dumpbin " + path("a.cso"));
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.text.find("\nmul_sat o0.xyzw, r0.xyzw, cb0[1].xyzw\n"), std::string::npos);
  // Several outputs at once, options joined with their values, and stripping.
  r = fxc("-nologo -dumpbin -Qstrip_reflect -Fo" + path("b.cso") + " -Fc:" + path("b.asm") + " /Fh " + path("b.h") +
          " /Vn g_bytes " + path("a.cso"));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.text, "compilation object save succeeded; see " + path("b.cso") + "\ncompilation code save succeeded; see " +
                        path("b.asm") + "\ncompilation header save succeeded; see " + path("b.h") + "\n");
  EXPECT_LT(read("b.cso").size(), shader.size());
  EXPECT_NE(read("b.asm").find("\nps_5_0\n"), std::string::npos);
  std::string header = read("b.h");
  EXPECT_EQ(header.substr(0, 6), "#if 0\n");
  EXPECT_NE(header.find("#endif\n\nconst BYTE g_bytes[] =\n{\n     68,  88,  66,  67, "), std::string::npos);
  EXPECT_EQ(header.substr(header.size() - 4), "\n};\n");
  // A file that is no shader.
  write("c.cso", "nothing", 7);
  r = fxc("/nologo /dumpbin " + path("c.cso"));
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "failed to disassemble: " + path("c.cso") + "\n");
}

TEST_F(Fxc, PrivateDataAndResponseFile) {
  std::vector<uint8_t> shader = sampleContainer();
  write("a.cso", shader.data(), shader.size());
  write("p.bin", "12345678", 8);
  std::string response = "/nologo /dumpbin\n\"" + path("a.cso") + "\" /setprivate " + path("p.bin") + " /Fo " + path("b.cso");
  write("r.txt", response.data(), response.size());
  ToolRun r = fxc("@" + path("r.txt"));
  EXPECT_EQ(r.code, 0) << r.text;
  r = fxc("/nologo /dumpbin /getprivate " + path("q.bin") + " " + path("b.cso"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(read("q.bin"), "12345678");
}

TEST_F(Fxc, CompilesAndReports) {
  std::string good = "#include \"c.h\"\nfloat4 ps() : SV_Target { return VALUE; }\n", bad = "float4 ps() : SV_Target { return q; }\n";
  write("good.hlsl", good.data(), good.size());
  fs::create_directories(m_folder / "inc");
  write("inc/c.h", "#define VALUE SCALE * float4(1, 2, 3, 4)\n", 41);
  write("bad.hlsl", bad.data(), bad.size());
  ToolRun r = fxc("/nologo /T ps_5_0 /E ps /I " + path("inc") + " /D SCALE=2 /O3 /WX /Fo " + path("good.cso") + " " + path("good.hlsl"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(read("good.cso").substr(0, 4), "DXBC");
  r = fxc("/nologo /T ps_5_0 /E ps /I " + path("inc") + " /DSCALE=2 " + path("good.hlsl"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("mov o0.xyzw, l(2.000000,4.000000,6.000000,8.000000)\n"), std::string::npos) << r.text;
  r = fxc("/nologo /T ps_5_0 /E ps /Fo " + path("bad.cso") + " " + path("bad.hlsl"));
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, path("bad.hlsl") + "(1,34): error X3004: undeclared identifier 'q'\n\ncompilation failed; no code produced\n");
  EXPECT_FALSE(fs::exists(path("bad.cso")));
  r = fxc("/nologo /T ps_5_0 /E ps /Fe " + path("errors.txt") + " " + path("bad.hlsl"));
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(read("errors.txt").find("error X3004"), std::string::npos);
  r = fxc("/nologo /P " + path("out.i") + " /I " + path("inc") + " /D SCALE=3 " + path("good.hlsl"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(read("out.i").find("return 3 * float4"), std::string::npos) << read("out.i");
}

TEST_F(Fxc, CompilesLibraries) {
  const std::string source = "export float4 f(float2 a) { return a.xyxy; }\n";
  write("lib.hlsl", source.data(), source.size());
  ToolRun r = fxc("/nologo /T lib_4_0_level_9_3_ps_only /Fl " + path("f.fxlib") + " " + path("lib.hlsl"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(read("f.fxlib").substr(0, 4), "DXBC");
  r = fxc("/nologo /T lib_5_0 " + path("lib.hlsl"));
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("lib_5_0\n"), std::string::npos) << r.text;
  r = fxc("/nologo /T lib_5_0 /E f " + path("lib.hlsl"));
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.text.find("error X3713: "), std::string::npos) << r.text;
}

TEST_F(Fxc, NeverOverwritesItsInput) {
  const std::string source = "float4 main() : SV_Target { return 1; }\n";
  write("a.hlsl", source.data(), source.size());
  fs::create_symlink(path("a.hlsl"), path("link.hlsl"));
  for (const char* option : {"/Fo", "/Fc", "/Fh", "/Fe", "/Fd", "/P", "/getprivate"})
    for (const char* name : {"a.hlsl", "link.hlsl", "./a.hlsl"}) {
      const ToolRun r = fxc("/nologo /T ps_5_0 " + std::string(option) + " " + path(name) + " " + path("a.hlsl"));
      EXPECT_EQ(r.code, 1) << option;
      EXPECT_EQ(r.text, "the output would overwrite the input file: " + path("a.hlsl") + "\n");
    }
  EXPECT_EQ(read("a.hlsl"), source);
  const ToolRun r = fxc("/nologo /T ps_5_0 /Fo " + path("x") + " /Fc " + path("x") + " " + path("a.hlsl"));
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.text, "two outputs go to the same file: " + path("x") + "\n");
}

TEST_F(Fxc, SaysWhatIsWrong) {
  const std::string source = "float4 main() : SV_Target { return 1; }\n";
  write("a.hlsl", source.data(), source.size());
  write("empty.hlsl", "", 0);
  const std::string ok = "/nologo /T ps_5_0 " + path("a.hlsl");
  const struct {
    std::string arguments, text;
  } rows[] = {
      {"/nologo /T ps_5_0 " + m_folder.string(), "(Is a directory)"},
      {"/nologo /T ps_5_0 " + path("empty.hlsl"), "error X3501: 'main': entrypoint not found"},
      {ok + " /Fo " + path("none/x.cso"), "(No such file or directory)"},
      {ok + " /Fo " + m_folder.string(), "(Is a directory)"},
      {ok + " /Fc /dev/full", "(No space left on device)"},
      {ok + " /Fo \"\"", "Argument expected for option Fo"},
      {ok + " /E \"\"", "Argument expected for option E"},
      {ok + " /D =1", "Invalid macro for option D: =1"},
      {ok + " /D 1A=1", "Invalid macro for option D: 1A=1"},
      {ok + " /D \"A B=1\"", "Invalid macro for option D: A B=1"},
      {ok + " @" + path("none"), "failed to open response file"},
  };
  for (const auto& row : rows) {
    const ToolRun r = fxc(row.arguments);
    EXPECT_EQ(r.code, 1) << row.arguments;
    EXPECT_NE(r.text.find(row.text), std::string::npos) << row.arguments << ": " << r.text;
  }
  EXPECT_EQ(fxc(ok + " /D \"F(x)=x\" /D A= /D B=1 /D _C2").code, 0);
}
