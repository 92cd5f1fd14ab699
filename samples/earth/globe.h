// SPDX-License-Identifier: MIT
/// @file
/// The Earth itself and the shell of air around it: one sphere mesh, two pairs of shaders, two maps.
#pragma once

#include "device.h"

class Globe {
public:
  void create(const Device& device);
  /// Expects the frame's constant buffer in slot 0 of both stages.
  void drawEarth(ID3D11DeviceContext* context, bool anisotropic) const;
  void drawAtmosphere(ID3D11DeviceContext* context) const;
  UINT triangles() const { return m_indexCount / 3; }

private:
  void createMesh(ID3D11Device* device);
  void createShaders(ID3D11Device* device);
  void createStates(ID3D11Device* device);
  void bindMesh(ID3D11DeviceContext* context) const;

  UINT m_indexCount = 0;
  ComPtr<ID3D11Buffer> m_vertices, m_indices;
  ComPtr<ID3D11InputLayout> m_layout, m_shellLayout;
  ComPtr<ID3D11VertexShader> m_vertexShader, m_shellVertexShader;
  ComPtr<ID3D11PixelShader> m_pixelShader, m_shellPixelShader;
  ComPtr<ID3D11ShaderResourceView> m_day, m_night;
  ComPtr<ID3D11SamplerState> m_trilinear, m_anisotropic;
  ComPtr<ID3D11RasterizerState> m_cullBack, m_cullFront;
  ComPtr<ID3D11DepthStencilState> m_depthWrite, m_depthTest;
  ComPtr<ID3D11BlendState> m_premultiplied;
};
