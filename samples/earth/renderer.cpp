// SPDX-License-Identifier: MIT
#include "renderer.h"

#include <cmath>
#include <cstring>
#include <imgui.h>
#include <imgui_impl_dx11.h>

namespace {
/// cbuffer Frame of shaders/common.hlsli.
struct FrameConstants {
  Matrix4 viewProjection;
  Vector3 eye;
  float time;
  Vector3 sunDirection;
  float nightLights;
  float viewport[2];
  float atmosphere, unused;
};
static_assert(sizeof(FrameConstants) == 112, "matches the cbuffer's packing");
} // namespace

void Renderer::create(const Device& device) {
  m_globe.create(device);
  m_sky.create(device.device.Get());
  D3D11_BUFFER_DESC desc = {};
  desc.ByteWidth = sizeof(FrameConstants);
  desc.Usage = D3D11_USAGE_DYNAMIC;
  desc.BindFlags = D3D11_BIND_CONSTANT_BUFFER;
  desc.CPUAccessFlags = D3D11_CPU_ACCESS_WRITE;
  throwIfFailed(device.device->CreateBuffer(&desc, nullptr, &m_frame), "CreateBuffer");
}

void Renderer::drawScene(const Device& device, const Camera& camera, const Settings& settings, float seconds) {
  ID3D11DeviceContext* context = device.context.Get();
  FrameConstants constants = {};
  constants.viewProjection = camera.viewProjection(static_cast<float>(device.width) / static_cast<float>(device.height));
  constants.eye = camera.eye();
  constants.time = seconds;
  constants.sunDirection = normalized({std::sin(settings.sunLongitude), 0.25f, std::cos(settings.sunLongitude)});
  constants.nightLights = settings.nightLights ? 1.f : 0.f;
  constants.viewport[0] = static_cast<float>(device.width);
  constants.viewport[1] = static_cast<float>(device.height);
  constants.atmosphere = settings.atmosphere ? 1.f : 0.f;
  D3D11_MAPPED_SUBRESOURCE mapped;
  throwIfFailed(context->Map(m_frame.Get(), 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), "Map");
  std::memcpy(mapped.pData, &constants, sizeof constants);
  context->Unmap(m_frame.Get(), 0);

  const float black[4] = {0, 0, 0.002f, 1};
  context->ClearRenderTargetView(device.targetSrgb.Get(), black);
  context->ClearDepthStencilView(device.depth.Get(), D3D11_CLEAR_DEPTH, 1, 0);
  ID3D11RenderTargetView* target = device.targetSrgb.Get();
  context->OMSetRenderTargets(1, &target, device.depth.Get());
  const D3D11_VIEWPORT viewport = {0, 0, static_cast<float>(device.width), static_cast<float>(device.height), 0, 1};
  context->RSSetViewports(1, &viewport);
  ID3D11Buffer* frame = m_frame.Get();
  context->VSSetConstantBuffers(0, 1, &frame);
  context->PSSetConstantBuffers(0, 1, &frame);

  m_globe.drawEarth(context, settings.anisotropic);
  if (settings.stars) m_sky.draw(context);
  if (settings.atmosphere) m_globe.drawAtmosphere(context);
}

void Renderer::drawInterface(const Device& device, Settings& settings, double frameMs) {
  ImGui::SetNextWindowPos(ImVec2(12, 12), ImGuiCond_Once);
  ImGui::Begin("Earth", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::Text("%.2f ms, %.0f frames/s", frameMs, frameMs > 0 ? 1000 / frameMs : 0);
  ImGui::Text("%ux%u, %u triangles", device.width, device.height, m_globe.triangles() * 2);
  ImGui::Checkbox("stars", &settings.stars);
  ImGui::SameLine();
  ImGui::Checkbox("atmosphere", &settings.atmosphere);
  ImGui::Checkbox("night lights", &settings.nightLights);
  ImGui::Checkbox("anisotropic x16", &settings.anisotropic);
  ImGui::Checkbox("spin", &settings.spin);
  ImGui::SliderFloat("sun", &settings.sunLongitude, -3.14f, 3.14f);
  ImGui::End();
  ImGui::Render();
  ID3D11RenderTargetView* target = device.target.Get();
  device.context->OMSetRenderTargets(1, &target, nullptr);
  ImGui_ImplDX11_RenderDrawData(ImGui::GetDrawData());
}

Image Renderer::readBack(const Device& device) {
  ComPtr<ID3D11Texture2D> back;
  throwIfFailed(device.swapChain->GetBuffer(0, IID_PPV_ARGS(&back)), "GetBuffer");
  if (!m_staging) {
    D3D11_TEXTURE2D_DESC desc;
    back->GetDesc(&desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    desc.MiscFlags = 0;
    throwIfFailed(device.device->CreateTexture2D(&desc, nullptr, &m_staging), "CreateTexture2D");
  }
  device.context->CopyResource(m_staging.Get(), back.Get());
  D3D11_MAPPED_SUBRESOURCE mapped;
  throwIfFailed(device.context->Map(m_staging.Get(), 0, D3D11_MAP_READ, 0, &mapped), "Map");
  Image image;
  image.width = device.width;
  image.height = device.height;
  image.rgba.resize(size_t(image.width) * image.height * 4);
  for (uint32_t y = 0; y < image.height; y++)
    std::memcpy(&image.rgba[size_t(y) * image.width * 4],
                static_cast<const uint8_t*>(mapped.pData) + size_t(y) * mapped.RowPitch, size_t(image.width) * 4);
  device.context->Unmap(m_staging.Get(), 0);
  return image;
}
