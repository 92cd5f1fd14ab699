#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""window_test.py PROGRAM FOLDER: runs PROGRAM headless with a capture and in a window under Xvfb; the window's pixels on
the screen must equal the capture's last frame. Exit code 77 when Xvfb is not there."""
import glob
import os
import shutil
import struct
import subprocess
import sys
import time
import zlib

X, Y = 40, 30  # where the program puts its window


def readPng(path):
    """8-bit RGB PNG as (width, height, rows)."""
    data = open(path, "rb").read()
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
            assert depth == 8 and color == 2, "expected 8-bit RGB"
        elif kind == b"IDAT":
            body += chunk
        at += size + 12
    raw, rows, before = zlib.decompress(body), [], bytearray(width * 3)
    for y in range(height):
        kind = raw[y * (width * 3 + 1)]
        row = bytearray(raw[y * (width * 3 + 1) + 1:(y + 1) * (width * 3 + 1)])
        for i in range(len(row)):
            a = row[i - 3] if i >= 3 else 0
            b, c = before[i], before[i - 3] if i >= 3 else 0
            if kind == 1:
                row[i] = (row[i] + a) & 255
            elif kind == 2:
                row[i] = (row[i] + b) & 255
            elif kind == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(bytes(row))
        before = row
    return width, height, rows


def readScreen(path, x, y, width, height):
    """A rectangle of Xvfb's frame buffer file (X window dump, 32 bits a pixel, blue first)."""
    data = open(path, "rb").read()
    header = struct.unpack(">25I", data[:100])
    headerSize, pitch, colors = header[0], header[12], header[19]
    assert header[11] == 32, "expected 32 bits per pixel"
    start = headerSize + colors * 12
    rows = []
    for line in range(y, y + height):
        at = start + line * pitch + x * 4
        pixels = data[at:at + width * 4]
        row = bytearray(width * 3)
        row[0::3], row[1::3], row[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
        rows.append(bytes(row))
    return rows


def main():
    program, folder = sys.argv[1:3]
    if not shutil.which("Xvfb"):
        print("skipped: Xvfb is not installed")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([program, "--headless"], check=True, env={**os.environ, "MONOLITH_CAPTURE": folder})
    width, height, expected = readPng(sorted(glob.glob(folder + "/frame*.png"))[-1])

    display = f":{90 + os.getpid() % 900}"
    server = subprocess.Popen(["Xvfb", display, "-screen", "0", "640x480x24", "-fbdir", folder, "-nolisten", "tcp"],
                              stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if os.path.exists(f"/tmp/.X11-unix/X{display[1:]}"):
                break
            time.sleep(0.05)
        # The window system's libraries keep memory till the end; leaks of ours show in the headless run.
        environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "LSAN_OPTIONS": "detect_leaks=0"}
        shown = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        if shown.stdout.readline().strip() != b"shown":
            print("FAILED: the program did not show its picture")
            return 1
        rows = []
        for _ in range(40):  # the server takes pictures when it gets to it
            rows = readScreen(folder + "/Xvfb_screen0", X, Y, width, height)
            if rows == expected:
                break
            time.sleep(0.05)
        shown.stdin.close()
        if shown.wait(60) != 0:
            print("FAILED: the program's exit code")
            return 1
    finally:
        server.terminate()
        server.wait(10)
    wrong = sum(a != b for a, b in zip(rows, expected))
    print(f"{width}x{height}: {wrong} rows differ between screen and capture")
    return 1 if wrong or len(rows) != height else 0


if __name__ == "__main__":
    sys.exit(main())
