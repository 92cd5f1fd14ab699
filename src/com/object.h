// SPDX-License-Identifier: MIT
/// @file
/// Reference counting for API objects. Two counters: the public one belongs to the application, the private one to the
/// library (bindings). The object dies when both are zero. While the public count is above zero it also holds one
/// private reference and, for children of a device, one public reference of the device; so a bound object does not
/// keep the device alive, and an unbound one that the application holds does.
#pragma once

#include "com/interfaces.h"

#include <atomic>
#include <cstdint>

namespace monolith::com {

/// The two counters, without knowledge of what they guard.
class RefCounts {
public:
  /// Both return the new value.
  uint32_t addPublic() { return m_public.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t dropPublic() { return m_public.fetch_sub(1, std::memory_order_acq_rel) - 1; }
  uint32_t addPrivate() { return m_private.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t dropPrivate() { return m_private.fetch_sub(1, std::memory_order_acq_rel) - 1; }
  uint32_t publicCount() const { return m_public.load(std::memory_order_relaxed); }
  uint32_t privateCount() const { return m_private.load(std::memory_order_relaxed); }
  /// Adds a private reference unless the count is zero, that is, unless the object is being destroyed.
  bool tryAddPrivate() {
    uint32_t n = m_private.load(std::memory_order_relaxed);
    while (n != 0)
      if (m_private.compare_exchange_weak(n, n + 1, std::memory_order_relaxed))
        return true;
    return false;
  }

private:
  std::atomic<uint32_t> m_public{0};
  std::atomic<uint32_t> m_private{0};
};

/// An object that implements the interfaces of `List` and belongs to nothing. Derived classes may hide
/// `holdOwner`/`dropOwner`-like behaviour by overriding the two hooks below.
template <typename List> class Object : public List::Primary {
public:
  ULONG STDMETHODCALLTYPE AddRef() override {
    const uint32_t n = m_refs.addPublic();
    if (n == 1) {
      m_refs.addPrivate();
      holdOwner();
    }
    return n;
  }

  ULONG STDMETHODCALLTYPE Release() override {
    const uint32_t n = m_refs.dropPublic();
    if (n == 0) {
      // The owner must outlive the object, and `this` may be gone after the private release.
      IUnknown* owner = heldOwner();
      releasePrivate();
      if (owner)
        owner->Release();
    }
    return n;
  }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    if (!object)
      return E_POINTER;
    *object = nullptr;
    if (List::contains(riid)) {
      *object = static_cast<typename List::Primary*>(this);
      this->AddRef();
      return S_OK;
    }
    if (IUnknown* face = queryFace(riid)) {
      *object = face;
      this->AddRef();
      return S_OK;
    }
    logUnknownInterface(className(), riid);
    return E_NOINTERFACE;
  }

  void addPrivate() { m_refs.addPrivate(); }
  void releasePrivate() {
    if (m_refs.dropPrivate() == 0)
      delete this;
  }
  const RefCounts& refs() const { return m_refs; }
  RefCounts& refs() { return m_refs; }

  virtual ~Object() = default;
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

protected:
  /// Takes a public reference of whatever must live as long as the application holds this object.
  virtual void holdOwner() {}
  /// What holdOwner took a reference of, or null.
  virtual IUnknown* heldOwner() { return nullptr; }
  /// Another face of the same object (its AddRef, Release and QueryInterface forward here), or null.
  virtual IUnknown* queryFace(REFIID) { return nullptr; }
  /// For logs.
  virtual const char* className() const { return "object"; }

private:
  RefCounts m_refs;
};

/// A private reference: what a binding holds. Copies count; moving does not.
template <typename T> class PrivateRef {
public:
  PrivateRef() = default;
  PrivateRef(T* object) : m_object(object) {
    if (m_object)
      m_object->addPrivate();
  }
  PrivateRef(const PrivateRef& other) : PrivateRef(other.m_object) {}
  PrivateRef(PrivateRef&& other) noexcept : m_object(other.m_object) { other.m_object = nullptr; }
  PrivateRef& operator=(PrivateRef other) noexcept {
    T* mine = m_object;
    m_object = other.m_object;
    other.m_object = mine;
    return *this;
  }
  /// Replaces without touching the counters when nothing changes. True if it changed.
  bool set(T* object) {
    if (object == m_object)
      return false;
    if (object)
      object->addPrivate();
    T* old = m_object;
    m_object = object;
    if (old)
      old->releasePrivate();
    return true;
  }
  ~PrivateRef() {
    if (m_object)
      m_object->releasePrivate();
  }
  T* get() const { return m_object; }
  T* operator->() const { return m_object; }
  explicit operator bool() const { return m_object != nullptr; }

private:
  T* m_object = nullptr;
};

/// Hands `object` to the application as interface I through `out` (which may be null), with a public reference.
template <typename I, typename T> void handOut(T* object, I** out) {
  if (!out)
    return;
  *out = object;
  if (object)
    object->AddRef();
}

} // namespace monolith::com
