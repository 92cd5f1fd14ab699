// SPDX-License-Identifier: MIT
/// @file
/// imgdiff: compares two PNG files and can write a picture of the difference.
#include "compare.h"

#include "wsi/png.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int usage()
{
  std::fprintf(stderr, "usage: imgdiff EXPECTED.png ACTUAL.png [--tolerance N] [--pixels N] [--diff OUT.png] [--quiet]\n"
                       "  --tolerance N  channels may differ by N (default 0)\n"
                       "  --pixels N     so many pixels may differ by more (default 0)\n"
                       "  --diff OUT     picture of the difference, written when there is one\n"
                       "exit: 0 equal, 1 different, 2 error\n");
  return 2;
}

} // namespace

int main(int argc, char** argv)
{
  std::string files[2], diff;
  unsigned fileCount = 0;
  uint32_t tolerance = 0;
  uint64_t allowed = 0;
  bool quiet = false;
  for (int i = 1; i < argc; ++i) {
    const bool hasValue = i + 1 < argc;
    if (!std::strcmp(argv[i], "--tolerance") && hasValue)
      tolerance = uint32_t(std::strtoul(argv[++i], nullptr, 10));
    else if (!std::strcmp(argv[i], "--pixels") && hasValue)
      allowed = std::strtoull(argv[++i], nullptr, 10);
    else if (!std::strcmp(argv[i], "--diff") && hasValue)
      diff = argv[++i];
    else if (!std::strcmp(argv[i], "--quiet"))
      quiet = true;
    else if (argv[i][0] != '-' && fileCount < 2)
      files[fileCount++] = argv[i];
    else
      return usage();
  }
  if (fileCount != 2)
    return usage();
  std::vector<uint8_t> pixels[2];
  uint32_t width[2], height[2];
  for (int i = 0; i < 2; ++i)
    if (!monolith::wsi::readPng(files[i], pixels[i], width[i], height[i])) {
      std::fprintf(stderr, "imgdiff: cannot read %s\n", files[i].c_str());
      return 2;
    }
  if (width[0] != width[1] || height[0] != height[1]) {
    std::printf("different size: %ux%u and %ux%u\n", width[0], height[0], width[1], height[1]);
    return 1;
  }
  const monolith::image::Difference d = monolith::image::compare(pixels[0], pixels[1], width[0], height[0], tolerance);
  const bool equal = d.differing <= allowed;
  if (!quiet) {
    std::printf("%s: %llu of %llu pixels differ by more than %u, largest difference %u, mean square %.4f\n",
                equal ? "equal" : "different", static_cast<unsigned long long>(d.differing),
                static_cast<unsigned long long>(d.pixels), tolerance, d.largest, d.meanSquare);
    if (d.differing)
      std::printf("first at %u,%u\n", d.firstX, d.firstY);
  }
  if (!diff.empty() && d.differing) {
    const std::vector<uint8_t> picture =
        monolith::image::differencePicture(pixels[0], pixels[1], width[0], height[0], tolerance);
    monolith::wsi::Picture out;
    out.pixels = picture.data();
    out.width = width[0];
    out.height = height[0];
    out.rowPitch = width[0] * 4;
    if (!monolith::wsi::writePng(diff, out)) {
      std::fprintf(stderr, "imgdiff: cannot write %s\n", diff.c_str());
      return 2;
    }
  }
  return equal ? 0 : 1;
}
