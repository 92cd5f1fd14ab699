// SPDX-License-Identifier: MIT
/// @file
/// Microsoft::WRL::ComPtr, the smart pointer that Direct3D programs use, with its usual interface.
#ifndef MONOLITH_WRL_CLIENT_H
#define MONOLITH_WRL_CLIENT_H

#include <cstddef>
#include <type_traits>
#include <unknwn.h>

namespace Microsoft {
namespace WRL {

template <typename T>
class ComPtr;

namespace Details {

/// What operator& gives: converts to the address of the pointer (releasing it first) and to ComPtr*.
template <typename P>
class ComPtrRef {
public:
  typedef typename P::InterfaceType InterfaceType;
  explicit ComPtrRef(P* p) noexcept : m_p(p) {}
  operator P*() noexcept {
    m_p->InternalRelease();
    return m_p;
  }
  operator InterfaceType**() noexcept { return m_p->ReleaseAndGetAddressOf(); }
  operator void**() const noexcept { return reinterpret_cast<void**>(m_p->ReleaseAndGetAddressOf()); }
  operator IUnknown**() const noexcept { return reinterpret_cast<IUnknown**>(m_p->ReleaseAndGetAddressOf()); }
  InterfaceType* operator*() noexcept { return m_p->Get(); }
  InterfaceType* const* GetAddressOf() const noexcept { return m_p->GetAddressOf(); }
  InterfaceType** ReleaseAndGetAddressOf() const noexcept { return m_p->ReleaseAndGetAddressOf(); }

private:
  P* m_p;
};

} // namespace Details

/// Owns one reference of a COM object.
template <typename T>
class ComPtr {
public:
  typedef T InterfaceType;

  ComPtr() noexcept : ptr_(nullptr) {}
  ComPtr(std::nullptr_t) noexcept : ptr_(nullptr) {}
  template <class U>
  ComPtr(U* other) noexcept : ptr_(other) {
    InternalAddRef();
  }
  ComPtr(const ComPtr& other) noexcept : ptr_(other.ptr_) { InternalAddRef(); }
  template <class U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  ComPtr(const ComPtr<U>& other) noexcept : ptr_(other.Get()) {
    InternalAddRef();
  }
  ComPtr(ComPtr&& other) noexcept : ptr_(other.ptr_) { other.ptr_ = nullptr; }
  template <class U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  ComPtr(ComPtr<U>&& other) noexcept : ptr_(other.Detach()) {}
  ~ComPtr() noexcept { InternalRelease(); }

  ComPtr& operator=(std::nullptr_t) noexcept {
    InternalRelease();
    return *this;
  }
  ComPtr& operator=(T* other) noexcept {
    if (ptr_ != other) ComPtr(other).Swap(*this);
    return *this;
  }
  template <typename U>
  ComPtr& operator=(U* other) noexcept {
    ComPtr(other).Swap(*this);
    return *this;
  }
  ComPtr& operator=(const ComPtr& other) noexcept {
    if (ptr_ != other.ptr_) ComPtr(other).Swap(*this);
    return *this;
  }
  template <class U>
  ComPtr& operator=(const ComPtr<U>& other) noexcept {
    ComPtr(other).Swap(*this);
    return *this;
  }
  ComPtr& operator=(ComPtr&& other) noexcept {
    ComPtr(static_cast<ComPtr&&>(other)).Swap(*this);
    return *this;
  }
  template <class U>
  ComPtr& operator=(ComPtr<U>&& other) noexcept {
    ComPtr(static_cast<ComPtr<U>&&>(other)).Swap(*this);
    return *this;
  }

  void Swap(ComPtr&& r) noexcept { swapWith(r); }
  void Swap(ComPtr& r) noexcept { swapWith(r); }

