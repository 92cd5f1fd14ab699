#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles (syntax only) the public headers in many ways; exit code 77 means: compiler missing."""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

WARN = ["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror"]
CXX_ONLY = {"wrl.h", "wrl/client.h"}
IMGUI = "/usr/share/doc/libimgui-dev/examples/backends/imgui_impl_dx11.cpp"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--compiler", choices=["gcc", "clang"], required=True)
    p.add_argument("--include", required=True)
    p.add_argument("--links", required=True)
    p.add_argument("--clients", default="")
    a = p.parse_args()
    cc, cxx = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}[a.compiler]
    if not shutil.which(cc) or not shutil.which(cxx):
        print(f"skipped: no {a.compiler}")
        return 77
    # Ours as ordinary headers (warnings count), the packaged ones as system headers.
    paths = ["-I" + a.include, "-isystem", a.links]
    here = os.path.dirname(os.path.abspath(__file__))
    tmp = tempfile.mkdtemp()
    jobs = []

    own = [h for h in sorted(os.listdir(a.include)) if h.endswith(".h")] + ["wrl/client.h"]
    headers = own + [h for h in sorted(os.listdir(a.links)) if not h.startswith("mingw_")]
    if a.compiler == "clang":  # the whole product is one language; clang checks the entry headers
        headers = ["windows.h", "d3d11.h", "d3dcompiler.h", "d3d11_x.h", "wrl/client.h"]
    for h in headers:
        name = h.replace("/", "_").replace(".", "_")
        for ext, comp, std in (("c", cc, "c11"), ("cpp", cxx, "c++11")):
            if ext == "c" and h in CXX_ONLY:
                continue
            path = os.path.join(tmp, f"{name}_{ext}.{ext}")
            with open(path, "w") as f:
                f.write(f"#include <{h}>\n#include <{h}>\nextern int symbol;\n")
            jobs.append((f"{h} alone, {std}", [comp, f"-std={std}", *WARN, *paths, path]))
    for std in ("c11", "c17", "gnu17"):
        jobs.append((f"use.c {std}", [cc, f"-std={std}", *WARN, *paths, os.path.join(here, "use.c")]))
    for std in ("c++11", "c++14", "c++17", "c++20"):
        jobs.append((f"use.cpp {std}", [cxx, f"-std={std}", *WARN, *paths, os.path.join(here, "use.cpp")]))
    if a.compiler == "gcc":
        for f in ("bench.cpp", "features.cpp", "features2.cpp"):
            path = os.path.join(a.clients, "bench", f)
            if a.clients and os.path.exists(path):
                jobs.append((f, [cxx, "-std=c++17", "-w", "-fsyntax-only", *paths, path]))
    if os.path.exists(IMGUI):
        jobs.append(("imgui_impl_dx11.cpp", [cxx, "-std=c++17", "-fsyntax-only", *paths, "-I/usr/include/imgui",
                                             "-I/usr/include/imgui/backends", IMGUI]))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for (what, command), r in zip(jobs, pool.map(
                lambda j: subprocess.run(j[1], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), jobs)):
            if r.returncode:
                failed += 1
                print(f"FAILED {what}: {' '.join(command)}\n{r.stdout[:600]}")
    shutil.rmtree(tmp)
    print(f"{len(jobs) - failed} of {len(jobs)} compile")
    return 1 if failed else 0


sys.exit(main())
