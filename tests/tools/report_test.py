#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""karpos-report: results of several builds side by side, and what it refuses to put there."""
import copy
import json
import subprocess

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
