// SPDX-License-Identifier: MIT
/// @file
/// The layer that all DXGI objects share: private data and the parent object.
#pragma once

#include "com/object.h"
#include "com/private_data.h"

#include <dxgi1_6.h>

namespace monolith::dxgi {

/// An object of the interfaces `List`, kept alive together with its parent (factory of an adapter, adapter of an
/// output, factory of a swap chain).
template <typename List> class DxgiObject : public com::Object<List> {
public:
  explicit DxgiObject(IUnknown* parent) : m_parent(parent) {
    if (m_parent) m_parent->AddRef();
  }
  ~DxgiObject() override {
    if (m_parent) m_parent->Release();
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) override {
    return m_privateData.set(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) override {
    return m_privateData.setInterface(guid, object);
  }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) override {
    return m_privateData.get(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE GetParent(REFIID riid, void** parent) override {
    if (!parent) return E_POINTER;
    *parent = nullptr;
    return m_parent ? m_parent->QueryInterface(riid, parent) : E_NOINTERFACE;
  }

protected:
  IUnknown* parentObject() const { return m_parent; }

private:
  IUnknown* m_parent;
  com::PrivateData m_privateData;
};

/// Creates T with a public reference and gives its interface `riid`.
template <typename T, typename... Arguments> HRESULT createAs(REFIID riid, void** out, Arguments&&... arguments) {
  auto* object = new (std::nothrow) T(static_cast<Arguments&&>(arguments)...);
  if (!object) return E_OUTOFMEMORY;
  object->AddRef();
  const HRESULT result = object->QueryInterface(riid, out);
  object->Release();
  return result;
}

} // namespace monolith::dxgi
