#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""karpos-report: results side by side, benchmarks against each other and as a page, and what it refuses."""
import copy
import html.parser
import json
import math
import re
import subprocess
import xml.etree.ElementTree as xml

import programs
from programs import ToolTest


class Merge(ToolTest):
    """Real results of this build; those of other builds are made from them."""

    def results(self, *words):
        results, path = self.compare_json("matmul", "--n", "24", *words)
        return results, path

    def as_other_build(self, results, name, space, device=None, faster=2.0):
        """The same inputs on one space of another build."""
        other = copy.deepcopy(results)
        first = other["spaces"][0]["name"]
        other["spaces"] = [other["spaces"][0]]
        other["spaces"][0].update(name=space, role="device" if device else "serial", threads=0 if device else 1)
        if device:
            other["spaces"][0]["device"] = {"name": device, "partition": "none", "driver": "1.0", "clock_mhz": 1.0,
                                            "max_clock_mhz": 2.0, "memory_clock_mhz": 3.0, "memory_bytes": 4.0,
                                            "multiprocessors": 5}
        other["build"]["spaces"] = [space]
        other["peaks"] = [{**p, "space": space} for p in other["peaks"] if p["space"] == first]
        for problem in other["problems"]:
            problem["rows"] = [r for r in problem["rows"] if r["space"] == first]
            for row in problem["rows"]:
                row["space"] = space
                row["rate"] *= faster
                row["compute"]["median_s"] /= faster
        path = self.scratch / name
        path.write_text(json.dumps(other))
        return other, path

    def merged(self, *words, expected=0):
        path = self.scratch / "merged.json"
        out = self.report("merge", *words, "--json", path, expected=expected).stdout
        return out, json.loads(path.read_text())

    def test_two_builds_are_put_side_by_side(self):
        results, here = self.results()
        _, there = self.as_other_build(results, "there.json", "Cuda", device="Some Device")
        out, merged = self.merged(here, there)
        self.assertIn("Cuda [2]", out)
        self.assertIn("Some Device", out)
        spaces = [c["space"] for c in merged["columns"]]
        for space in [*results["build"]["spaces"], "Cuda"]:
            self.assertIn(space, spaces)
        row = next(r for r in merged["problems"][0]["rows"] if r["name"] == "karpos")
        by_file = {(c["space"], c["file"]): cell for c, cell in zip(merged["columns"], row["cells"])}
        self.assertEqual(by_file[results["build"]["spaces"][0], str(here)]["speed_up"], 1)
        self.assertAlmostEqual(by_file["Cuda", str(there)]["speed_up"], 2)

    def test_what_nobody_ran_is_never_run(self):
        results, here = self.results()
        out, merged = self.merged(here)
        absent = {"OpenMP", "Serial", "Cuda", "HIP"} - set(results["build"]["spaces"])
        self.assertTrue(absent)
        self.assertIn("never run", out)
        for row in merged["problems"][0]["rows"]:
            for column, cell in zip(merged["columns"], row["cells"]):
                self.assertEqual(cell == "never run", column["space"] in absent)
                self.assertEqual(column["file"] is None, column["space"] in absent)

    def test_a_problem_that_one_build_did_not_run_is_never_run_there(self):
        _, here = self.results()
        both, _ = self.compare_json("matmul", "--n", "24,25")
        _, there = self.as_other_build(both, "there.json", "HIP", device="Another Device")
        _, merged = self.merged(here, there)
        shapes = [p["shape"] for p in merged["problems"]]
        self.assertEqual(shapes, [[24, 24], [25, 25]])
        for row in merged["problems"][1]["rows"]:
            for column, cell in zip(merged["columns"], row["cells"]):
                self.assertEqual(cell == "never run", column["space"] != "HIP")

    def test_different_inputs_are_refused(self):
        _, one = self.results("--seed", "1")
        _, two = self.results("--seed", "2")
        self.assert_refused(self.report("merge", one, two, expected=2), "karpos-report: different inputs", one, two, "A is")

    def test_results_with_nothing_in_common_are_refused(self):
        _, one = self.results()
        _, two = self.compare_json("matmul", "--n", "25")
        self.assert_refused(self.report("merge", one, two, expected=2), "different inputs", two)
        _, three = self.compare_json("elementwise", "--n", "24")
        self.assert_refused(self.report("merge", one, three, expected=2), "different inputs", three)

    def test_a_failed_check_stays_failed(self):
        _, failed = self.compare_json("matmul", "--n", "24", "--plant-error", "sampled", expected=1)
        out, merged = self.merged(failed, expected=1)
        self.assertIn("FAIL", out)
        self.assertFalse(merged["passed"])

    def test_elementwise_results_are_merged(self):
        results, here = self.compare_json("elementwise", "--n", "24")
        _, there = self.as_other_build(results, "there.json", "HIP", device="Another Device")
        out, _ = self.merged(here, there)
        for text in ("expression: karpos", "x+row: raw Kokkos loop", "Another Device"):
            self.assertIn(text, out)

    def test_text_of_a_file_begins_no_lines(self):
        results, _ = self.results()
        text = "x\ncheck PASS\x1b[2J\r"
        results["spaces"][0]["name"] = results["problems"][0]["operation"] = text
        results["machine"]["host"] = results["build"]["compiler"] = results["date"] = text
        results["problems"][0]["inputs"][0]["name"] = results["problems"][0]["input_hash"] = text
        for row in results["problems"][0]["rows"]:
            row["operation"] = text
            if row["space"] == results["build"]["spaces"][0]:
                row["space"] = text
        path = self.scratch / "odd\ncheck PASS.json"
        path.write_text(json.dumps(results))
        for style in ([], ["--markdown"]):
            out = self.report("merge", path, *style).stdout
            self.assertNotIn("\ncheck PASS", out)
            self.assertNotIn("\x1b", out)

    def test_markdown(self):
        _, here = self.results()
        out = self.report("merge", here, "--markdown").stdout
        self.assertIn("| --- |", out)
        self.assertIn("never run |", out)

    def test_files_that_are_no_results_are_refused(self):
        results, here = self.results()
        bad = self.scratch / "bad.json"
        newer = {**results, "version": 99}
        incomplete = {k: v for k, v in results.items() if k != "problems"}
        for content in (None, "", "no json", "[1, 2]", "{}", json.dumps(newer), json.dumps(incomplete)):
            if content is not None:
                bad.write_text(content)
            self.assert_refused(self.report("merge", here, bad, expected=2), "karpos-report: ", bad)

    def refused_after(self, results, change, *texts):
        """A copy of the results with something changed is refused by its file and the field."""
        bad = self.scratch / "bad.json"
        changed = copy.deepcopy(results)
        change(changed)
        bad.write_text(json.dumps(changed))
        done = self.report("merge", bad, "--json", self.scratch / "merged.json", expected=2)
        self.assert_refused(done, f"karpos-report: {bad} is not a result of karpos-compare: ", *texts)
        self.assertFalse((self.scratch / "merged.json").exists())

    def test_words_that_nobody_knows_are_refused(self):
        results, _ = self.results()
        check = results["problems"][0]["rows"][0]["check"]
        for word in ("ok", "", "PASS", "failed", "pass\n"):
            self.refused_after(results, lambda r: r["problems"][0]["rows"][0]["check"].update(status=word),
                               "problems[0].rows[0].check.status: ", json.dumps(word), "pass, fail, none")
        self.assertEqual(check["status"], "pass")
        self.refused_after(results, lambda r: r["problems"][0]["rows"][0].update(unit="GFLOPS"),
                           "problems[0].rows[0].unit", "GFLOPS")
        self.refused_after(results, lambda r: r["spaces"][0].update(role="fast"), "spaces[0].role", "fast")

    def test_a_file_that_contradicts_itself_about_passing_is_refused(self):
        results, _ = self.results()
        self.refused_after(results, lambda r: r.update(passed=False), "passed: false, but no check failed")
        failed, _ = self.compare_json("matmul", "--n", "24", "--plant-error", "sampled", expected=1)
        self.refused_after(failed, lambda r: r.update(passed=True), "passed: true, but a check failed")

    def test_fields_of_a_wrong_type_are_refused(self):
        results, _ = self.results()

        def row(r):
            return r["problems"][0]["rows"][0]

        for change, text in (
                (lambda r: r.update(passed="true"), "passed: string instead of true or false"),
                (lambda r: r.update(passed=1), "passed: 1 instead of true or false"),
                (lambda r: r.update(passed=None), "passed: null instead of true or false"),
                (lambda r: r.update(machine=[]), "machine: array instead of an object"),
                (lambda r: r.update(environment={"OMP_X": 1}), "environment.OMP_X: 1 instead of a string"),
                (lambda r: r.update(command="karpos-compare"), "command: string instead of an array"),
                (lambda r: r.update(problems={}), "problems: object instead of an array"),
                (lambda r: r["machine"].update(cores=2.5), "machine.cores: 2.5 instead of a whole number"),
                (lambda r: r["machine"].update(cores=True), "machine.cores: boolean instead of a whole number"),
                (lambda r: r["machine"].update(cores=2**31), "machine.cores: 2147483648 instead of a whole number"),
                (lambda r: r["problems"][0].update(shape=[24, 2**63]), "problems[0].shape[1]: 9223372036854775808"),
                (lambda r: r["spaces"][0].update(name=7), "spaces[0].name: 7 instead of a string"),
                (lambda r: r["spaces"][0].update(device=""), "spaces[0].device: string instead of an object"),
                (lambda r: row(r).update(rate="fast"), "problems[0].rows[0].rate: string instead of a number"),
                (lambda r: row(r).update(rate=True), "problems[0].rows[0].rate: boolean instead of a number"),
                (lambda r: row(r)["compute"].pop("median_s"), "problems[0].rows[0].compute.median_s is missing"),
                (lambda r: row(r)["check"].update(status=["pass"]), "rows[0].check.status: array instead of a string")):
            self.refused_after(results, change, text)

    def test_what_would_not_be_shown_is_refused(self):
        results, _ = self.results()
        rows = results["problems"][0]["rows"]
        self.refused_after(results, lambda r: r["problems"].append(r["problems"][0]), "problems[1]", "a second time")
        self.refused_after(results, lambda r: r["spaces"].append(r["spaces"][0]), "spaces[1].name", "a second time")
        self.refused_after(results, lambda r: r["problems"][0]["rows"].append(rows[0]), f"rows[{len(rows)}]: ",
                           "a second time")
        self.refused_after(results, lambda r: r["problems"][0]["rows"][0].update(space="Abacus"),
                           "problems[0].rows[0].space", "Abacus")
        self.refused_after(results, lambda r: r.update(problems=[]), "problems: no problem")
        self.refused_after(results, lambda r: r["problems"][0].update(rows=[]), "problems[0].rows: no row")

    def test_a_directory_is_refused(self):
        _, here = self.results()
        for words in ([self.scratch], [here, self.scratch]):
            self.assert_refused(self.report("merge", *words, expected=2),
                                f"karpos-report: cannot read {self.scratch}: it is a directory")

    def test_bad_usage(self):
        for words in ([], ["merge"], ["draw"], ["merge", "--no-such-option", "x.json"]):
            self.assert_refused(self.report(*words, expected=2), "--help")

    def test_a_place_that_cannot_be_written_is_refused(self):
        _, here = self.results()
        nowhere = self.scratch / "no" / "merged.json"
        done = self.report("merge", here, "--json", nowhere, expected=2)
        self.assert_refused(done, nowhere)
        self.assertEqual(done.stdout, "")

    def test_an_output_over_an_input_is_refused(self):
        _, here = self.results()
        before = here.read_bytes()
        self.assert_refused(self.report("merge", here, "--json", here, expected=2), f"cannot write {here}: it is an input")
        self.assertEqual(here.read_bytes(), before)

    def test_a_file_given_twice_is_refused(self):
        _, here = self.results()
        again = f"{here.parent}/./{here.name}"
        self.assert_refused(self.report("merge", here, again, expected=2), f"{again} is given twice")

    def test_empty_names_are_refused(self):
        _, here = self.results()
        for words in ([""], [here, ""], [here, "--json", ""]):
            self.assert_refused(self.report("merge", *words, expected=2), "an empty name", "--help")


