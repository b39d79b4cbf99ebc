#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""karpos-compare: what it prints and writes, what fails and what it refuses."""
import json
import math
import os
import re
import subprocess
import sys
import unittest

import programs
from programs import ToolTest, read_matrix, write_matrix


def rows_of(results, name="karpos"):
    return [row for problem in results["problems"] for row in problem["rows"] if row["name"] == name]


class Passing(ToolTest):
    def test_matmul_of_random_inputs(self):
        results, _ = self.compare_json("matmul", "--n", "1,17,64", "--dtype", "f32,f64")
        self.assertEqual([(p["dtype"], p["shape"]) for p in results["problems"]],
                         [(t, [n, n]) for t in ("float32", "float64") for n in (1, 17, 64)])
        self.assertTrue(results["passed"])
        for row in rows_of(results):
            self.assertEqual(row["check"]["status"], "pass")
            self.assertEqual(row["unit"], "GFLOP/s")

    def test_elementwise_of_random_inputs_has_its_four_operations(self):
        results, _ = self.compare_json("elementwise", "--n", "33", "--dtype", "f32,f64")
        for problem in results["problems"]:
            operations = [row["operation"] for row in problem["rows"] if row["name"] == "raw Kokkos loop"]
            self.assertEqual(operations[:4], ["expression", "x+y", "x*y", "x+row"])
        self.assertTrue(all(row["check"]["status"] == "pass" for row in rows_of(results)))

    def test_every_space_of_the_build_has_its_rows(self):
        results, _ = self.compare_json("matmul", "--n", "40")
        self.assertEqual({row["space"] for row in rows_of(results)}, set(results["build"]["spaces"]))
        self.assertEqual({row["space"] for row in rows_of(results, "raw Kokkos loop")},
                         set(results["build"]["spaces"]))
        self.assertEqual([s["name"] for s in results["spaces"]], results["build"]["spaces"])

    def test_one_thread_is_a_row_or_a_space(self):
        results, _ = self.compare_json("matmul", "--n", "40")
        serial = [s for s in results["spaces"] if s["threads"] == 1]
        self.assertTrue(serial or rows_of(results, "one thread"), results["spaces"])
        for row in rows_of(results, "one thread"):
            self.assertRegex(row["path"], ", 1 thread$")

    def test_the_blas_uses_no_more_threads_than_the_space(self):
        results, _ = self.compare_json("matmul", "--n", "8")
        for space in results["spaces"]:
            self.assertLessEqual(space["blas_threads"], max(1, space["threads"]) if space["role"] != "device" else 0)

    def test_results_hold_what_the_table_needs(self):
        results, _ = self.compare_json("matmul", "--n", "50")
        self.assertEqual((results["format"], results["version"]), ("karpos-results", 1))
        self.assertRegex(results["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertLessEqual({"host", "cpu", "sockets", "cores", "hardware_threads", "allowed_cpus", "memory_bytes"},
                             set(results["machine"]))
        self.assertLessEqual({"karpos", "kokkos", "kokkos_kernels", "compiler", "build_type", "spaces"},
                             set(results["build"]))
        self.assertIn("OMP_PROC_BIND", results["environment"])
        for space in results["spaces"]:
            self.assertLessEqual({"name", "role", "threads", "binding", "blas", "blas_threads", "device"}, set(space))
            self.assertEqual(space["device"] is not None, space["role"] == "device")
        for peak in results["peaks"]:
            self.assertGreater(peak["copy_gb_per_s"], 0)
            self.assertGreater(peak["gemm_gflop_per_s"], 0)
        for problem in results["problems"]:
            self.assertRegex(problem["input_hash"], "^xxh64:[0-9a-f]{16}$")
            for row in problem["rows"]:
                times = row["compute"]
                self.assertGreater(times["first_s"], 0)
                self.assertTrue(0 < times["min_s"] <= times["q1_s"] <= times["median_s"] <= times["q3_s"])
                self.assertGreaterEqual(times["samples"], 3)
                for field in ("rate", "percent_of_copy", "percent_of_gemm", "speed_up"):
                    self.assertGreater(row[field], 0)
                on_device = row["space"] in ("Cuda", "HIP", "SYCL") and row["name"] == "karpos"
                self.assertEqual(row["to_space_s"] is not None, on_device)
                self.assertEqual(row["from_space_s"] is not None, on_device)

    def test_the_table_has_its_columns(self):
        out = self.compare("matmul", "--n", "20").stdout
        for text in ("first call", "median", "quartiles", "rate", "% copy", "% GEMM", "speed-up", "raw Kokkos loop",
                     "machine", "build", "PASS", "100 % on"):
            self.assertIn(text, out)

    def test_the_baseline_has_speed_up_one(self):
        results, _ = self.compare_json("elementwise", "--n", "20")
        space = results["build"]["spaces"][0]
        for row in rows_of(results):
            if row["space"] == space:
                self.assertEqual(row["speed_up"], 1)

    def test_a_seed_gives_the_same_input_and_another_seed_another(self):
        first, second, other = (self.compare_json("matmul", "--n", "30", "--seed", seed)[0]["problems"][0]
                                for seed in (5, 5, 6))
        self.assertEqual(first["input_hash"], second["input_hash"])
        self.assertNotEqual(first["input_hash"], other["input_hash"])

    def test_files_of_other_shapes_than_square(self):
        a = write_matrix(self.scratch / "A.npy", 5, 130, 1)
        b = write_matrix(self.scratch / "B.npy", 130, 67, 2)
        results, _ = self.compare_json("matmul", self.scratch / "A.npy", self.scratch / "B.npy")
        self.assertEqual(results["problems"][0]["shape"], [5, 67])
        self.assertEqual([i["shape"] for i in results["problems"][0]["inputs"]], [[5, 130], [130, 67]])
        self.assertEqual(len(a) + len(b), 135)

    def test_the_product_is_written(self):
        a = write_matrix(self.scratch / "A.npy", 7, 11, 1)
        b = write_matrix(self.scratch / "B.npy", 11, 4, 2)
        for space in self.compare_json("matmul", "--n", "2")[0]["build"]["spaces"]:
            c = self.scratch / f"{space}.npy"
            self.compare("matmul", self.scratch / "A.npy", self.scratch / "B.npy", "-o", c, "--from", space.lower())
            for i, row in enumerate(read_matrix(c)):
                for j, got in enumerate(row):
                    exact = math.fsum(a[i][p] * b[p][j] for p in range(11))
                    self.assertAlmostEqual(got, exact, delta=1e-14)

    def test_the_expression_is_written(self):
        x = write_matrix(self.scratch / "X.npy", 6, 9, 1)
        y = write_matrix(self.scratch / "Y.npy", 6, 9, 2)
        self.compare("elementwise", self.scratch / "X.npy", self.scratch / "Y.npy", "-o", self.scratch / "R.npy")
        for i, row in enumerate(read_matrix(self.scratch / "R.npy")):
            for j, got in enumerate(row):
                want = math.exp(-x[i][j] ** 2) * math.sin(y[i][j]) + 0.5 * x[i][j]
                self.assertAlmostEqual(got, want, delta=1e-15)

    def test_a_space_can_be_chosen(self):
        spaces = self.compare_json("matmul", "--n", "2")[0]["build"]["spaces"]
        results, _ = self.compare_json("matmul", "--n", "9", "--spaces", spaces[-1], "--baseline", spaces[-1])
        self.assertEqual({row["space"] for row in rows_of(results)}, {spaces[-1]})

    def test_names_of_files_begin_no_lines_and_need_no_utf8(self):
        lines = self.scratch / "A\nFAIL: no\x1b[2J.npy"
        latin = os.fsencode(self.scratch) + b"/\xe9.npy"
        write_matrix(lines, 3, 3)
        try:
            with open(latin, "wb") as file:
                file.write(lines.read_bytes())
        except OSError:
            self.skipTest("names of files are UTF-8 here")
        path = self.scratch / "results.json"
        done = subprocess.run([self.arguments.compare, "matmul", lines, latin, "--json", path, *programs.QUICK],
                              capture_output=True, env={**os.environ, "OMP_NOBODY": "a\nFAIL: b\udce9"})
        if b"no device" in done.stderr:
            self.skipTest("no device")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"\nFAIL", done.stdout)
        self.assertNotIn(b"\x1b", done.stdout)
        results = json.loads(path.read_text())
        self.assertEqual(results["problems"][0]["inputs"][0]["source"], str(lines))
        self.assertTrue(results["problems"][0]["inputs"][1]["source"].endswith("/\ufffd.npy"))
        self.assertEqual(results["environment"]["OMP_NOBODY"], "a\nFAIL: b\ufffd")

    def test_an_expression_of_extreme_values_passes(self):
        write_matrix(self.scratch / "X.npy", 4, 4, 1, fill=float("nan"))
        write_matrix(self.scratch / "Y.npy", 4, 4, 2, fill=float("inf"))
        self.compare("elementwise", self.scratch / "X.npy", self.scratch / "Y.npy")
        write_matrix(self.scratch / "X.npy", 4, 4, 1, fill=1e308)
        write_matrix(self.scratch / "Y.npy", 4, 4, 2, fill=1.5e308)
        self.compare("elementwise", self.scratch / "X.npy", self.scratch / "Y.npy")


