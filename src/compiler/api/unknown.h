// SPDX-License-Identifier: MIT
/// @file
/// Reference counting and QueryInterface of the objects of shader linking.
#pragma once

#include "compiler/api/exports.h"

#include <atomic>

namespace monolith::compiler {

/// Answers to IUnknown, `Interface` and `kSelf`; the latter gives the class itself, so that objects that come back from
/// the application can be told from other implementations.
template <typename Self, typename Interface>
class Unknown : public Interface {
public:
  virtual ~Unknown() = default;
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    if (!object) return E_POINTER;
    *object = nullptr;
    if (riid == Self::kSelf)
      *object = static_cast<Self*>(this);
    else if (riid == __uuidof(IUnknown) || riid == __uuidof(Interface))
      *object = static_cast<Interface*>(this);
    else
      return E_NOINTERFACE;
    AddRef();
    return S_OK;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return m_refs.fetch_add(1, std::memory_order_relaxed) + 1; }
  ULONG STDMETHODCALLTYPE Release() override {
    const ULONG n = m_refs.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (n == 0) delete this;
    return n;
  }
  /// The object behind an interface, without a reference; null if it is none of ours.
  static Self* from(IUnknown* object) {
    void* self = nullptr;
    if (!object || FAILED(object->QueryInterface(Self::kSelf, &self))) return nullptr;
    object->Release();
    return static_cast<Self*>(self);
  }

private:
  std::atomic<ULONG> m_refs{1};
};

} // namespace monolith::compiler
