/* SPDX-License-Identifier: MIT */
/** @file The packaged d3d11.h and the C++ helper structures that it lacks. */
#ifndef MONOLITH_D3D11_H
#define MONOLITH_D3D11_H
#include <windows.h>
#include <mingw_d3d11.h>

#ifndef D3D11_MIN_DEPTH
#define D3D11_MIN_DEPTH (0.0f)
#endif
#ifndef D3D11_MAX_DEPTH
#define D3D11_MAX_DEPTH (1.0f)
#endif

#if defined(__cplusplus) && !defined(D3D11_NO_HELPERS)
extern "C++" {

struct CD3D11_RECT : public D3D11_RECT {
  CD3D11_RECT() {}
  explicit CD3D11_RECT(const D3D11_RECT& o) : D3D11_RECT(o) {}
  explicit CD3D11_RECT(LONG l, LONG t, LONG r, LONG b) {
    left = l;
    top = t;
    right = r;
    bottom = b;
  }
};

struct CD3D11_BOX : public D3D11_BOX {
  CD3D11_BOX() {}
  explicit CD3D11_BOX(const D3D11_BOX& o) : D3D11_BOX(o) {}
  explicit CD3D11_BOX(LONG l, LONG t, LONG f, LONG r, LONG b, LONG k) {
    left = static_cast<UINT>(l);
    top = static_cast<UINT>(t);
    front = static_cast<UINT>(f);
    right = static_cast<UINT>(r);
    bottom = static_cast<UINT>(b);
    back = static_cast<UINT>(k);
  }
};
inline bool operator==(const D3D11_BOX& l, const D3D11_BOX& r) {
  return l.left == r.left && l.top == r.top && l.front == r.front && l.right == r.right && l.bottom == r.bottom &&
         l.back == r.back;
}
inline bool operator!=(const D3D11_BOX& l, const D3D11_BOX& r) { return !(l == r); }

inline bool operator==(const D3D11_VIEWPORT& l, const D3D11_VIEWPORT& r) {
  return l.TopLeftX == r.TopLeftX && l.TopLeftY == r.TopLeftY && l.Width == r.Width && l.Height == r.Height &&
         l.MinDepth == r.MinDepth && l.MaxDepth == r.MaxDepth;
}
inline bool operator!=(const D3D11_VIEWPORT& l, const D3D11_VIEWPORT& r) { return !(l == r); }

struct CD3D11_COUNTER_DESC : public D3D11_COUNTER_DESC {
  CD3D11_COUNTER_DESC() {}
  explicit CD3D11_COUNTER_DESC(const D3D11_COUNTER_DESC& o) : D3D11_COUNTER_DESC(o) {}
  explicit CD3D11_COUNTER_DESC(D3D11_COUNTER counter, UINT misc = 0) {
    Counter = counter;
    MiscFlags = misc;
  }
};

struct CD3D11_TEXTURE1D_DESC : public D3D11_TEXTURE1D_DESC {
  CD3D11_TEXTURE1D_DESC() {}
  explicit CD3D11_TEXTURE1D_DESC(const D3D11_TEXTURE1D_DESC& o) : D3D11_TEXTURE1D_DESC(o) {}
  explicit CD3D11_TEXTURE1D_DESC(DXGI_FORMAT format, UINT width, UINT arraySize = 1, UINT mipLevels = 0,
                                 UINT bindFlags = D3D11_BIND_SHADER_RESOURCE, D3D11_USAGE usage = D3D11_USAGE_DEFAULT,
                                 UINT cpuaccessFlags = 0, UINT miscFlags = 0) {
    Width = width;
    MipLevels = mipLevels;
    ArraySize = arraySize;
    Format = format;
    Usage = usage;
    BindFlags = bindFlags;
    CPUAccessFlags = cpuaccessFlags;
    MiscFlags = miscFlags;
  }
};

struct CD3D11_TEXTURE3D_DESC : public D3D11_TEXTURE3D_DESC {
  CD3D11_TEXTURE3D_DESC() {}
  explicit CD3D11_TEXTURE3D_DESC(const D3D11_TEXTURE3D_DESC& o) : D3D11_TEXTURE3D_DESC(o) {}
  explicit CD3D11_TEXTURE3D_DESC(DXGI_FORMAT format, UINT width, UINT height, UINT depth, UINT mipLevels = 0,
                                 UINT bindFlags = D3D11_BIND_SHADER_RESOURCE, D3D11_USAGE usage = D3D11_USAGE_DEFAULT,
                                 UINT cpuaccessFlags = 0, UINT miscFlags = 0) {
    Width = width;
    Height = height;
    Depth = depth;
    MipLevels = mipLevels;
    Format = format;
    Usage = usage;
    BindFlags = bindFlags;
    CPUAccessFlags = cpuaccessFlags;
    MiscFlags = miscFlags;
  }
};

struct CD3D11_VIEWPORT : public D3D11_VIEWPORT {
  CD3D11_VIEWPORT() {}
  explicit CD3D11_VIEWPORT(const D3D11_VIEWPORT& o) : D3D11_VIEWPORT(o) {}
  explicit CD3D11_VIEWPORT(FLOAT x, FLOAT y, FLOAT width, FLOAT height, FLOAT minDepth = D3D11_MIN_DEPTH,
                           FLOAT maxDepth = D3D11_MAX_DEPTH) {
    set(x, y, width, height, minDepth, maxDepth);
  }
  /* The whole of a view of one mip level. */
  explicit CD3D11_VIEWPORT(ID3D11Texture2D* texture, ID3D11RenderTargetView* view, FLOAT x = 0, FLOAT y = 0,
                           FLOAT minDepth = D3D11_MIN_DEPTH, FLOAT maxDepth = D3D11_MAX_DEPTH) {
    D3D11_TEXTURE2D_DESC td;
    D3D11_RENDER_TARGET_VIEW_DESC vd;
    texture->GetDesc(&td);
    view->GetDesc(&vd);
    UINT mip = 0;
    if (vd.ViewDimension == D3D11_RTV_DIMENSION_TEXTURE2D) mip = vd.Texture2D.MipSlice;
    if (vd.ViewDimension == D3D11_RTV_DIMENSION_TEXTURE2DARRAY) mip = vd.Texture2DArray.MipSlice;
    const UINT w = td.Width >> mip;
    const UINT h = td.Height >> mip;
    set(x, y, static_cast<FLOAT>(w ? w : 1) - x, static_cast<FLOAT>(h ? h : 1) - y, minDepth, maxDepth);
  }

private:
  void set(FLOAT x, FLOAT y, FLOAT width, FLOAT height, FLOAT minDepth, FLOAT maxDepth) {
    TopLeftX = x;
    TopLeftY = y;
    Width = width;
    Height = height;
    MinDepth = minDepth;
    MaxDepth = maxDepth;
  }
};

struct CD3D11_DEPTH_STENCIL_VIEW_DESC : public D3D11_DEPTH_STENCIL_VIEW_DESC {
  CD3D11_DEPTH_STENCIL_VIEW_DESC() {}
  explicit CD3D11_DEPTH_STENCIL_VIEW_DESC(const D3D11_DEPTH_STENCIL_VIEW_DESC& o) : D3D11_DEPTH_STENCIL_VIEW_DESC(o) {}
  explicit CD3D11_DEPTH_STENCIL_VIEW_DESC(D3D11_DSV_DIMENSION viewDimension, DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN,
                                          UINT mipSlice = 0, UINT firstArraySlice = 0,
                                          UINT arraySize = static_cast<UINT>(-1), UINT flags = 0) {
    memset(static_cast<D3D11_DEPTH_STENCIL_VIEW_DESC*>(this), 0, sizeof(D3D11_DEPTH_STENCIL_VIEW_DESC));
    Format = format;
    ViewDimension = viewDimension;
    Flags = flags;
    switch (viewDimension) {
    case D3D11_DSV_DIMENSION_TEXTURE1D: Texture1D.MipSlice = mipSlice; break;
    case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
      Texture1DArray.MipSlice = mipSlice;
      Texture1DArray.FirstArraySlice = firstArraySlice;
      Texture1DArray.ArraySize = arraySize;
      break;
    case D3D11_DSV_DIMENSION_TEXTURE2D: Texture2D.MipSlice = mipSlice; break;
    case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
      Texture2DArray.MipSlice = mipSlice;
      Texture2DArray.FirstArraySlice = firstArraySlice;
      Texture2DArray.ArraySize = arraySize;
      break;
    case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
      Texture2DMSArray.FirstArraySlice = firstArraySlice;
      Texture2DMSArray.ArraySize = arraySize;
      break;
    default: break;
    }
  }
};

struct CD3D11_UNORDERED_ACCESS_VIEW_DESC : public D3D11_UNORDERED_ACCESS_VIEW_DESC {
  CD3D11_UNORDERED_ACCESS_VIEW_DESC() {}
  explicit CD3D11_UNORDERED_ACCESS_VIEW_DESC(const D3D11_UNORDERED_ACCESS_VIEW_DESC& o)
      : D3D11_UNORDERED_ACCESS_VIEW_DESC(o) {}
  /* mipSlice is FirstElement of a buffer, firstArraySlice its NumElements or FirstWSlice. */
  explicit CD3D11_UNORDERED_ACCESS_VIEW_DESC(D3D11_UAV_DIMENSION viewDimension,
                                             DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN, UINT mipSlice = 0,
                                             UINT firstArraySlice = 0, UINT arraySize = static_cast<UINT>(-1),
                                             UINT flags = 0) {
    memset(static_cast<D3D11_UNORDERED_ACCESS_VIEW_DESC*>(this), 0, sizeof(D3D11_UNORDERED_ACCESS_VIEW_DESC));
    Format = format;
    ViewDimension = viewDimension;
    switch (viewDimension) {
    case D3D11_UAV_DIMENSION_BUFFER:
      Buffer.FirstElement = mipSlice;
      Buffer.NumElements = firstArraySlice;
      Buffer.Flags = flags;
      break;
    case D3D11_UAV_DIMENSION_TEXTURE1D: Texture1D.MipSlice = mipSlice; break;
    case D3D11_UAV_DIMENSION_TEXTURE1DARRAY:
      Texture1DArray.MipSlice = mipSlice;
      Texture1DArray.FirstArraySlice = firstArraySlice;
      Texture1DArray.ArraySize = arraySize;
      break;
    case D3D11_UAV_DIMENSION_TEXTURE2D: Texture2D.MipSlice = mipSlice; break;
    case D3D11_UAV_DIMENSION_TEXTURE2DARRAY:
      Texture2DArray.MipSlice = mipSlice;
      Texture2DArray.FirstArraySlice = firstArraySlice;
      Texture2DArray.ArraySize = arraySize;
      break;
    case D3D11_UAV_DIMENSION_TEXTURE3D:
      Texture3D.MipSlice = mipSlice;
      Texture3D.FirstWSlice = firstArraySlice;
      Texture3D.WSize = arraySize;
      break;
    default: break;
    }
  }
  explicit CD3D11_UNORDERED_ACCESS_VIEW_DESC(ID3D11Buffer*, DXGI_FORMAT format, UINT firstElement, UINT numElements,
                                             UINT flags = 0) {
    memset(static_cast<D3D11_UNORDERED_ACCESS_VIEW_DESC*>(this), 0, sizeof(D3D11_UNORDERED_ACCESS_VIEW_DESC));
    Format = format;
    ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
    Buffer.FirstElement = firstElement;
    Buffer.NumElements = numElements;
    Buffer.Flags = flags;
  }
};

}
#endif
#endif