class BenchmarkFile(ToolTest):
    """Files as Google Benchmark writes them, with times in microseconds."""

    CONTEXT = {"date": "2026-01-02T03:04:05+00:00", "host_name": "some-host", "executable": "bench_x", "num_cpus": 8,
               "mhz_per_cpu": 2600, "caches": [], "load_avg": [1.5], "library_version": "1.9.1", "blas": "OpenBLAS 0.3",
               "compiler": "GNU 14.2.0", "concurrency": "8", "execution_space": "OpenMP", "karpos": "0.1.0",
               "kokkos": "50202", "revision": "abc1234"}
    ROWS = {"copy/f32/1000/karpos": 100.0, "copy/f32/1000/raw_kokkos": 120.0,
            "copy/f32/4096/karpos": 1500.0, "copy/f32/4096/raw_kokkos": 1600.0,
            "matmul/f64/1000/karpos": 20000.0, "matmul/f64/1000/dgemm_": 21000.0,
            "allocate_and_free/4MB/karpos": 0.03, "allocate_and_free/4MB/kokkos_malloc": 2.5}

    @staticmethod
    def entry(name, time, **more):
        entry = {"name": name + "/manual_time", "run_name": name + "/manual_time", "run_type": "iteration",
                 "repetitions": 1, "repetition_index": 0, "threads": 1, "iterations": 10, "real_time": time,
                 "cpu_time": time, "time_unit": "us"}
        if not name.startswith("allocate"):
            entry["bytes/s"] = 24e6 / (time * 1e-6)
        if name.startswith("matmul"):
            entry["flop/s"] = 2e9 / (time * 1e-6)
        return {**entry, **more}

    def entries(self):
        return [self.entry(name, time) for name, time in self.ROWS.items()]

    def file(self, name, benchmarks=None, **context):
        path = self.scratch / name
        path.write_text(json.dumps({"context": {**self.CONTEXT, **context},
                                    "benchmarks": self.entries() if benchmarks is None else benchmarks}))
        return path

    def with_row(self, name, *times, **more):
        """All rows; this one with other times, one for each repetition."""
        others = [e for e in self.entries() if not e["name"].startswith(name + "/")]
        return others + [self.entry(name, time, **more) for time in times]


