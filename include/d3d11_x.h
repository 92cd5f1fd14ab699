/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The unified header: everything of Direct3D 11 and DXGI in one include, for C and C++.
 */
#ifndef MONOLITH_D3D11_X_H
#define MONOLITH_D3D11_X_H

#include <windows.h>
#include <d3dcommon.h>
#include <dxgiformat.h>
#include <dxgitype.h>
#include <dxgi.h>
#include <dxgi1_2.h>
#include <dxgi1_3.h>
#include <dxgi1_4.h>
#include <dxgi1_5.h>
#include <dxgi1_6.h>
#include <dxgidebug.h>
#include <d3d11.h>
#include <d3d11_1.h>
#include <d3d11_2.h>
#include <d3d11_3.h>
#include <d3d11_4.h>
#include <d3d11sdklayers.h>
#include <d3d11shader.h>

#endif
