// SPDX-License-Identifier: MIT
#include "compiler/api/blob.h"

#include <windows.h>

#include <atomic>

namespace monolith::compiler {
namespace {

class Blob final : public ID3D10Blob {
public:
  explicit Blob(std::vector<uint8_t> bytes) : m_bytes(std::move(bytes)) {}
  virtual ~Blob() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    if (!object) return E_POINTER;
    *object = nullptr;
    if (riid != __uuidof(IUnknown) && riid != __uuidof(ID3D10Blob)) return E_NOINTERFACE;
    *object = static_cast<ID3D10Blob*>(this);
    AddRef();
    return S_OK;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return m_refs.fetch_add(1, std::memory_order_relaxed) + 1; }
  ULONG STDMETHODCALLTYPE Release() override {
    ULONG n = m_refs.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (n == 0) delete this;
    return n;
  }
  LPVOID STDMETHODCALLTYPE GetBufferPointer() override { return m_bytes.data(); }
  SIZE_T STDMETHODCALLTYPE GetBufferSize() override { return m_bytes.size(); }

private:
  std::vector<uint8_t> m_bytes;
  std::atomic<ULONG> m_refs{1};
};

} // namespace

ID3DBlob* makeBlob(std::vector<uint8_t> bytes) { return new Blob(std::move(bytes)); }

ID3DBlob* makeTextBlob(std::string_view text) {
  std::vector<uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return makeBlob(std::move(bytes));
}

} // namespace monolith::compiler