class Failing(ToolTest):
    def assert_fails(self, *words):
        done = self.compare(*words, expected=1)
        self.assertIn("FAIL", done.stdout)
        self.assertNotIn("PASS:", done.stdout)
        return done.stdout

    def test_a_wrong_element_of_a_product_fails(self):
        for dtype in ("f32", "f64"):
            out = self.assert_fails("matmul", "--n", "60", "--dtype", dtype, "--plant-error", "sampled")
            self.assertRegex(out, r"FAIL matmul float\d\d \(60, 60\), \w+, matmul, karpos: C\(\d+, \d+\) is ")

    def test_a_wrong_element_in_a_sampled_row_of_a_large_product_fails(self):
        out = self.assert_fails("matmul", "--n", "300", "--full-check-n", "8", "--plant-error", "sampled")
        self.assertIn("C(", out)

    def test_a_wrong_element_that_only_freivalds_sees_fails(self):
        for dtype in ("f32", "f64"):
            out = self.assert_fails("matmul", "--n", "300", "--dtype", dtype, "--full-check-n", "8",
                                    "--plant-error", "unsampled")
            self.assertRegex(out, r"karpos: Freivalds: row \d+, columns \d+ to \d+")

    def test_the_sampled_check_passes_without_a_planted_error(self):
        out = self.compare("matmul", "--n", "300", "--dtype", "f32,f64", "--full-check-n", "8").stdout
        self.assertIn("PASS: 64 of 300 rows within 4 k eps |A||B|, all rows by Freivalds", out)

    def test_a_wrong_element_of_an_expression_fails(self):
        for dtype in ("f32", "f64"):
            out = self.assert_fails("elementwise", "--n", "60", "--dtype", dtype, "--plant-error", "sampled")
            for operation in ("expression", r"x\+y", r"x\*y", r"x\+row"):
                self.assertRegex(out, rf"FAIL .* {operation}, karpos: element \(30, 0\) is ")

    def test_a_failure_is_written_down(self):
        results, _ = self.compare_json("matmul", "--n", "20", "--plant-error", "sampled", expected=1)
        self.assertFalse(results["passed"])
        self.assertIn("fail", [row["check"]["status"] for row in rows_of(results)])


