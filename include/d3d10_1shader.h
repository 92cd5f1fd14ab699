/* SPDX-License-Identifier: MIT */
/** @file The packaged d3d10_1shader.h includes d3d10shader.h in quotes, past ours of that name: include ours first. */
#include <d3d10shader.h>
#include <mingw_d3d10_1shader.h>
