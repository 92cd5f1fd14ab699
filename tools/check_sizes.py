#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the size table of our sources and fails past a limit (file 1000 lines, function 120 lines).

Exceptions stand in tools/size_exceptions.txt: `path` or `path:function`, then a reason. Functions are found by
matching braces outside of comments and strings, which suffices for formatted code."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILE_LIMIT, FUNCTION_LIMIT = 1000, 120
FOLDERS = ("src", "include", "tools", "samples", "bench", "tests")
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
NOT_FUNCTION = re.compile(r"^\s*(if|for|while|switch|catch|else|do|return|namespace|class|struct|union|enum|extern)\b")
NAME = re.compile(r"([~\w:]+|operator[^(]*)\s*\(")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def functionsOf(text):
    """Yields (name, first line, lines) of each function body."""
    text = BLANK.sub(blank, text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    stack, start, line, headLine = [], 0, 1, 1
    for at, c in enumerate(text):
        if c == "\n":
            line += 1
        elif c == ";" or c == "}":
            if c == "}" and stack:
                kind, name, first = stack.pop()
                if kind == "function":
                    yield name, first, line - first + 1
            start = at + 1
        elif c == "{":
            head = text[start:at]
            first = line - head.lstrip().count("\n")
            inside = any(kind == "function" for kind, _, _ in stack)
            clean = re.sub(r"^\s*(template\s*<[^{;]*?>\s*)+(?=[\w~])", "", head)
            isFunction = (not inside and ")" in head and not NOT_FUNCTION.match(clean)
                          and re.search(r"\)\s*(const|noexcept|override|final|mutable|&&?|->[^()]*|:[^?].*)*\s*$", head, re.S))
            name = NAME.search(clean)
            stack.append(("function" if isFunction else "other", name.group(1) if name else "?", first))
            start = at + 1


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * p))] if values else 0


def main():
    exceptions = {}
    with open(os.path.join(ROOT, "tools", "size_exceptions.txt")) as f:
        for line in f:
            line = line.strip()
            if line and not line.startswith("#"):
                what, _, reason = line.partition(" ")
                exceptions[what] = reason
    errors, used = [], set()
    print("sizes: folder        files   lines  file median/p95/max   functions  median/p95/max")
    for top in FOLDERS:
        files, functions = [], []
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if not name.endswith((".h", ".cpp", ".c", ".inl")):
                    continue
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, ROOT)
                with open(path, errors="replace") as f:
                    text = f.read()
                lines = text.count("\n")
                files.append(lines)
                if lines > FILE_LIMIT and relative not in exceptions:
                    errors.append(f"{relative}: {lines} lines (limit {FILE_LIMIT})")
                elif lines > FILE_LIMIT:
                    used.add(relative)
                for function, first, length in functionsOf(text):
                    functions.append(length)
                    key = f"{relative}:{function}"
                    if length > FUNCTION_LIMIT and key not in exceptions and not relative.startswith("tests/"):
                        errors.append(f"{relative}:{first}: {function} has {length} lines (limit {FUNCTION_LIMIT})")
                    elif length > FUNCTION_LIMIT:
                        used.add(key)
        if files:
            print(f"sizes: {top:12} {len(files):6} {sum(files):7}  {percentile(files, .5):5} /{percentile(files, .95):5} /{max(files):5}"
                  f"   {len(functions):8}  {percentile(functions, .5):5} /{percentile(functions, .95):5} /{max(functions or [0]):5}")
    for what in exceptions:
        if what not in used and not os.path.exists(os.path.join(ROOT, what.split(":")[0])):
            errors.append(f"tools/size_exceptions.txt: {what} does not exist")
    for error in errors:
        print("sizes: " + error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