class Refused(ToolTest):
    def refused(self, words, *texts):
        self.assert_refused(self.compare(*words, expected=2), "karpos-compare: ", *texts)

    def test_bad_usage(self):
        for words in ([], ["transpose"], ["matmul", "--no-such-option"], ["matmul", "--n", "0"],
                      ["matmul", "--n", "ten"], ["matmul", "--dtype", "f16"], ["matmul", "--samples", "2"],
                      ["matmul", "a.npy", "b.npy", "c.npy"]):
            self.refused(words, "--help")

    def test_numbers_that_are_none(self):
        for option, words in {
                "--budget": ["nan", "NaN", "inf", "-inf", "-1", "1e400", "1e7", "", " 1", "1 ", "1s", "1e", "0x1"],
                "--copy-mib": ["nan", "inf", "0", "-1", "1,5"],
                "--samples": ["3.7", "99999999999", "1e3", "nan", ""],
                "--warm-up": ["-1", "1.0", "0x1"],
                "--peak-n": ["0", "64.5", "99999999999999999999"],
                "--seed": ["-1", "1.5", "18446744073709551616", "0x1", " 1"],
                "--n": ["1.5", "1e3", "0x10", "1_000", "1'000", " 1", "+4", "1048577", "99999999999999999999"]}.items():
            for word in words:
                done = self.run_program(self.arguments.compare, ["matmul", option, word], 2)
                self.assert_refused(done, f"karpos-compare: {option}: ", word.strip(), "number in [", "--help")

    def test_numbers_for_kokkos(self):
        for name, words in {"num-threads": ["abc", "0", "-3", "", "2x"], "device-id": ["abc", "-1", ""]}.items():
            for word in words:
                self.refused(["matmul", "--n", "2", f"--kokkos-{name}={word}"], f"--kokkos-{name}: '{word}' is not")
        results, _ = self.compare_json("matmul", "--n", "2", "--kokkos-num-threads=1")
        self.assertLessEqual({s["threads"] for s in results["spaces"]}, {0, 1})

    def test_leading_zeros_are_decimal(self):
        results, _ = self.compare_json("matmul", "--n", "010", "--seed", "010")
        self.assertEqual(results["problems"][0]["inputs"][0]["shape"], [10, 10])
        self.assertEqual(results["problems"][0]["inputs"][0]["source"], "uniform, seed 10")

    def test_lists_with_an_empty_item(self):
        for option, item in (("--n", "1"), ("--dtype", "f32"), ("--spaces", "Serial")):
            for text in (f"{item},,{item}", f"{item},", f",{item}", ",", ""):
                self.refused(["matmul", option, text], f"karpos-compare: {option}: ", text, "an empty item")

    def test_lists_with_an_item_twice(self):
        self.refused(["matmul", "--n", "4,5,04"], "--n: '4,5,04': 4 twice")
        self.refused(["matmul", "--n", "4", "--n", "4"], "--n: 4 twice")
        self.refused(["matmul", "--dtype", "f32,f32"], "--dtype: 'f32,f32': f32 twice")
        self.refused(["matmul", "--spaces", "Serial,serial"], "--spaces: 'Serial,serial': serial twice")

    def test_a_list_is_one_word(self):
        for name in "AB":
            write_matrix(self.scratch / f"{name}.npy", 3, 3)
        space = self.compare_json("matmul", "--n", "2,3")[0]["build"]["spaces"][0]
        self.compare("matmul", "--spaces", space, self.scratch / "A.npy", self.scratch / "B.npy")
        self.refused(["matmul", "--dtype", "[f32,f64]"], "--dtype")

    def test_options_that_do_not_go_together(self):
        for name in "AB":
            write_matrix(self.scratch / f"{name}.npy", 3, 3)
        files = [self.scratch / "A.npy", self.scratch / "B.npy"]
        self.refused(["matmul", *files, "--n", "5"], "--n", "files")
        self.refused(["matmul", files[0]], "two files")
        self.refused(["matmul", *files, "--from", "Serial"], "--from")
        self.refused(["matmul", "--n", "4,5", "-o", self.scratch / "C.npy"], "-o")

    def test_files_that_cannot_be_read(self):
        good = self.scratch / "good.npy"
        write_matrix(good, 4, 4)
        bad = self.scratch / "bad.npy"
        for content in (None, b"", b"not an array", good.read_bytes()[:-8], good.read_bytes() + b"12345678"):
            if content is not None:
                bad.write_bytes(content)
            self.refused(["matmul", good, bad], bad)
            self.refused(["elementwise", bad, good], bad)

    def test_a_directory_is_no_array(self):
        good = self.scratch / "good.npy"
        write_matrix(good, 4, 4)
        for operation in ("matmul", "elementwise"):
            self.refused([operation, good, self.scratch], f"'{self.scratch}' is not a regular file")
            self.refused([operation, self.scratch, good], f"'{self.scratch}' is not a regular file")

    def test_element_types_that_are_not_taken(self):
        good, other = self.scratch / "good.npy", self.scratch / "other.npy"
        write_matrix(good, 4, 4)
        write_matrix(other, 4, 4, kind="q", descr="<i8")
        self.refused(["matmul", other, other], other, "int64", "float64")
        write_matrix(other, 4, 4, kind="f", descr="<f4")
        self.refused(["matmul", good, other], "float64", "float32")

    def test_wrong_ranks_and_shapes(self):
        a, b = self.scratch / "a.npy", self.scratch / "b.npy"
        write_matrix(a, 4, 6)
        for shape in ((24,), (2, 3, 4)):
            write_matrix(b, 4, 6, shape=shape)
            self.refused(["matmul", a, b], b, f"rank {len(shape)}")
        write_matrix(b, 5, 4)
        self.refused(["matmul", a, b], "(4, 6)", "(5, 4)")
        self.refused(["elementwise", a, b], "(4, 6)", "(5, 4)")
        write_matrix(b, 0, 4)
        self.refused(["matmul", b, b], b, "no elements")

    def test_a_product_without_a_bound(self):
        a, b = self.scratch / "a.npy", self.scratch / "b.npy"
        write_matrix(a, 4, 4)
        write_matrix(b, 4, 4, fill=float("nan"))
        done = self.compare("matmul", a, b, expected=2)
        self.assertIn(f"karpos-compare: {b} has elements that are not finite", done.stderr)

    def test_places_that_cannot_be_written(self):
        nowhere = self.scratch / "no" / "such" / "folder.npy"
        self.refused(["matmul", "--n", "4", "-o", nowhere], nowhere)
        self.refused(["matmul", "--n", "4", "--json", self.scratch], self.scratch)

    def test_what_cannot_be_written_is_found_before_the_work(self):
        nowhere = self.scratch / "no" / "such" / "file"
        for words in (["-o", nowhere], ["--json", nowhere], ["-o", self.scratch], ["-o", "/dev/null"]):
            done = self.compare("matmul", "--n", "4", *words, expected=2)
            self.assert_refused(done, f"karpos-compare: cannot write {words[1]}: ")
            self.assertEqual(done.stdout, "")
        self.assertFalse(nowhere.parent.exists())

    def test_outputs_over_inputs_or_each_other(self):
        a, b, both = (self.scratch / name for name in ("A.npy", "B.npy", "both"))
        write_matrix(a, 3, 3)
        write_matrix(b, 3, 3)
        before = a.read_bytes()
        (self.scratch / "link.npy").symlink_to(a)
        for words in (["-o", a], ["--json", a], ["-o", self.scratch / "link.npy"], ["-o", f"{self.scratch}/./A.npy"]):
            self.refused(["matmul", a, b, *words], f"cannot write {words[1]}: it is an input")
        self.assertEqual(a.read_bytes(), before)
        self.refused(["matmul", a, b, "-o", both, "--json", f"{self.scratch}/./both"], "the same file")
        self.assertFalse(both.exists())

    def test_empty_names(self):
        for option in ("-o", "--json", "--from", "--baseline"):
            self.refused(["matmul", "--n", "2", option, ""], f"{option.lstrip('-')}", "an empty name", "--help")
        self.refused(["matmul", "", ""], "an empty name")

    def test_a_full_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([self.arguments.compare, "matmul", "--n", "2", *programs.QUICK], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        if "no device" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 2)
        self.assertIn("karpos-compare: cannot write to the standard output", done.stderr)

    def test_a_space_that_the_build_has_not(self):
        for option in (["--spaces", "Abacus"], ["--baseline", "Abacus"], ["-o", self.scratch / "C.npy", "--from", "Abacus"]):
            done = self.compare("matmul", "--n", "4", *option, expected=2)
            self.assertRegex(done.stderr, "karpos-compare: (--[a-z]+ Abacus: this run has |no device)")

    def test_a_build_for_a_device_without_a_device(self):
        spaces = self.compare_json("matmul", "--n", "2")[0]["build"]["spaces"]
        nothing = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "HIP_VISIBLE_DEVICES": "-1"}
        done = subprocess.run([self.arguments.compare, "matmul", "--n", "2", *programs.QUICK], capture_output=True,
                              text=True, env=nothing)
        if set(spaces) & {"Cuda", "HIP"}:
            self.assertEqual(done.returncode, 2)
            self.assert_refused(done, "karpos-compare: no device")
        else:
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_help_is_no_error(self):
        for words in (["--help"], ["matmul", "--help"]):
            done = subprocess.run([self.arguments.compare, *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("plant", done.stdout)
            self.assertTrue(re.search("Usage", done.stdout), done.stdout)


if __name__ == "__main__":
    programs.main()
