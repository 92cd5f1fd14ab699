// SPDX-License-Identifier: MIT
#include "dxgi/output.h"

#include "base/log.h"
#include "wsi/surface.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace monolith::dxgi {
namespace {

struct Size {
  UINT width, height;
};
// What monitors of the last decades offer; the display's own mode is added.
constexpr Size kSizes[] = {{640, 480},  {800, 600},   {1024, 768},  {1280, 720},  {1280, 1024},
                           {1366, 768}, {1600, 900},  {1680, 1050}, {1920, 1080}, {1920, 1200},
                           {2560, 1440}, {3840, 2160}};

bool isDisplayFormat(DXGI_FORMAT format) {
  switch (static_cast<int>(format)) {
  case DXGI_FORMAT_R8G8B8A8_UNORM:
  case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB:
  case DXGI_FORMAT_B8G8R8A8_UNORM:
  case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
  case DXGI_FORMAT_R10G10B10A2_UNORM:
  case DXGI_FORMAT_R16G16B16A16_FLOAT:
    return true;
  }
  return false;
}

std::vector<DXGI_MODE_DESC1> modes(DXGI_FORMAT format, UINT flags) {
  std::vector<DXGI_MODE_DESC1> list;
  if (!isDisplayFormat(format)) return list;
  const wsi::DisplayMode display = wsi::primaryDisplay();
  auto add = [&](UINT width, UINT height) {
    DXGI_MODE_DESC1 mode = {};
    mode.Width = width;
    mode.Height = height;
    mode.RefreshRate = {display.refreshHz, 1};
    mode.Format = format;
    mode.ScanlineOrdering = DXGI_MODE_SCANLINE_ORDER_PROGRESSIVE;
    list.push_back(mode);
    if (!(flags & DXGI_ENUM_MODES_SCALING)) return;
    for (const DXGI_MODE_SCALING scaling : {DXGI_MODE_SCALING_CENTERED, DXGI_MODE_SCALING_STRETCHED}) {
      mode.Scaling = scaling;
      list.push_back(mode);
    }
  };
  bool own = false;
  for (const Size& size : kSizes) {
    if (size.width > display.width || size.height > display.height) continue;
    own = own || (size.width == display.width && size.height == display.height);
    add(size.width, size.height);
  }
  if (!own) add(display.width, display.height);
  return list;
}

/// One ramp for the process's display: what the programs set is what a scan-out would use.
DXGI_GAMMA_CONTROL& gammaControl() {
  static DXGI_GAMMA_CONTROL control = [] {
    DXGI_GAMMA_CONTROL linear = {};
    linear.Scale = {1, 1, 1};
    for (int i = 0; i < 1025; i++) {
      const float value = static_cast<float>(i) / 1024;
      linear.GammaCurve[i] = {value, value, value};
    }
    return linear;
  }();
  return control;
}

} // namespace

wsi::VblankClock& displayClock() {
  static wsi::VblankClock clock(wsi::primaryDisplay().refreshHz);
  return clock;
}

HRESULT Output::GetDesc(DXGI_OUTPUT_DESC* desc) {
  if (!desc) return E_INVALIDARG;
  DXGI_OUTPUT_DESC1 full;
  GetDesc1(&full);
  std::memset(desc, 0, sizeof *desc);
  std::memcpy(desc->DeviceName, full.DeviceName, sizeof desc->DeviceName);
  desc->DesktopCoordinates = full.DesktopCoordinates;
  desc->AttachedToDesktop = full.AttachedToDesktop;
  desc->Rotation = full.Rotation;
  return S_OK;
}

