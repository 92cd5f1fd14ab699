#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a document names a file of the project, in backquotes, that does not exist."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PREFIXES = ("src/", "docs/", "tools/", "tests/", "scripts/", "samples/", "include/", "bench/", "cmake/")


def main():
    errors = 0
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
