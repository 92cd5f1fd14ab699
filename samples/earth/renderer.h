// SPDX-License-Identifier: MIT
/// @file
/// One frame: stars, Earth, atmosphere, and over them Dear ImGui.
#pragma once

#include "camera.h"
#include "device.h"
#include "globe.h"
#include "image_files.h"
#include "sky.h"

struct Settings {
  bool stars = true, atmosphere = true, nightLights = true, anisotropic = true, spin = true;
  float sunLongitude = 1.2f; ///< Radians.
};

class Renderer {
public:
  void create(const Device& device);
  /// Draws the scene into the device's targets; the interface is drawn by drawInterface.
  void drawScene(const Device& device, const Camera& camera, const Settings& settings, float seconds);
  /// Builds and draws the Dear ImGui window. Between ImGui_ImplDX11_NewFrame and here nothing else is drawn.
  void drawInterface(const Device& device, Settings& settings, double frameMs);
  /// The back buffer's pixels, through a staging texture.
  Image readBack(const Device& device);

private:
  Globe m_globe;
  Sky m_sky;
  ComPtr<ID3D11Buffer> m_frame;
  ComPtr<ID3D11Texture2D> m_staging;
};
