#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the include graph of src/ and fails on an arrow that tools/rooms.txt does not allow."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def readRules():
    rules = {}
    with open(os.path.join(ROOT, "tools", "rooms.txt")) as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                room, _, allowed = line.partition(":")
                rules[room.strip()] = set(allowed.split())
    return rules


def checkOrder(rules):
    """The rules themselves must form a strict order."""
    errors, state = [], {}

    def visit(room, path):
        if state.get(room) == 2:
            return
        if state.get(room) == 1:
            errors.append("rooms.txt: circle " + " > ".join(path + [room]))
            return
        state[room] = 1
        for other in sorted(rules.get(room, ())):
            visit(other, path + [room])
        state[room] = 2

    for room in rules:
        visit(room, [])
    return errors


def main():
    rules = readRules()
    errors = checkOrder(rules)
    arrows = set()
    files = 0
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in names:
            if not name.endswith((".h", ".cpp", ".inl", ".def", ".inc")):
                continue
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, os.path.join(ROOT, "src"))
            if os.sep not in relative:
                continue
            room = relative.split(os.sep)[0]
            files += 1
            if room not in rules:
                errors.append(f"src/{relative}: room '{room}' is not in tools/rooms.txt")
                continue
            with open(path, errors="replace") as f:
                for number, line in enumerate(f, 1):
                    match = re.match(r'\s*#\s*include\s+"([a-z0-9_]+)/', line)
                    if not match or match.group(1) == room or match.group(1) not in rules:
                        continue
                    arrows.add((room, match.group(1)))
                    if match.group(1) not in rules[room]:
                        errors.append(f"src/{relative}:{number}: {room} must not include {match.group(1)}")
    for room in rules:
        folder = os.path.join(ROOT, "src", room)
        if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, "README.md")):
            errors.append(f"src/{room}/README.md is missing")
    for error in errors:
        print("rooms: " + error)
    print(f"rooms: {files} files, {len(arrows)} arrows, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
