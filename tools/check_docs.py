#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a document names a file of the project, in backquotes, that does not exist, or when docs/options.md is not
what src/base/options.def says (`check_docs.py --write` makes it anew)."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PREFIXES = ("src/", "docs/", "tools/", "tests/", "scripts/", "samples/", "include/", "bench/", "cmake/")


def optionsPage():
    rows = re.findall(r'OPTION\((\w+), "([^"]*)", "([^"]*)"\)', open(os.path.join(ROOT, "src/base/options.def")).read())
    lines = ["# Options", "", "Environment variables, read once per process. Made from `src/base/options.def`.", "",
             "| Variable | Default | Meaning |", "|---|---|---|"]
    lines += [f"| `MONOLITH_{name}` | {default or '(empty)'} | {text} |" for name, default, text in rows]
    return "\n".join(lines) + "\n"


def main():
    errors = 0
    page = os.path.join(ROOT, "docs/options.md")
    if "--write" in sys.argv:
        with open(page, "w") as f:
            f.write(optionsPage())
    if not os.path.exists(page) or open(page).read() != optionsPage():
        print("docs: docs/options.md is not what src/base/options.def says: tools/check_docs.py --write")
        errors += 1
    documents = glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "*.md"))
    documents += glob.glob(os.path.join(ROOT, "src", "*", "README.md"))
    for document in documents:
        with open(document) as f:
            for number, line in enumerate(f, 1):
                for name in re.findall(r"`([A-Za-z0-9_./*{},-]+)`", line):
                    if not name.startswith(PREFIXES) or any(c in name for c in "{,"):
                        continue
                    if not glob.glob(os.path.join(ROOT, name)):
                        print(f"docs: {os.path.relpath(document, ROOT)}:{number}: {name} does not exist")
                        errors += 1
    print(f"docs: {len(documents)} documents, {errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
