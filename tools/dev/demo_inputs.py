#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the demo's inputs, the same on every run: A B for matmul, X Y for elementwise. Argument: the folder."""
import pathlib
import sys

import numpy

folder = pathlib.Path(sys.argv[1])
for seed, name in enumerate("ABXY", start=1):
    values = numpy.random.default_rng(seed).standard_normal((1000, 1000))
    numpy.save(folder / f"{name}.npy", values)
