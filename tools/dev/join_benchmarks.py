#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the JSON files of several Google Benchmark programs of one build into one file of the same form on stdout."""
import json
import sys

joined = None
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    if joined is None:
        joined = results
    else:
        joined["benchmarks"] += results["benchmarks"]
        for name, value in results["context"].items():
            joined["context"].setdefault(name, value)
json.dump(joined, sys.stdout, indent=1)
print()
