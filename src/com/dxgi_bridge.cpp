// SPDX-License-Identifier: MIT
#include "com/dxgi_bridge.h"

#include <atomic>

namespace monolith::com {

namespace {
std::atomic<DxgiBridge*> g_bridge{nullptr};
}

void installDxgiBridge(DxgiBridge* bridge) { g_bridge.store(bridge, std::memory_order_release); }
DxgiBridge* dxgiBridge() { return g_bridge.load(std::memory_order_acquire); }

} // namespace monolith::com