  explicit operator bool() const noexcept { return ptr_ != nullptr; }
  T* Get() const noexcept { return ptr_; }
  T* operator->() const noexcept { return ptr_; }
  T& operator*() const noexcept { return *ptr_; }
  Details::ComPtrRef<ComPtr<T>> operator&() noexcept { return Details::ComPtrRef<ComPtr<T>>(this); }
  T* const* GetAddressOf() const noexcept { return &ptr_; }
  T** GetAddressOf() noexcept { return &ptr_; }
  T** ReleaseAndGetAddressOf() noexcept {
    InternalRelease();
    return &ptr_;
  }
  T* Detach() noexcept {
    T* p = ptr_;
    ptr_ = nullptr;
    return p;
  }
  void Attach(T* other) noexcept {
    if (ptr_ != other) {
      InternalRelease();
      ptr_ = other;
    }
  }
  unsigned long Reset() noexcept { return InternalRelease(); }

  HRESULT CopyTo(T** pp) const noexcept {
    InternalAddRef();
    *pp = ptr_;
    return S_OK;
  }
  HRESULT CopyTo(REFIID riid, void** pp) const noexcept { return ptr_->QueryInterface(riid, pp); }
  template <typename U>
  HRESULT CopyTo(U** pp) const noexcept {
    return ptr_->QueryInterface(__uuidof(U), reinterpret_cast<void**>(pp));
  }
  template <typename U>
  HRESULT As(Details::ComPtrRef<ComPtr<U>> p) const noexcept {
    return ptr_->QueryInterface(__uuidof(U), p);
  }
  template <typename U>
  HRESULT As(ComPtr<U>* p) const noexcept {
    return ptr_->QueryInterface(__uuidof(U), reinterpret_cast<void**>(p->ReleaseAndGetAddressOf()));
  }
  HRESULT AsIID(REFIID riid, ComPtr<IUnknown>* p) const noexcept {
    return ptr_->QueryInterface(riid, reinterpret_cast<void**>(p->ReleaseAndGetAddressOf()));
  }

protected:
  template <class U>
  friend class ComPtr;
  template <class P>
  friend class Details::ComPtrRef;

  void InternalAddRef() const noexcept {
    if (ptr_) ptr_->AddRef();
  }
  unsigned long InternalRelease() noexcept {
    T* p = ptr_;
    if (!p) return 0;
    ptr_ = nullptr;
    return p->Release();
  }
  T* ptr_;

private:
  void swapWith(ComPtr& r) noexcept {
    T* p = ptr_;
    ptr_ = r.ptr_;
    r.ptr_ = p;
  }
};

template <class T, class U>
bool operator==(const ComPtr<T>& a, const ComPtr<U>& b) noexcept {
  return a.Get() == b.Get();
}
template <class T, class U>
bool operator!=(const ComPtr<T>& a, const ComPtr<U>& b) noexcept {
  return a.Get() != b.Get();
}
template <class T, class U>
bool operator<(const ComPtr<T>& a, const ComPtr<U>& b) noexcept {
  return a.Get() < b.Get();
}
template <class T>
bool operator==(const ComPtr<T>& a, std::nullptr_t) noexcept {
  return a.Get() == nullptr;
}
template <class T>
bool operator!=(const ComPtr<T>& a, std::nullptr_t) noexcept {
  return a.Get() != nullptr;
}
template <class T>
bool operator==(std::nullptr_t, const ComPtr<T>& a) noexcept {
  return a.Get() == nullptr;
}
template <class T>
bool operator!=(std::nullptr_t, const ComPtr<T>& a) noexcept {
  return a.Get() != nullptr;
}
template <class T>
bool operator==(const ComPtr<T>& a, T* b) noexcept {
  return a.Get() == b;
}
template <class T>
bool operator!=(const ComPtr<T>& a, T* b) noexcept {
  return a.Get() != b;
}

} // namespace WRL
} // namespace Microsoft

extern "C++" {
/// IID_PPV_ARGS(&comPtr).
template <typename P>
inline void** IID_PPV_ARGS_Helper(Microsoft::WRL::Details::ComPtrRef<P> pp) noexcept {
  return pp;
}
}

#endif