HRESULT Output::GetDesc1(DXGI_OUTPUT_DESC1* desc) {
  if (!desc) return E_INVALIDARG;
  const wsi::DisplayMode display = wsi::primaryDisplay();
  std::memset(desc, 0, sizeof *desc);
  const WCHAR name[] = L"\\\\.\\DISPLAY1";
  std::memcpy(desc->DeviceName, name, sizeof name);
  desc->DesktopCoordinates = {0, 0, static_cast<LONG>(display.width), static_cast<LONG>(display.height)};
  desc->AttachedToDesktop = TRUE;
  desc->Rotation = DXGI_MODE_ROTATION_IDENTITY;
  desc->BitsPerColor = 8;
  desc->ColorSpace = DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709;
  // Primaries and white point of sRGB (ITU-R BT.709), luminances of an ordinary display.
  const FLOAT primaries[4][2] = {{0.64f, 0.33f}, {0.30f, 0.60f}, {0.15f, 0.06f}, {0.3127f, 0.3290f}};
  std::memcpy(desc->RedPrimary, primaries[0], sizeof primaries[0]);
  std::memcpy(desc->GreenPrimary, primaries[1], sizeof primaries[1]);
  std::memcpy(desc->BluePrimary, primaries[2], sizeof primaries[2]);
  std::memcpy(desc->WhitePoint, primaries[3], sizeof primaries[3]);
  desc->MinLuminance = 0.5f;
  desc->MaxLuminance = desc->MaxFullFrameLuminance = 270;
  return S_OK;
}

namespace {
DXGI_MODE_DESC withoutStereo(const DXGI_MODE_DESC1& mode) {
  return {mode.Width, mode.Height, mode.RefreshRate, mode.Format, mode.ScanlineOrdering, mode.Scaling};
}

/// Both versions of GetDisplayModeList: the count alone, or as many modes as the array holds.
template <typename Mode, typename Convert>
HRESULT listModes(DXGI_FORMAT format, UINT flags, UINT* count, Mode* out, Convert convert) {
  if (!count) return DXGI_ERROR_INVALID_CALL;
  const auto list = modes(format, flags);
  const bool more = out && *count < list.size();
  if (!more) *count = static_cast<UINT>(list.size());
  for (UINT i = 0; out && i < *count; i++) out[i] = convert(list[i]);
  return more ? DXGI_ERROR_MORE_DATA : S_OK;
}
} // namespace

HRESULT Output::GetDisplayModeList1(DXGI_FORMAT format, UINT flags, UINT* count, DXGI_MODE_DESC1* out) {
  return listModes(format, flags, count, out, [](const DXGI_MODE_DESC1& mode) { return mode; });
}

HRESULT Output::GetDisplayModeList(DXGI_FORMAT format, UINT flags, UINT* count, DXGI_MODE_DESC* out) {
  return listModes(format, flags, count, out, withoutStereo);
}

HRESULT Output::FindClosestMatchingMode1(const DXGI_MODE_DESC1* mode, DXGI_MODE_DESC1* closest, IUnknown* device) {
  if (!mode || !closest) return DXGI_ERROR_INVALID_CALL;
  // Width and height come together; a format may be left open only when a device says what it can show.
  if ((mode->Width == 0) != (mode->Height == 0)) return DXGI_ERROR_INVALID_CALL;
  if (mode->Format == DXGI_FORMAT_UNKNOWN && !device) return DXGI_ERROR_INVALID_CALL;
  const DXGI_FORMAT format = mode->Format == DXGI_FORMAT_UNKNOWN ? DXGI_FORMAT_R8G8B8A8_UNORM : mode->Format;
  const auto list = modes(format, 0);
  if (list.empty()) return DXGI_ERROR_NOT_FOUND;
  const wsi::DisplayMode display = wsi::primaryDisplay();
  const long width = mode->Width ? mode->Width : display.width, height = mode->Height ? mode->Height : display.height;
  const DXGI_MODE_DESC1* best = nullptr;
  long bestDistance = 0;
  for (const auto& one : list) {
    const long distance = std::labs(width - static_cast<long>(one.Width)) + std::labs(height - static_cast<long>(one.Height));
    if (best && distance >= bestDistance) continue;
    best = &one;
    bestDistance = distance;
  }
  *closest = *best;
  return S_OK;
}

