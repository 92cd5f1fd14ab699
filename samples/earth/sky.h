// SPDX-License-Identifier: MIT
/// @file
/// The stars: instanced quads of a few pixels, blended additively.
#pragma once

#include "device.h"

class Sky {
public:
  void create(ID3D11Device* device);
  void draw(ID3D11DeviceContext* context) const;

private:
  UINT m_count = 0;
  ComPtr<ID3D11Buffer> m_corners, m_stars;
  ComPtr<ID3D11InputLayout> m_layout;
  ComPtr<ID3D11VertexShader> m_vertexShader;
  ComPtr<ID3D11PixelShader> m_pixelShader;
  ComPtr<ID3D11RasterizerState> m_noCull;
  ComPtr<ID3D11DepthStencilState> m_depthTest;
  ComPtr<ID3D11BlendState> m_additive;
};
