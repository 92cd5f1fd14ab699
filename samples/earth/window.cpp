// SPDX-License-Identifier: MIT
#include "window.h"

#include "renderer.h"

#include <SDL.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <imgui.h>
#include <imgui_impl_dx11.h>
#include <imgui_impl_sdl.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Dear ImGui with its Direct3D 11 backend, for as long as the object lives.
struct Interface {
  explicit Interface(const Device& device) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplDX11_Init(device.device.Get(), device.context.Get());
  }
  ~Interface() {
    ImGui_ImplDX11_Shutdown();
    ImGui::DestroyContext();
  }
};

} // namespace

int runHeadless(const RunOptions& options) {
  const uint32_t frames = options.frames ? options.frames : 60;
  std::filesystem::create_directories(options.out);
  Device device;
  device.create(nullptr, options.width, options.height);
  Renderer renderer;
  renderer.create(device);
  Interface overlay(device);
  Settings settings;
  Camera camera;
  std::vector<double> times;
  for (uint32_t frame = 0; frame < frames; frame++) {
    const auto start = Clock::now();
    camera.longitude = 0.4f + 6.2831853f * static_cast<float>(frame) / static_cast<float>(frames);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(device.width), static_cast<float>(device.height));
    io.DeltaTime = 1.f / 60;
    ImGui_ImplDX11_NewFrame();
    ImGui::NewFrame();
    renderer.drawScene(device, camera, settings, static_cast<float>(frame) / 60);
    renderer.drawInterface(device, settings, times.empty() ? 0 : times.back());
    const Image image = renderer.readBack(device);
    device.present(0);
    times.push_back(msSince(start));
    char name[32];
    std::snprintf(name, sizeof name, "/earth%04u.png", frame);
    writePng(options.out + name, image.rgba.data(), image.width, image.height, image.width * 4);
    std::printf("\rearth: frame %u of %u, %.1f ms ", frame + 1, frames, times.back());
    std::fflush(stdout);
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  std::printf("\nearth: %u frames of %ux%u, median %.2f ms (%.1f frames/s), pictures in %s\n", frames, device.width,
              device.height, median, 1000 / median, options.out.c_str());
  return 0;
}

/// Starts SDL on a display. Without one SDL would take its off-screen driver, whose windows nobody sees.
bool startDisplay() {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY") && !std::getenv("SDL_VIDEODRIVER")) return false;
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
  const char* driver = SDL_GetCurrentVideoDriver();
  if (driver && std::strcmp(driver, "offscreen") && std::strcmp(driver, "dummy") && std::strcmp(driver, "evdev")) return true;
  SDL_Quit();
  return false;
}

bool runWindow(const RunOptions& options, int& result) {
  if (!startDisplay()) {
    std::puts("earth: no display, drawing pictures");
    return false;
  }
  SDL_Window* window = SDL_CreateWindow("Earth", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                        static_cast<int>(options.width), static_cast<int>(options.height),
                                        SDL_WINDOW_RESIZABLE);
  if (!window) {
    SDL_Quit();
    return false;
  }
  {
    Device device;
    device.create(reinterpret_cast<HWND>(window), options.width, options.height);
    Renderer renderer;
    renderer.create(device);
    Interface overlay(device);
    ImGui_ImplSDL2_InitForD3D(window);
    Settings settings;
    Camera camera;
    const auto begin = Clock::now();
    double frameMs = 0;
    bool running = true;
    for (uint32_t frame = 0; running && (!options.frames || frame < options.frames); frame++) {
      const auto start = Clock::now();
      SDL_Event event;
      while (SDL_PollEvent(&event)) {
        ImGui_ImplSDL2_ProcessEvent(&event);
        const bool free = !ImGui::GetIO().WantCaptureMouse;
        if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE)) running = false;
        if (event.type == SDL_MOUSEMOTION && free && (event.motion.state & SDL_BUTTON_LMASK))
          camera.turn(-0.004f * static_cast<float>(event.motion.xrel), 0.004f * static_cast<float>(event.motion.yrel));
        if (event.type == SDL_MOUSEWHEEL && free) camera.zoom(static_cast<float>(event.wheel.y));
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
          device.resize(static_cast<UINT>(event.window.data1), static_cast<UINT>(event.window.data2));
      }
      if (settings.spin) camera.turn(0.002f, 0);
      ImGui_ImplDX11_NewFrame();
      ImGui_ImplSDL2_NewFrame();
      ImGui::NewFrame();
      renderer.drawScene(device, camera, settings, static_cast<float>(msSince(begin) / 1000));
      renderer.drawInterface(device, settings, frameMs);
      device.present(options.interval);
      frameMs = frameMs * 0.9 + msSince(start) * 0.1;
    }
    ImGui_ImplSDL2_Shutdown();
  }
  SDL_DestroyWindow(window);
  SDL_Quit();
  result = 0;
  return true;
}
