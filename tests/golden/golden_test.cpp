// SPDX-License-Identifier: MIT
/// Draws every scene and compares it with its image.
#include "stage.h"

#include "compare.h"
#include "wsi/png.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace golden {

namespace {

bool write(const std::string& path, const std::vector<uint8_t>& pixels, UINT width, UINT height)
{
  monolith::wsi::Picture picture;
  picture.pixels = pixels.data();
  picture.width = width;
  picture.height = height;
  picture.rowPitch = width * 4;
  return monolith::wsi::writePng(path, picture, true);
}

class GoldenScene : public testing::Test {
public:
  explicit GoldenScene(const Scene& scene) : m_scene(scene) {}

  void TestBody() override
  {
    Stage stage;
    ASSERT_NE(stage.device(), nullptr);
    m_scene.draw(stage);
    const std::vector<uint8_t> actual = stage.read();
    if (HasFailure())
      return;
    if (const char* folder = std::getenv("MONOLITH_GOLDEN_DUMP")) {
      std::filesystem::create_directories(folder);
      ASSERT_TRUE(write(std::string(folder) + "/" + m_scene.name + ".png", actual, stage.width(), stage.height()));
      return;
    }
    const std::string image = std::string(MONOLITH_GOLDEN_IMAGES "/") + m_scene.name + ".png";
    if (std::getenv("MONOLITH_GOLDEN_UPDATE")) {
      ASSERT_TRUE(write(image, actual, stage.width(), stage.height()));
      return;
    }
    std::vector<uint8_t> expected;
    uint32_t width = 0, height = 0;
    std::filesystem::create_directories(MONOLITH_GOLDEN_OUTPUT);
    const std::string output = std::string(MONOLITH_GOLDEN_OUTPUT "/") + m_scene.name;
    if (!std::filesystem::exists(image) || !monolith::wsi::readPng(image, expected, width, height)) {
      write(output + ".actual.png", actual, stage.width(), stage.height());
      FAIL() << "no image " << image;
    }
    ASSERT_EQ(width, stage.width());
    ASSERT_EQ(height, stage.height());
    const monolith::image::Difference d = monolith::image::compare(expected, actual, width, height, m_scene.tolerance);
    if (d.differing == 0)
      return;
    write(output + ".actual.png", actual, width, height);
    write(output + ".difference.png",
          monolith::image::differencePicture(expected, actual, width, height, m_scene.tolerance), width, height);
    FAIL() << d.differing << " pixels differ, first at " << d.firstX << "," << d.firstY << ", by up to " << d.largest
           << "; see " << output << ".difference.png";
  }

private:
  Scene m_scene;
};

} // namespace

} // namespace golden

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  for (const golden::Scene& scene : golden::scenes())
    testing::RegisterTest("Golden", scene.name, nullptr, nullptr, __FILE__, __LINE__,
                          [scene]() -> testing::Test* { return new golden::GoldenScene(scene); });
  return RUN_ALL_TESTS();
}