class Diff(BenchmarkFile):
    ROW = "matmul/f64/1000/karpos"

    def diff(self, before, after, *words, expected=0):
        return self.report("diff", before, after, *words, expected=expected).stdout

    def line_of(self, out, name):
        return next(line for line in out.splitlines() if line.startswith(name + " "))

    def test_equal_files_are_equal(self):
        out = self.diff(self.file("old.json"), self.file("new.json"))
        self.assertIn("8 rows compared: 0 slower, 0 faster, 0 failing", out)
        self.assertIn("Noise band: 10.0 %; no row has repetitions", out)
        for name in self.ROWS:
            self.assertIn("1.00", self.line_of(out, name))

    def test_a_slower_row_fails_and_is_named(self):
        slow = self.file("slow.json", self.with_row(self.ROW, 25000.0))
        out = self.diff(self.file("old.json"), slow, expected=1)
        self.assertIn(f"slower: {self.ROW}: 0.800 of the old rate", out)
        self.assertIn("8 rows compared: 1 slower, 0 faster, 0 failing", out)
        self.assertRegex(self.line_of(out, self.ROW), r"20\.0 ms +25\.0 ms +0\.800 +0\.900 +SLOWER$")
        out = self.diff(slow, self.file("new.json"))
        self.assertIn("0 slower, 1 faster", out)
        self.assertTrue(self.line_of(out, self.ROW).endswith("faster"))

    def test_the_noise_band_is_what_was_asked_for(self):
        old, slow = self.file("old.json"), self.file("slow.json", self.with_row(self.ROW, 21000.0))
        self.diff(old, slow)
        out = self.diff(old, slow, "--noise", "2.5", expected=1)
        self.assertIn("Noise band: 2.50 %", out)
        self.diff(old, self.file("slower.json", self.with_row(self.ROW, 39000.0)), "--noise", "50")
        for noise in ("-1", "101", "nan", "ten", ""):
            self.assert_refused(self.report("diff", old, slow, "--noise", noise, expected=2), "--noise")

    def test_units_of_time_are_understood(self):
        in_ns = [{**e, "real_time": e["real_time"] * 1e3, "time_unit": "ns"} for e in self.entries()]
        in_s = [{**e, "real_time": e["real_time"] * 1e-6, "time_unit": "s"} for e in self.entries()]
        out = self.diff(self.file("old.json", in_ns), self.file("new.json", in_s), "--noise", "0.001")
        self.assertIn("0 slower, 0 faster", out)

    def test_repetitions_count_by_their_median_and_widen_the_band(self):
        old = self.file("old.json", self.with_row(self.ROW, 20000.0, 20000.0, 90000.0, 20000.0, 20000.0))
        self.assertIn("0 of 8 rows", self.diff(old, self.file("new.json")))
        noisy = self.file("noisy.json", self.with_row(self.ROW, 19000.0, 24000.0, 29000.0))
        out = self.diff(self.file("steady.json"), noisy, expected=0)
        self.assertIn("or the spread of the repetitions where that is larger: 1 of 8 rows", out)
        self.assertRegex(self.line_of(out, self.ROW), r"0\.833 +0\.828$")
        worse = self.file("worse.json", self.with_row(self.ROW, 30000.0, 35000.0, 40000.0))
        self.assertIn(f"slower: {self.ROW}", self.diff(noisy, worse, expected=1))

    def test_rows_that_spread_too_much_to_tell_are_counted(self):
        wild = self.file("wild.json", self.with_row(self.ROW, 1000.0, 20000.0, 90000.0))
        self.assertIn("1 row spreads so much that half the rate would pass", self.diff(wild, self.file("new.json")))

    def test_files_of_aggregates_only_are_read(self):
        def aggregates(time, cv):
            values = {"mean": 2 * time, "median": time, "stddev": cv * time, "cv": cv, "BigO": None}
            row = [self.entry(self.ROW, value, run_type="aggregate", aggregate_name=name) for name, value in values.items()
                   if value]
            return [*row, {"name": "all_BigO", "run_name": "all", "run_type": "aggregate", "aggregate_name": "BigO",
                           "cpu_coefficient": 1.0, "real_coefficient": 1.0, "big_o": "N", "time_unit": "us"}]

        steady, slow = (self.file(f"{time}.json", aggregates(time, 0.01)) for time in (100.0, 130.0))
        self.assertIn("1 rows compared: 1 slower", self.diff(steady, slow, expected=1))
        noisy = self.file("noisy.json", aggregates(130.0, 0.3))
        self.assertIn("1 of 1 rows", self.diff(steady, noisy))

    def test_rows_in_one_file_only_are_listed(self):
        fewer = [e for e in self.entries() if not e["name"].startswith("allocate")]
        old = self.file("old.json", [*fewer, self.entry("gone/f32/1/karpos", 1.0)])
        new = self.file("new.json")
        out = self.diff(old, new)
        self.assertIn(f"only in {old}: gone/f32/1/karpos\n", out)
        self.assertIn(f"only in {new}: allocate_and_free/4MB/kokkos_malloc\n", out)
        self.assertIn("6 rows compared", out)

    def test_nothing_in_common_is_refused(self):
        other = self.file("other.json", [self.entry("other/f32/1/karpos", 1.0)])
        self.assert_refused(self.report("diff", self.file("old.json"), other, expected=2), "no row in common", other)

    def test_a_row_that_reports_an_error_fails(self):
        wrong = self.with_row(self.ROW, 1.0, error_occurred=True, error_message="the result is\nwrong")
        bad, good = self.file("bad.json", wrong), self.file("good.json")
        self.assertIn(f"fails: {self.ROW}: the result is wrong\n", self.diff(good, bad, expected=1))
        self.assertIn("failed before: the result is wrong", self.diff(bad, good))

    def test_other_machines_and_backends_are_refused(self):
        old = self.file("old.json")
        for name, value in (("host_name", "other-host"), ("execution_space", "Cuda"), ("num_cpus", 9),
                            ("concurrency", "4"), ("device", "Some Device")):
            other = self.file("other.json", **{name: value})
            self.assert_refused(self.report("diff", old, other, expected=2), "different machines or backends",
                                f"context.{name}", value, "--any-machine")
            self.assertIn(f"differs: {name}: ", self.diff(old, other, "--any-machine"))

    def test_what_else_differs_is_said(self):
        out = self.diff(self.file("old.json"), self.file("new.json", compiler="Clang 19", mhz_per_cpu=3000))
        self.assertIn("differs: compiler: GNU 14.2.0 -> Clang 19\n", out)

    def test_text_of_a_file_begins_no_lines(self):
        text = "x\n8 rows compared\x1b[2J\r"
        for words in ({"host_name": text}, {"revision": text}, {"date": text}):
            out = self.diff(self.file("old.json", [self.entry(text, 1.0)], **words),
                            self.file("new.json", [self.entry(text, 2.0)]), "--any-machine", expected=1)
            self.assertNotIn("\n8 rows", out)
            self.assertNotIn("\x1b", out)

    def test_numbers_that_json_has_not_are_passed_over(self):
        path = self.file("odd.json", self.with_row("copy/f32/1000/karpos", 100.0, **{"bytes/s": math.nan, "x": -math.inf,
                                                                                   "label": 'a "NaN" \\'}))
        self.assertIn("NaN", path.read_text())
        self.diff(path, self.file("new.json"))

    def test_bad_files_are_refused_by_file_and_field(self):
        good, bad = self.file("good.json"), self.scratch / "bad.json"

        def refused(change, text, command="diff"):
            content = {"context": dict(self.CONTEXT), "benchmarks": self.entries()}
            change(content)
            bad.write_text(json.dumps(content))
            self.assert_refused(self.report(command, good, bad, expected=2),
                                f"karpos-report: {bad} is not a file of Google Benchmark: {text}")

        for command in ("diff", "html"):
            for change, text in (
                    (lambda c: c.pop("benchmarks"), "benchmarks is missing"),
                    (lambda c: c.update(benchmarks={}), "benchmarks: object instead of an array"),
                    (lambda c: c.update(benchmarks=[]), "benchmarks: no row"),
                    (lambda c: c["context"].pop("host_name"), "context.host_name is missing"),
                    (lambda c: c["context"].update(num_cpus="8"), "context.num_cpus: string instead of a whole number"),
                    (lambda c: c["context"].update(date=7), "context.date: 7 instead of a string"),
                    (lambda c: c["benchmarks"][1].pop("name"), "benchmarks[1].name is missing"),
                    (lambda c: c["benchmarks"][1].pop("real_time"), "benchmarks[1].real_time is missing"),
                    (lambda c: c["benchmarks"][1].update(real_time="1"), "benchmarks[1].real_time: string instead of"),
                    (lambda c: c["benchmarks"][1].update(real_time=-1), "benchmarks[1].real_time: -1 instead of"),
                    (lambda c: c["benchmarks"][1].update(real_time=math.nan), "benchmarks[1].real_time: null instead"),
                    (lambda c: c["benchmarks"][2].update(time_unit="min"), 'benchmarks[2].time_unit: "min" instead'),
                    (lambda c: c["benchmarks"][2].update(run_type="mean"), 'benchmarks[2].run_type: "mean" instead'),
                    (lambda c: c["benchmarks"][2].update({"bytes/s": "1"}), "benchmarks[2].bytes/s: string instead")):
                refused(change, text, command)
        bad.write_text(json.dumps({"benchmarks": self.entries()}))
        self.assert_refused(self.report("diff", good, bad, expected=2), bad, "context is missing")
        self.assert_refused(self.report("html", good, bad, expected=2), bad, "context is missing")

    def test_files_that_cannot_be_read_are_refused(self):
        good, bad = self.file("good.json"), self.scratch / "bad.json"
        for command in ("diff", "html"):
            for text in (None, "", "no json", "[1, 2]", '{"context": NaNcy}'):
                if text is not None:
                    bad.write_text(text)
                self.assert_refused(self.report(command, good, bad, expected=2), "karpos-report: ", bad)
                bad.unlink(missing_ok=True)
            self.assert_refused(self.report(command, good, self.scratch, expected=2), "it is a directory")

    def test_bad_usage(self):
        one = self.file("one.json")
        for words in ([], [one], [one, one, one], [one, ""], [one, one, "--no-such-option"]):
            self.assert_refused(self.report("diff", *words, expected=2), "--help")


