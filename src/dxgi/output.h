// SPDX-License-Identifier: MIT
/// @file
/// The one output: the primary display, or a virtual 1920x1080 one with a vblank clock when there is none.
#pragma once

#include "dxgi/dxgi_object.h"
#include "wsi/vblank_clock.h"

#include <vector>

namespace monolith::dxgi {

/// The vblank clock that all outputs and swap chains of the process share.
wsi::VblankClock& displayClock();

using OutputInterfaces = com::Interfaces<IDXGIOutput6, IDXGIOutput5, IDXGIOutput4, IDXGIOutput3, IDXGIOutput2,
                                         IDXGIOutput1, IDXGIOutput, IDXGIObject>;

class Output final : public DxgiObject<OutputInterfaces> {
public:
  explicit Output(IUnknown* adapter) : DxgiObject(adapter) {}

  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_OUTPUT_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE GetDisplayModeList(DXGI_FORMAT format, UINT flags, UINT* count, DXGI_MODE_DESC* modes) override;
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode(const DXGI_MODE_DESC* mode, DXGI_MODE_DESC* closest,
                                                    IUnknown* device) override;
  HRESULT STDMETHODCALLTYPE WaitForVBlank() override;
  HRESULT STDMETHODCALLTYPE TakeOwnership(IUnknown* device, WINBOOL exclusive) override;
  void STDMETHODCALLTYPE ReleaseOwnership() override;
  HRESULT STDMETHODCALLTYPE GetGammaControlCapabilities(DXGI_GAMMA_CONTROL_CAPABILITIES* capabilities) override;
  HRESULT STDMETHODCALLTYPE SetGammaControl(const DXGI_GAMMA_CONTROL* control) override;
  HRESULT STDMETHODCALLTYPE GetGammaControl(DXGI_GAMMA_CONTROL* control) override;
  HRESULT STDMETHODCALLTYPE SetDisplaySurface(IDXGISurface* surface) override;
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData(IDXGISurface* surface) override;
  HRESULT STDMETHODCALLTYPE GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) override;
  HRESULT STDMETHODCALLTYPE GetDisplayModeList1(DXGI_FORMAT format, UINT flags, UINT* count, DXGI_MODE_DESC1* modes) override;
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode1(const DXGI_MODE_DESC1* mode, DXGI_MODE_DESC1* closest,
                                                     IUnknown* device) override;
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData1(IDXGIResource* destination) override;
  HRESULT STDMETHODCALLTYPE DuplicateOutput(IUnknown* device, IDXGIOutputDuplication** duplication) override;
  WINBOOL STDMETHODCALLTYPE SupportsOverlays() override;
  HRESULT STDMETHODCALLTYPE CheckOverlaySupport(DXGI_FORMAT format, IUnknown* device, UINT* flags) override;
  HRESULT STDMETHODCALLTYPE CheckOverlayColorSpaceSupport(DXGI_FORMAT format, DXGI_COLOR_SPACE_TYPE space,
                                                          IUnknown* device, UINT* flags) override;
  HRESULT STDMETHODCALLTYPE DuplicateOutput1(IUnknown* device, UINT flags, UINT count, const DXGI_FORMAT* formats,
                                             IDXGIOutputDuplication** duplication) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_OUTPUT_DESC1* desc) override;
  HRESULT STDMETHODCALLTYPE CheckHardwareCompositionSupport(UINT* flags) override;

protected:
  const char* className() const override { return "IDXGIOutput"; }
};

} // namespace monolith::dxgi
