// SPDX-License-Identifier: MIT
#include "com/object.h"
#include "com/private_data.h"

#include <d3d11_1.h>
#include <d3d11sdklayers.h>
#include <gtest/gtest.h>

#include <thread>

using namespace monolith::com;

namespace {

struct Parent : Object<Interfaces<IUnknown>> {
  static inline int alive = 0;
  Parent() { alive++; }
  ~Parent() override { alive--; }
};

/// A child that holds its parent while the application holds it. ID3DDestructionNotifier serves as some interface.
struct Child : Object<Interfaces<ID3D10Blob>> {
  static inline int alive = 0;
  explicit Child(Parent* parent) : m_parent(parent) { alive++; }
  ~Child() override { alive--; }
  void* STDMETHODCALLTYPE GetBufferPointer() override { return this; }
  SIZE_T STDMETHODCALLTYPE GetBufferSize() override { return sizeof *this; }
  void holdOwner() override { m_parent->AddRef(); }
  IUnknown* heldOwner() override { return m_parent; }
  Parent* m_parent;
};

} // namespace

TEST(Object, DiesWhenBothCountersAreZero) {
  auto* parent = new Parent;
  EXPECT_EQ(parent->AddRef(), 1u);
  auto* child = new Child(parent);
  EXPECT_EQ(child->AddRef(), 1u);
  EXPECT_EQ(parent->refs().publicCount(), 2u) << "the child's first public reference holds the parent";
  EXPECT_EQ(child->AddRef(), 2u);
  EXPECT_EQ(parent->refs().publicCount(), 2u);
  {
    PrivateRef<Child> binding(child);
    EXPECT_EQ(child->Release(), 1u);
    EXPECT_EQ(child->Release(), 0u);
    EXPECT_EQ(Child::alive, 1) << "a binding keeps it";
    EXPECT_EQ(parent->refs().publicCount(), 1u) << "but not the parent";
    EXPECT_EQ(child->AddRef(), 1u) << "a getter may revive it";
    EXPECT_EQ(parent->refs().publicCount(), 2u);
    EXPECT_EQ(child->Release(), 0u);
  }
  EXPECT_EQ(Child::alive, 0);
  EXPECT_EQ(parent->Release(), 0u);
  EXPECT_EQ(Parent::alive, 0);
}

TEST(Object, LastChildReleaseDestroysParentAfterChild) {
  auto* parent = new Parent;
  parent->AddRef();
  auto* child = new Child(parent);
  child->AddRef();
  parent->Release();
  EXPECT_EQ(Parent::alive, 1);
  child->Release();
  EXPECT_EQ(Child::alive, 0);
  EXPECT_EQ(Parent::alive, 0);
}

TEST(Object, QueryInterfaceAnswersTheListOnly) {
  auto* parent = new Parent;
  parent->AddRef();
  auto* child = new Child(parent);
  child->AddRef();
  void* p = &p;
  EXPECT_EQ(child->QueryInterface(__uuidof(ID3D10Blob), &p), S_OK);
  EXPECT_EQ(p, static_cast<ID3D10Blob*>(child));
  EXPECT_EQ(child->QueryInterface(__uuidof(IUnknown), &p), S_OK);
  EXPECT_EQ(child->QueryInterface(__uuidof(ID3D11Device), &p), E_NOINTERFACE);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(child->QueryInterface(__uuidof(IUnknown), nullptr), E_POINTER);
  EXPECT_EQ(child->Release(), 2u);
  EXPECT_EQ(child->Release(), 1u);
  EXPECT_EQ(child->Release(), 0u);
  parent->Release();
}

TEST(PrivateRef, SetReportsChange) {
  auto* parent = new Parent;
  parent->AddRef();
  PrivateRef<Parent> ref;
  EXPECT_TRUE(ref.set(parent));
  EXPECT_FALSE(ref.set(parent));
  EXPECT_EQ(parent->refs().privateCount(), 2u);
  EXPECT_TRUE(ref.set(nullptr));
  EXPECT_EQ(parent->refs().privateCount(), 1u);
  parent->Release();
}

TEST(PrivateData, RoundTrip) {
  PrivateData data;
  const GUID a = __uuidof(ID3D10Blob), b = __uuidof(IUnknown);
  const char text[10] = "123456789";
  EXPECT_EQ(data.set(a, 10, text), S_OK);
  EXPECT_EQ(data.set(b, 4, "abc"), S_OK);
  char out[16] = {};
  UINT size = 16;
  EXPECT_EQ(data.get(a, &size, out), S_OK);
  EXPECT_EQ(size, 10u);
  EXPECT_STREQ(out, text);
  size = 0;
  EXPECT_EQ(data.get(a, &size, nullptr), S_OK);
  EXPECT_EQ(size, 10u);
  size = 9;
  out[0] = '#';
  EXPECT_EQ(data.get(a, &size, out), DXGI_ERROR_MORE_DATA);
  EXPECT_EQ(size, 10u);
  EXPECT_EQ(out[0], '#') << "buffer untouched";
  EXPECT_EQ(data.set(a, 2, "x"), S_OK);
  size = 16;
  EXPECT_EQ(data.get(a, &size, out), S_OK);
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(data.set(a, 0, nullptr), S_OK);
  EXPECT_EQ(data.set(a, 0, nullptr), S_FALSE);
  size = 16;
  EXPECT_EQ(data.get(a, &size, out), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(data.get(a, nullptr, out), E_INVALIDARG);
}

TEST(PrivateData, InterfacesAreCounted) {
  auto* object = new Parent;
  object->AddRef();
  const GUID a = __uuidof(ID3D10Blob);
  {
    PrivateData data;
    EXPECT_EQ(data.setInterface(a, object), S_OK);
    EXPECT_EQ(object->refs().publicCount(), 2u);
    EXPECT_EQ(data.setInterface(a, object), S_OK);
    EXPECT_EQ(object->refs().publicCount(), 2u);
    IUnknown* out = nullptr;
    UINT size = sizeof out;
    EXPECT_EQ(data.get(a, &size, &out), S_OK);
    EXPECT_EQ(out, object);
    EXPECT_EQ(size, sizeof(void*));
    EXPECT_EQ(object->Release(), 2u);
    EXPECT_EQ(data.set(a, 1, "x"), S_OK);
    EXPECT_EQ(object->refs().publicCount(), 1u);
    EXPECT_EQ(data.setInterface(a, object), S_OK);
  }
  EXPECT_EQ(object->refs().publicCount(), 1u) << "destruction releases it";
  object->Release();
}

TEST(PrivateData, DebugName) {
  PrivateData data;
  EXPECT_EQ(data.debugName(), "");
  const GUID wide = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};
  EXPECT_EQ(data.set(wide, sizeof(L"t\u00e4"), L"t\u00e4"), S_OK);
  EXPECT_EQ(data.debugName(), "t\u00e4");
  EXPECT_EQ(data.set(WKPDID_D3DDebugObjectName, 5, "depth"), S_OK);
  EXPECT_EQ(data.debugName(), "depth");
}

TEST(PrivateData, ConcurrentUse) {
  PrivateData data;
  auto work = [&](GUID id) {
    for (int i = 0; i < 2000; i++) {
      data.set(id, UINT(1 + i % 8), "12345678");
      char out[8];
      UINT size = 8;
      EXPECT_EQ(data.get(id, &size, out), S_OK);
      data.set(id, 0, nullptr);
    }
  };
  std::thread t(work, __uuidof(IUnknown));
  work(__uuidof(ID3D10Blob));
  t.join();
  EXPECT_EQ(data.debugName(), "");
}
