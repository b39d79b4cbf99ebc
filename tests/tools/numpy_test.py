#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that NumPy writes go in, and NumPy reads what comes out as its own result."""
import sys

import programs
from programs import ToolTest

try:
    import numpy
except ImportError:
    print("skipped: no NumPy")
    sys.exit(programs.SKIPPED)


class FromNumpyAndBack(ToolTest):
    def save(self, name, values):
        numpy.save(self.scratch / name, values)
        return self.scratch / name

    def spaces(self):
        return self.compare_json("matmul", "--n", "2")[0]["build"]["spaces"]

    def variants(self, values):
        """The same numbers in the orders and byte orders that NumPy has."""
        yield "C order", values
        yield "Fortran order", numpy.asfortranarray(values)
        yield "big endian", values.astype(values.dtype.newbyteorder(">"))

    def check_product(self, a, b, result):
        want = a.astype(numpy.longdouble) @ b.astype(numpy.longdouble)
        bound = 4 * a.shape[1] * numpy.finfo(a.dtype).eps * (abs(a).astype(float) @ abs(b).astype(float))
        self.assertEqual(result.dtype, a.dtype)
        self.assertEqual(result.shape, want.shape)
        self.assertTrue((abs(result - want) <= bound).all())

    def test_products(self):
        generator = numpy.random.default_rng(1)
        for dtype in (numpy.float32, numpy.float64):
            a = generator.standard_normal((37, 53)).astype(dtype)
            b = generator.standard_normal((53, 29)).astype(dtype)
            for (name, a_file), (_, b_file) in zip(self.variants(a), self.variants(b)):
                with self.subTest(dtype=dtype.__name__, order=name):
                    self.compare("matmul", self.save("A.npy", a_file), self.save("B.npy", b_file), "-o",
                                 self.scratch / "C.npy")
                    self.check_product(a, b, numpy.load(self.scratch / "C.npy"))

    def test_the_product_of_each_space(self):
        generator = numpy.random.default_rng(2)
        a, b = generator.standard_normal((64, 48)), generator.standard_normal((48, 80))
        for space in self.spaces():
            with self.subTest(space=space):
                self.compare("matmul", self.save("A.npy", a), self.save("B.npy", b), "-o", self.scratch / "C.npy",
                             "--from", space)
                self.check_product(a, b, numpy.load(self.scratch / "C.npy"))

    def test_a_product_of_small_integers_is_equal_bit_for_bit(self):
        generator = numpy.random.default_rng(3)
        for dtype in (numpy.float32, numpy.float64):
            a, b = (generator.integers(-9, 9, (40, 40)).astype(dtype) for _ in range(2))
            self.compare("matmul", self.save("A.npy", a), self.save("B.npy", b), "-o", self.scratch / "C.npy")
            self.assertTrue(numpy.array_equal(numpy.load(self.scratch / "C.npy"), a @ b))

    def test_expressions(self):
        generator = numpy.random.default_rng(4)
        for dtype in (numpy.float32, numpy.float64):
            x, y = (generator.standard_normal((31, 45)).astype(dtype) for _ in range(2))
            for (name, x_file), (_, y_file) in zip(self.variants(x), self.variants(y)):
                with self.subTest(dtype=dtype.__name__, order=name):
                    self.compare("elementwise", self.save("X.npy", x_file), self.save("Y.npy", y_file), "-o",
                                 self.scratch / "R.npy")
                    result = numpy.load(self.scratch / "R.npy")
                    want = numpy.exp(-x * x) * numpy.sin(y) + dtype(0.5) * x
                    self.assertEqual(result.dtype, x.dtype)
                    numpy.testing.assert_allclose(result, want, rtol=0, atol=16 * numpy.finfo(dtype).eps * 2)


if __name__ == "__main__":
    programs.main()