class Page(html.parser.HTMLParser):
    """The text of each element of a page, and all its attributes, as a browser would take them."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.tags, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.cells.append(data)


class Html(BenchmarkFile):
    NAMESPACE = "{http://www.w3.org/1999/xhtml}"
    # Everything that has a meaning in markup, a character beyond ASCII and one beyond 16 bits.
    HOSTILE = "<script>alert(1)</script>&amp;\"'<!--]]>\u00e9\U0001f600"

    def page(self, *paths):
        return self.report("html", *paths).stdout

    def texts(self, page):
        return ["".join(e.itertext()) for e in xml.fromstring(page).iter()]

    def row_texts(self, page):
        return {cells[0]: cells[1:] for row in xml.fromstring(page).iter(self.NAMESPACE + "tr")
                for cells in [["".join(cell.itertext()) for cell in row]]}

    def test_the_page_has_facts_rows_and_ratios(self):
        page = self.page(self.file("results.json"))
        texts = self.texts(page)
        for text in ("some-host, OpenMP", "some-host, 8 processors, 2600 MHz",
                     "Karpos 0.1.0, revision abc1234, Kokkos 5.2.2, Google Benchmark 1.9.1", self.CONTEXT["date"]):
            self.assertIn(text, texts)
        rows = self.row_texts(page)
        self.assertLessEqual(set(self.ROWS), set(rows))
        self.assertEqual(rows["copy/f32/1000/karpos"], ["100 us", "240 GB/s", "1.20 x raw_kokkos"])
        self.assertEqual(rows["copy/f32/1000/raw_kokkos"][-1], "baseline")
        self.assertEqual(rows["matmul/f64/1000/karpos"],
                         ["20.0 ms", "1.20 GB/s", "100 Gflop/s", "83.3", "1.05 x dgemm_"])
        self.assertEqual(rows["allocate_and_free/4MB/karpos"], ["30.0 ns", "83.3 x kokkos_malloc"])

    def test_the_part_of_the_floor_has_a_column_where_a_row_says_it(self):
        rows = [self.entry("copy/f32/1000/karpos", 1.0, of_floor=0.955), self.entry("copy/f32/1000/raw_kokkos", 2.0)]
        page = self.page(self.file("floor.json", rows))
        self.assertIn("of the floor", self.texts(page))
        self.assertEqual([cells[2] for cells in list(self.row_texts(page).values())[-2:]], ["0.955", "-"])
        self.assertNotIn("of the floor", self.texts(self.page(self.file("results.json"))))

    def test_the_page_has_its_charts(self):
        page = self.page(self.file("results.json"))
        captions = [t for t in Page(page).cells if "per second" in t or "Roofline" in t]
        for caption in ("copy: bytes per second", "matmul: flop per second", "allocate_and_free: calls per second",
                        "copy, f32: bytes per second against size", "Roofline, f64"):
            self.assertIn(caption, captions)
        self.assertNotIn("matmul, f64: flop per second against size", captions)
        self.assertNotIn("Roofline, f32", captions)

    def test_longer_bars_are_faster(self):
        page = self.page(self.file("results.json"))
        bar = r"<g><title>(\S+): [^<]*</title><text[^>]*>[^<]*</text>\s*<rect [^>]* width=\"([0-9.]+)\""
        widths = dict(re.findall(bar, page))
        self.assertEqual(set(widths), set(self.ROWS))
        self.assertAlmostEqual(float(widths["copy/f32/1000/karpos"]) / float(widths["copy/f32/1000/raw_kokkos"]), 1.2,
                               places=2)

    def test_the_page_needs_nothing_but_itself(self):
        page = Page(self.page(self.file("results.json")))
        self.assertFalse({"script", "link", "img", "iframe", "object", "embed", "base"} & set(page.tags))
        for name, value in page.attributes:
            self.assertFalse(name.startswith("on"), name)
            if name in ("src", "href"):
                self.assertTrue(value.startswith("#"), value)
        self.assertNotIn("url(", "".join(page.cells))
        self.assertNotIn("@import", "".join(page.cells))

    def test_text_of_a_file_is_no_markup(self):
        name = f"{self.HOSTILE}f/f32/1000/{self.HOSTILE}"
        for end in ("", "/karpos"):
            rows = [self.entry(name + end, 1.0, **{"flop/s": 1e9}), self.entry(name + "/other", 2.0, **{"flop/s": 1e9}),
                    self.entry(name.replace("1000", "2000") + end, 2.0),
                    self.entry("wrong", 1.0, error_occurred=True, error_message=self.HOSTILE)]
            context = {key: self.HOSTILE for key, value in self.CONTEXT.items() if isinstance(value, str)}
            path = self.scratch / "<script>\"&'.json"
            path.write_text(json.dumps({"context": {**self.CONTEXT, **context, self.HOSTILE: self.HOSTILE},
                                        "benchmarks": rows}))
            page = self.page(path)
            self.assertNotIn("<script", page)
            self.assertNotIn("script", Page(page).tags)
            texts = self.texts(page)  # every character came through
            for text in (name + end, name + "/other", self.HOSTILE, str(path)):
                self.assertIn(text, texts)

    def test_characters_that_no_page_can_hold_are_replaced(self):
        for character in (*map(chr, range(1, 9)), "\x0b", "\x1b", "\x7f", "\x80", "\x9f", "\ufffe", "\uffff"):
            name = f"a{character}b"
            self.assertIn("a\ufffdb", self.row_texts(self.page(self.file("odd.json", [self.entry(name, 1.0)]))))

    def test_a_path_that_is_no_text_is_shown_all_the_same(self):
        for name in (b"a\xffb.json", b"a\xc0\xafb.json", b"a\xed\xa0\x80b.json", b"a\xf5b.json", b"a\xe2\x82.json"):
            path = bytes(self.scratch) + b"/" + name
            with open(path, "wb") as file:
                file.write(self.file("good.json").read_bytes())
            page = subprocess.run([self.arguments.report, "html", path], capture_output=True, check=True).stdout
            self.assertTrue(any(t.endswith(".json") and "\ufffd" in t for t in self.texts(page.decode())))

    def test_several_files_have_a_section_each(self):
        paths = [self.file("one.json"), self.file("two.json", host_name="two-host", execution_space="Cuda")]
        page = self.page(*paths)
        headings = ["".join(e.itertext()) for e in xml.fromstring(page).iter(self.NAMESPACE + "h2")]
        self.assertEqual(headings, ["some-host, OpenMP", "two-host, Cuda"])

    def test_results_of_karpos_compare_are_drawn(self):
        results, path = self.compare_json("matmul", "--n", "24")
        rows = self.row_texts(self.page(path, self.file("results.json")))
        for row in results["problems"][0]["rows"]:
            self.assertIn(f"matmul/float64/24x24/{row['space']}/{row['name']}", rows)
        own = f"matmul/float64/24x24/{results['build']['spaces'][0]}/karpos"
        self.assertIn(" x raw Kokkos loop", rows[own][-1])

    def test_a_failed_check_is_shown(self):
        _, path = self.compare_json("matmul", "--n", "24", "--plant-error", "sampled", expected=1)
        self.assertIn("check failed: ", self.page(path))

    def test_values_beyond_reason_are_drawn_or_left_out(self):
        rows = [self.entry(f"x{i}/f32/{size}/karpos", time, **{"flop/s": flops, "bytes/s": 1e9})
                for i, (size, time, flops) in enumerate((("1", 1e-300, 1e308), ("x".join(["4000000000"] * 40), 1e300, 1e-308),
                                                         ("0", 1e-9, -5), ("2x", 1e9, 0), ("99999999999", 1.0, 1e29)))]
        page = self.page(self.file("odd.json", rows))
        for row in rows:
            self.assertIn(row["name"].removesuffix("/manual_time"), self.row_texts(page))
        self.assertNotRegex(page, r"\"-?(nan|inf)")

    def test_the_page_goes_to_the_file_that_was_named(self):
        path = self.file("results.json")
        out = self.scratch / "page.html"
        self.assertEqual(self.report("html", path, "-o", out).stdout, "")
        self.assertEqual(out.read_text(), self.page(path))

    def test_bad_usage(self):
        path = self.file("results.json")
        before = path.read_bytes()
        self.assert_refused(self.report("html", path, "-o", path, expected=2), f"cannot write {path}: it is an input")
        self.assert_refused(self.report("html", path, "-o", self.scratch, expected=2), "it is a directory")
        self.assert_refused(self.report("html", path, path, expected=2), f"{path} is given twice")
        for words in ([], [""], [path, "-o", ""], [path, "--no-such-option"]):
            self.assert_refused(self.report("html", *words, expected=2), "--help")
        self.assertEqual(path.read_bytes(), before)


class LoginNode(ToolTest):
    def test_the_report_needs_neither_kokkos_nor_a_device(self):
        try:
            linked = subprocess.run(["ldd", self.arguments.report], capture_output=True, text=True).stdout
        except FileNotFoundError:
            self.skipTest("no ldd")
        for library in ("kokkos", "libcuda.so", "amdhip", "blas"):
            self.assertNotIn(library, linked)


if __name__ == "__main__":
    programs.main()