HRESULT Output::FindClosestMatchingMode(const DXGI_MODE_DESC* mode, DXGI_MODE_DESC* closest, IUnknown* device) {
  if (!mode || !closest) return DXGI_ERROR_INVALID_CALL;
  const DXGI_MODE_DESC1 wanted = {mode->Width, mode->Height, mode->RefreshRate, mode->Format, mode->ScanlineOrdering,
                                  mode->Scaling, FALSE};
  DXGI_MODE_DESC1 found;
  const HRESULT result = FindClosestMatchingMode1(&wanted, &found, device);
  if (SUCCEEDED(result)) *closest = withoutStereo(found);
  return result;
}

HRESULT Output::WaitForVBlank() {
  displayClock().waitFor(displayClock().count() + 1);
  return S_OK;
}

HRESULT Output::TakeOwnership(IUnknown* device, WINBOOL) { return device ? DXGI_ERROR_UNSUPPORTED : DXGI_ERROR_INVALID_CALL; }

void Output::ReleaseOwnership() {}

HRESULT Output::GetGammaControlCapabilities(DXGI_GAMMA_CONTROL_CAPABILITIES* capabilities) {
  if (!capabilities) return E_INVALIDARG;
  std::memset(capabilities, 0, sizeof *capabilities);
  capabilities->ScaleAndOffsetSupported = TRUE;
  capabilities->MaxConvertedValue = 1;
  capabilities->MinConvertedValue = 0;
  capabilities->NumGammaControlPoints = 1025;
  for (int i = 0; i < 1025; i++) capabilities->ControlPointPositions[i] = static_cast<float>(i) / 1024;
  return S_OK;
}

HRESULT Output::SetGammaControl(const DXGI_GAMMA_CONTROL* control) {
  if (!control) return E_INVALIDARG;
  gammaControl() = *control;
  return S_OK;
}

HRESULT Output::GetGammaControl(DXGI_GAMMA_CONTROL* control) {
  if (!control) return E_INVALIDARG;
  *control = gammaControl();
  return S_OK;
}

HRESULT Output::SetDisplaySurface(IDXGISurface*) { return DXGI_ERROR_UNSUPPORTED; }
HRESULT Output::GetDisplaySurfaceData(IDXGISurface*) { return DXGI_ERROR_UNSUPPORTED; }
HRESULT Output::GetDisplaySurfaceData1(IDXGIResource*) { return DXGI_ERROR_UNSUPPORTED; }

HRESULT Output::GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) {
  if (!statistics) return E_INVALIDARG;
  wsi::VblankClock& clock = displayClock();
  const uint64_t now = clock.count();
  *statistics = {};
  statistics->PresentRefreshCount = statistics->SyncRefreshCount = static_cast<UINT>(now);
  statistics->SyncQPCTime.QuadPart = static_cast<LONGLONG>(clock.timeOf(now));
  return S_OK;
}

HRESULT Output::DuplicateOutput(IUnknown*, IDXGIOutputDuplication** duplication) {
  if (duplication) *duplication = nullptr;
  return duplication ? DXGI_ERROR_UNSUPPORTED : E_INVALIDARG;
}

HRESULT Output::DuplicateOutput1(IUnknown* device, UINT, UINT, const DXGI_FORMAT*, IDXGIOutputDuplication** duplication) {
  return DuplicateOutput(device, duplication);
}

WINBOOL Output::SupportsOverlays() { return FALSE; }

HRESULT Output::CheckOverlaySupport(DXGI_FORMAT, IUnknown* device, UINT* flags) {
  if (!device || !flags) return DXGI_ERROR_INVALID_CALL;
  *flags = 0;
  return S_OK;
}

HRESULT Output::CheckOverlayColorSpaceSupport(DXGI_FORMAT, DXGI_COLOR_SPACE_TYPE, IUnknown* device, UINT* flags) {
  if (!device || !flags) return DXGI_ERROR_INVALID_CALL;
  *flags = 0;
  return S_OK;
}

HRESULT Output::CheckHardwareCompositionSupport(UINT* flags) {
  if (!flags) return DXGI_ERROR_INVALID_CALL;
  *flags = 0;
  return S_OK;
}

} // namespace monolith::dxgi
