#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of the benchmarks in NumPy, CuPy and PyTorch, as far as they are installed: same names, sizes, bytes and
operations, in Google Benchmark's JSON, so that they stand beside Karpos in one file.

    peers.py --benchmark_out FILE [--benchmark_filter REGEX] [--device host|cuda]

host: numpy and torch; cuda: cupy and torch, and torch.compile where it works. Random data. A sample lasts 10 ms or one
call, between two waits for the device; a row is the median of the samples of half a second, BENCHMARK_REPETITIONS times.
"""
import argparse
import importlib
import json
import os
import re
import statistics
import sys
import time


class Library:
    """What differs between the libraries."""

    def __init__(self, name, module):
        self.name, self.xp = name, module

    def sync(self):
        pass

    def random(self, shape, dtype):
        return self.xp.random.default_rng(1).random(shape, dtype=dtype)

    def dtype(self, dtype):
        return {"f32": self.xp.float32, "f64": self.xp.float64}[dtype]

    def assign(self, out, value):
        out[...] = value

    def transposed(self, x, axes):
        return x.transpose(axes)

    def var(self, x):
        return self.xp.var(x, axis=1)

    def softmax(self, x):
        e = self.xp.exp(x - self.xp.max(x, axis=1, keepdims=True))
        return e / self.xp.sum(e, axis=1, keepdims=True)

    def log_softmax(self, x):
        d = x - self.xp.max(x, axis=1, keepdims=True)
        return d - self.xp.log(self.xp.sum(self.xp.exp(d), axis=1, keepdims=True))

    def layer_norm(self, x):
        d = x - self.xp.mean(x, axis=1, keepdims=True)
        return d / self.xp.sqrt(self.xp.mean(d * d, axis=1, keepdims=True) + 1e-5)

    def max_with_index(self, x):
        return self.xp.max(x, axis=1), self.xp.argmax(x, axis=1)

    def compiled(self, function):
        return function


class CuPy(Library):
    def sync(self):
        self.xp.cuda.Stream.null.synchronize()


class Torch(Library):
    def __init__(self, module, device, compiles=False):
        super().__init__("torch_compile" if compiles else "torch", module)
        self.device, self.compiles = device, compiles

    def sync(self):
        if self.device == "cuda":
            self.xp.cuda.synchronize()

    def random(self, shape, dtype):
        return self.xp.rand(shape, dtype=dtype, device=self.device)

    def assign(self, out, value):
        out.copy_(value)

    def transposed(self, x, axes):
        return x.permute(axes)

    def var(self, x):
        return self.xp.var(x, dim=1, correction=0)

    def softmax(self, x):
        return self.xp.softmax(x, 1)

    def log_softmax(self, x):
        return self.xp.log_softmax(x, 1)

    def layer_norm(self, x):
        return self.xp.nn.functional.layer_norm(x, (x.shape[1],))

    def max_with_index(self, x):
        return self.xp.max(x, dim=1)

    def compiled(self, function):
        return self.xp.compile(function) if self.compiles else function


def libraries(device):
    """Those that can be imported and that see the device."""
    found = []
    for name in ("numpy",) if device == "host" else ("cupy",):
        try:
            found.append((Library if device == "host" else CuPy)(name, importlib.import_module(name)))
        except Exception as error:  # pylint: disable=broad-except  (no module, no device, a wrong driver)
            print(f"peers: no {name}: {error}", file=sys.stderr)
    try:
        torch = importlib.import_module("torch")
        torch.zeros(1, device="cuda" if device == "cuda" else "cpu")
        found.append(Torch(torch, "cuda" if device == "cuda" else "cpu"))
        if device == "cuda":
            found.append(Torch(torch, "cuda", compiles=True))
    except Exception as error:  # pylint: disable=broad-except
        print(f"peers: no torch: {error}", file=sys.stderr)
    return found


class Row:
    """One row: `prepare(library, dtype)` makes the operands and returns what is timed."""

    def __init__(self, name, size, prepare, elements_moved, operations=0):
        self.name, self.size, self.prepare = name, size, prepare
        self.elements_moved, self.operations = elements_moved, operations

    def title(self, library, dtype):
        return f"{self.name}/{dtype}/{self.size}/{library.name}"


def square(function, outputs=1):
    """A function of two n x n matrices; with outputs, into a third."""

    def of_size(n):
        def prepare(library, dtype):
            x, y = (library.random((n, n), library.dtype(dtype)) for _ in range(2))
            if outputs == 0:
                f = library.compiled(lambda: function(library, x, y))
                return f
            r = library.random((n, n), library.dtype(dtype))
            f = library.compiled(lambda a, b: function(library, a, b))
            if library.name == "torch_compile":  # the store is fused into the kernel
                g = library.compiled(lambda a, b, out: out.copy_(function(library, a, b)))
                return lambda: g(x, y, r)
            return lambda: library.assign(r, f(x, y))

        return prepare

    return of_size


def in_place(update):
    """An update of the first of two n x n matrices."""

    def of_size(n):
        def prepare(library, dtype):
            r, x = (library.random((n, n), library.dtype(dtype)) for _ in range(2))
            f = library.compiled(lambda a, b: update(a, b))
            return lambda: f(r, x)

        return prepare

    return of_size


def of_shape(shape, function):
    """A function of one array."""

    def prepare(library, dtype):
        x = library.random(shape, library.dtype(dtype))
        f = library.compiled(lambda a: function(library, a))
        return lambda: f(x)

    return prepare


def into(shape, out_shape, function):
    """A rearrangement of an array into another."""

    def prepare(library, dtype):
        x, r = library.random(shape, library.dtype(dtype)), library.random(out_shape, library.dtype(dtype))
        if library.name == "torch_compile":
            g = library.compiled(lambda a, out: out.copy_(function(library, a)))
            return lambda: g(x, r)
        return lambda: library.assign(r, function(library, x))

    return prepare


def axpy(r, x):
    r += 0.5 * x


def product(a_shape, b_shape):
    def prepare(library, dtype):
        a, b = library.random(a_shape, library.dtype(dtype)), library.random(b_shape, library.dtype(dtype))
        return lambda: library.xp.matmul(a, b)

    return prepare


def gram(shape):
    def prepare(library, dtype):
        a = library.random(shape, library.dtype(dtype))
        return lambda: library.xp.matmul(library.transposed(a, (1, 0)), a)

    return prepare


def elementwise_rows(n):
    m = n * n
    two = {"expression": (lambda l, x, y: l.xp.exp(-x * x) * l.xp.sin(y) + 0.5 * x, 3, 7),
           "X+Y": (lambda l, x, y: x + y, 3, 1), "X*Y": (lambda l, x, y: x * y, 3, 1),
           "copy": (lambda l, x, y: x, 2, 0), "X+row": (lambda l, x, y: x + y[0], 2, 1),
           "X+column": (lambda l, x, y: x + y[:, :1], 2, 1),
           "transpose": (lambda l, x, y: l.transposed(x, (1, 0)), 2, 0),
           "X+transpose(X)": (lambda l, x, y: x + l.transposed(x, (1, 0)), 3, 1)}
    for name, (function, moved, operations) in two.items():
        yield Row(name, n, square(function)(n), m * moved, m * operations)
    yield Row("axpy", n, in_place(axpy)(n), 3 * m, 2 * m)
    yield Row("sum", n, of_shape((n, n), lambda l, x: l.xp.sum(x)), m, m)

    def dot(library, dtype):
        x, y = (library.random((n, n), library.dtype(dtype)) for _ in range(2))
        f = library.compiled(lambda a, b: (a * b).sum())
        return lambda: f(x, y)

    yield Row("sum(x*y)", n, dot, 2 * m, 2 * m)
    yield Row("k+k_every_second_column", n,
              into((n, n), (n, n // 2), lambda l, x: x[:, ::2] + x[:, ::2]), m, m // 2)


def layout_rows(shape):
    size = "x".join(map(str, shape))
    count = shape[0] * shape[1] * shape[2]
    for axes in ((0, 2, 1), (2, 0, 1), (1, 0, 2)):
        out = tuple(shape[k] for k in axes)
        yield Row(f"permute({','.join(map(str, axes))})", size,
                  into(shape, out, lambda l, x, axes=axes: l.transposed(x, axes)), 2 * count)


def sum_row(shape, axis):
    n = 1
    for extent in shape:
        n *= extent
    return Row(f"sum_axis{axis}", "x".join(map(str, shape)), of_shape(shape, lambda l, x: l.xp.sum(x, axis=axis)), n, n)


def reduction_rows(rows, columns):
    n = rows * columns
    shape, size = (rows, columns), f"{rows}x{columns}"
    yield Row("sum", n, of_shape((n,), lambda l, x: l.xp.sum(x)), n, n)
    yield Row("max", n, of_shape((n,), lambda l, x: l.xp.max(x)), n)
    yield Row("argmax", n, of_shape((n,), lambda l, x: l.xp.argmax(x)), n)
    yield sum_row(shape, 1)
    yield sum_row(shape, 0)
    yield Row("var_axis1", size, of_shape(shape, lambda l, x: l.var(x)), n)
    yield Row("softmax", size, of_shape(shape, lambda l, x: l.softmax(x)), 2 * n)
    yield Row("log_softmax", size, of_shape(shape, lambda l, x: l.log_softmax(x)), 2 * n)
    yield Row("layer_norm", size, of_shape(shape, lambda l, x: l.layer_norm(x)), 2 * n)
    yield Row("argmax_axis1", size, of_shape(shape, lambda l, x: l.xp.argmax(x, axis=1)), n)
    yield Row("max_and_argmax_axis1", size, of_shape(shape, lambda l, x: l.max_with_index(x)), n)


def product_rows(device):
    for n in (256, 1000, 4096):
        yield Row("matmul", n, product((n, n), (n, n)), 3 * n * n, 2 * n**3)
    for count, n in ((10000, 8), (10000, 16), (2000, 32), (1000, 64)) if device == "host" else (
            (100000, 8), (100000, 16), (20000, 32), (10000, 64)):
        shape = (count, n, n)
        yield Row("matmul_batch", "x".join(map(str, shape)), product(shape, shape), 3 * count * n * n, 2 * count * n**3)
    yield Row("matmul(A^T,A)", "100000x64", gram((100000, 64)), 100000 * 64, 2 * 100000 * 64 * 64)
    for m, n in ((1024, 1024), (4096, 8192) if device == "host" else (16384, 16384)):
        yield Row("gemv", f"{m}x{n}", product((m, n), (n,)), m * n, 2 * m * n)


def rows(device):
    host = device == "host"
    for n in (1000, 4096, 8192 if host else 16384):
        yield from elementwise_rows(n)
    yield from layout_rows((32, 128, 128))
    yield from layout_rows((128, 512, 512) if host else (256, 1024, 1024))
    r, c = (4096, 8192) if host else (16384, 16384)
    yield from reduction_rows(1024, 1024)
    yield from reduction_rows(r, c)
    yield sum_row((16, r * c // 16), 1)
    yield sum_row((16, r * c // 16), 0)
    yield sum_row((1 << 20 if host else 1 << 24, 16), 1)
    yield sum_row((r * c >> 20, 1024, 1024), 1)
    yield from product_rows(device)


def seconds_of(library, call, target):
    """The median of samples."""

    def sample(calls):
        library.sync()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        library.sync()
        return (time.perf_counter() - begin) / calls

    sample(1)
    calls = max(1, min(10000, int(0.01 / max(sample(1), 1e-7))))
    times, spent = [], 0.0
    while len(times) < 3 or spent < target:
        times.append(sample(calls))
        spent += times[-1] * calls
    return statistics.median(times), calls * len(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--benchmark_filter", default=".")
    parser.add_argument("--benchmark_out", required=True)
    parser.add_argument("--device", choices=("host", "cuda"), default="host")
    arguments = parser.parse_args()
    wanted = re.compile(arguments.benchmark_filter)
    repetitions = int(os.environ.get("BENCHMARK_REPETITIONS", "1"))
    found = libraries(arguments.device)
    results = []
    for row in rows(arguments.device):
        for dtype, size in (("f32", 4), ("f64", 8)):
            for library in found:
                name = row.title(library, dtype)
                if not wanted.search(name):
                    continue
                call = row.prepare(library, dtype)
                for k in range(repetitions):
                    seconds, iterations = seconds_of(library, call, 0.5)
                    entry = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": repetitions,
                             "repetition_index": k, "threads": 1, "iterations": iterations, "real_time": seconds * 1e6,
                             "cpu_time": seconds * 1e6, "time_unit": "us",
                             "bytes/s": row.elements_moved * size / seconds}
                    if row.operations:
                        entry["flop/s"] = row.operations / seconds
                    results.append(entry)
                print(f"{name:60} {seconds * 1e6:12.2f} us {row.elements_moved * size / seconds * 1e-9:9.1f} GB/s", flush=True)
    if results:
        versions = {f"peer_{library.name}": library.xp.__version__ for library in found}
        with open(arguments.benchmark_out, "w", encoding="utf-8") as file:
            json.dump({"context": versions, "benchmarks": results}, file, indent=1)


if __name__ == "__main__":
    main()
