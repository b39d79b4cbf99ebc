# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the tools share: running the programs, and .npy files written without NumPy."""
import argparse
import array
import json
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

QUICK = ["--samples", "3", "--budget", "0", "--warm-up", "0", "--copy-mib", "1", "--peak-n", "64"]
SKIPPED = 77


def parse_arguments():
    """The program's own arguments; the rest is left to unittest."""
    parser = argparse.ArgumentParser()
    for name in ("compare", "report", "scratch"):
        parser.add_argument(f"--{name}", required=True)
    known, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    shutil.rmtree(known.scratch, ignore_errors=True)
    pathlib.Path(known.scratch).mkdir(parents=True)
    return known


def npy_bytes(descr, shape, payload, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {tuple(shape)!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + payload


def write_matrix(path, rows, columns, seed=0, kind="d", descr="<f8", shape=None, fill=None):
    """Random elements in [-1, 1); returns them as a list of rows."""
    source = random.Random(seed)
    values = array.array(kind, [source.uniform(-1, 1) if kind in "fd" else source.randrange(9)
                                for _ in range(rows * columns)])
    if fill is not None:
        values[0] = fill
    path.write_bytes(npy_bytes(descr, shape or (rows, columns), values.tobytes()))
    return [list(values[i * columns:(i + 1) * columns]) for i in range(rows)]


def read_matrix(path):
    """A float64 matrix in C order; returns a list of rows."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    header = eval(data[10:10 + length])  # noqa: S307 (a literal that our own program wrote)
    assert header["descr"] == "<f8" and not header["fortran_order"], header
    rows, columns = header["shape"]
    values = array.array("d")
    values.frombytes(data[10 + length:])
    assert len(values) == rows * columns
    return [list(values[i * columns:(i + 1) * columns]) for i in range(rows)]


class ToolTest(unittest.TestCase):
    arguments = None

    @property
    def scratch(self):
        folder = pathlib.Path(self.arguments.scratch, self.id().rsplit(".", 1)[-1])
        folder.mkdir(exist_ok=True)
        return folder

    def run_program(self, program, words, expected):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        if "no device" in done.stderr and expected != 2:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, expected, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def compare(self, *words, expected=0):
        return self.run_program(self.arguments.compare, [*words, *QUICK], expected)

    def report(self, *words, expected=0):
        return self.run_program(self.arguments.report, words, expected)

    def compare_json(self, *words, expected=0):
        """The results of a run and the path of their file."""
        path = self.scratch / f"results{len(list(self.scratch.iterdir()))}.json"
        self.compare(*words, "--json", path, expected=expected)
        return json.loads(path.read_text()), path

    def assert_refused(self, done, *texts):
        """One line on stderr, with each of the texts in it."""
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        for text in texts:
            self.assertIn(str(text), lines[0])


def main():
    ToolTest.arguments = parse_arguments()
    unittest.main(verbosity=2)
