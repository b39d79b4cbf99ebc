#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of README.md and docs/*.md compile and print what the pages say.

    check.py --generate OUT.cpp PAGE...       one program of all examples
    check.py --run PROGRAM PAGE...            runs it and compares; exit 1 and a diff where they differ
    check.py --self-test                      planted mistakes are all reported

Every ```cpp block is an example and stands alone; `kp` is karpos, <karpos/karpos.hpp> and <iostream>
are there. A ```text block right after it is what it prints; without one it is compiled and not run,
unless it has an `int main`, which must return 0. #include lines go to the top of the program; types
and functions that begin in the first column and end with `}` there go to namespace scope, so that
kernels may use them under nvcc; the rest is the body of a function.

The table of numpy.md is compiled too: each piece of code in its column `Karpos`, in a block of its own,
after the statements of the page's first block.
"""
import argparse
import contextlib
import difflib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Pages that are about something else than the use of one family.
WITHOUT_EXAMPLE = {"README.md", "design.md", "performance.md", "tools.md"}
TABLE_PAGE, TABLE_COLUMN = "numpy.md", "Karpos"

FENCE = re.compile(r"^```(\w*)\s*$")
DECLARATION = re.compile(r"^(struct|class|enum|union|template|using|inline|constexpr)\b")
SCOPE_GUARD = re.compile(r"^\s*Kokkos::ScopeGuard\b.*$", re.MULTILINE)  # the program has one for all
MARK = "\x1e"


class Example:
    def __init__(self, page, line, code):
        self.page, self.line, self.code, self.expected = page, line, code, None

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def is_program(self):
        return any(re.match(r"int main\(", line) for line in self.code)

    @property
    def runs(self):
        return self.is_program or self.expected is not None


def blocks_of(text):
    """(language, line of its first line of code, lines) of each fenced block, and where it ends."""
    language = None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if language is None and match:
            language, first, lines = match[1], number + 1, []
        elif language is not None and line.rstrip() == "```":
            yield language, first, lines, number
            language = None
        elif language is not None:
            lines.append(line)


def examples_of(page, text):
    found, last = [], None
    all_lines = text.splitlines()
    for language, first, lines, end in blocks_of(text):
        if language == "cpp":
            last = Example(page, first, lines)
            last.end = end
            found.append(last)
        elif language == "text" and last is not None and not "".join(all_lines[last.end:first - 2]).strip():
            last.expected = "\n".join(lines) + "\n"
            last = None
        else:
            last = None
    return found


def table_entries(text):
    """(line, code) of the column TABLE_COLUMN of each table of a page."""
    column = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            column = None
            continue
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if TABLE_COLUMN in cells:
            column = cells.index(TABLE_COLUMN)
        elif column is not None and not set(cells[column]) <= set("-: "):
            for code in re.findall(r"`([^`]+)`", cells[column]):
                yield number, code


def split(example):
    """(includes, declarations, body), each a list of (line number, text)."""
    includes, declarations, body, inside = [], [], [], False
    for number, line in enumerate(example.code, example.line):
        if line.startswith("#include"):
            includes.append((number, line))
        elif example.is_program or inside or DECLARATION.match(line):
            declarations.append((number, line))
            opens = DECLARATION.match(line) and not line.rstrip().endswith((";", "}"))
            inside = not example.is_program and (inside or opens) and not line.startswith("}")
        else:
            body.append((number, line))
    return includes, declarations, body


def numbered(page, lines):
    """The lines with #line where needed, so that the compiler's messages point into the page."""
    out, expected = [], None
    for number, line in lines:
        if number != expected:
            out.append(f'#line {number} "{page}"')
        out.append(line)
        expected = number + 1
    return out


def source_of_example(index, example):
    _, declarations, body = split(example)
    code = [f"namespace example_{index} {{", *numbered(example.page, declarations)]
    if example.is_program:
        text = SCOPE_GUARD.sub("", "\n".join(code))
        code = [re.sub(r"\bint main\(int argc, char\*\* argv\)",
                       "int run([[maybe_unused]] int argc, [[maybe_unused]] char** argv)", text)]
    else:
        code += ["int run(int, char**) {", *numbered(example.page, body), "return 0;", "}"]
    return [*code, "}"]


def statement_of(code):
    """A piece of the table as a statement: declarations end with `;`, values are thrown away."""
    bare, before = code, None
    while bare != before:
        before, bare = bare, re.sub(r"\([^()]*\)|\{[^{}]*\}", "", bare)
    assigns = re.search(r"(^|[^=<>!])=([^=]|$)", bare)
    return code if code.endswith(";") else f"{code};" if assigns else f"(void)({code});"


def source_of_table(page, text):
    """The entries, each in a block of its own, in a function that is never called."""
    _, declarations, body = split(examples_of(page, text)[0])
    out = ["namespace table {", *numbered(page, declarations), "void entries() {", *numbered(page, body)]
    for line, code in table_entries(text):
        out += ["{", *numbered(page, [(line, statement_of(code))]), "}"]
    return [*out, "}", "}"]


def source_of(pages):
    examples = [e for page, text in pages for e in examples_of(page, text)]
    includes = {line for e in examples for _, line in split(e)[0]}
    out = ["// Made from the examples of the documentation.", *sorted(includes | {
        "#include <iostream>", "#include <karpos/karpos.hpp>"}),
        "namespace kp = karpos;"]
    for index, example in enumerate(examples):
        out += source_of_example(index, example)
    for page, text in pages:
        if pathlib.Path(page).name == TABLE_PAGE:
            out += source_of_table(page, text)
    calls = [f'  failures += call("{e.place}", example_{i}::run, argc, argv);'
             for i, e in enumerate(examples) if e.runs]
    out += ['#line 1 "driver"',
            "static int call(char const* place, int (*run)(int, char**), int argc, char** argv) {",
            rf"  std::cout << '\x1e' << place << '\n';",
            "  try {", "    if (int const code = run(argc, argv))",
            r"      return std::cout << place << ' ' << code << '\n', 1;",
            "    return 0;", "  } catch (std::exception const& error) {",
            r"    return std::cout << " + r'"throws: " << error.what() << ' + r"'\n', 1;", "  }", "}",
            "int main(int argc, char** argv) {", "  Kokkos::ScopeGuard const guard(argc, argv);",
            "  int failures = 0;", *calls, "  std::cout.flush();", "  return failures != 0;", "}"]
    return "\n".join(out) + "\n"


def outputs_of(text):
    """{place: what was printed there}."""
    parts = (part.split("\n", 1) for part in text.split(MARK)[1:])
    return {place: printed for place, printed in parts}


def check_outputs(examples, printed):
    """One text for each example that did not run or printed something else."""
    for e in examples:
        if not e.runs:
            continue
        if e.place not in printed:
            yield f"{e.place}: did not run"
            continue
        expected, got = e.expected or "", printed[e.place]
        if got != expected:
            diff = difflib.unified_diff(expected.splitlines(), got.splitlines(), "the page says",
                                        "the example prints", lineterm="", n=10)
            yield f"{e.place}: prints something else\n" + "\n".join("    " + d for d in diff)


def check_pages(pages):
    """Pages without an example, and text blocks that no example prints are mistakes."""
    for page, text in pages:
        examples = examples_of(page, text)
        name = pathlib.Path(page).name
        if name not in WITHOUT_EXAMPLE and not any(e.expected for e in examples):
            yield f"{page}: has no example with output"
        shown = sum(1 for language, *_ in blocks_of(text) if language == "text")
        if shown != sum(1 for e in examples if e.expected is not None):
            yield f"{page}: has a text block that does not follow an example"
        if name == TABLE_PAGE and not list(table_entries(text)):
            yield f"{page}: has no table with a column {TABLE_COLUMN}"


def run(program, pages):
    examples = [e for page, text in pages for e in examples_of(page, text)]
    faults = list(check_pages(pages))
    with tempfile.TemporaryDirectory() as scratch:  # examples write files
        process = subprocess.run([os.path.abspath(program)], cwd=scratch, capture_output=True, text=True)
    faults += check_outputs(examples, outputs_of(process.stdout))
    if process.returncode != 0:
        faults.append(f"the program ends with {process.returncode}\n{process.stderr.strip()}")
    for fault in faults:
        print(fault)
    print(f"{sum(e.runs for e in examples)} of {len(examples)} examples run, {len(faults)} faults")
    return 1 if faults else 0


def read(paths):
    return [(os.path.join(*pathlib.Path(p).parts[-2:]) if pathlib.Path(p).parent.name == "docs"
             else pathlib.Path(p).name, pathlib.Path(p).read_text()) for p in paths]


def self_test():
    page = "\n".join(["# Page", "", "```cpp", "#include <karpos/io/npy.hpp>", "struct twice {",
                      "  int x;", "};", "using number = int;", "std::cout << 1;", "```", "",
                      "```text", "1", "2", "```", "", "```cpp", "int main(int argc, char** argv) {",
                      "  Kokkos::ScopeGuard guard(argc, argv);", "}", "```", "",
                      "```cpp", "f();", "```", "", "Words.", "", "```text", "lost", "```", ""])
    first, second, third = examples_of("docs/p.md", page)
    includes, declarations, body = split(first)
    source = source_of([("docs/p.md", page)])
    table = "| NumPy | Karpos |\n| --- | --- |\n| `x` | `a \\| b`, `c = a;` |\n\n| other | |\n| --- | --- |\n| `y` | |\n"
    printed = {e.place: "1\n2\n" if e is first else "" for e in (first, second)}

    def faults(changes):
        return list(check_outputs([first, second, third], {**printed, **changes}))

    checks = {
        "three examples": first.place == "docs/p.md:4" and first.expected == "1\n2\n",
        "a program runs": second.runs and second.is_program and second.expected is None,
        "text after words is not its output": third.expected is None and not third.runs,
        "includes go up": [t for _, t in includes] == ["#include <karpos/io/npy.hpp>"],
        "declarations go out": [n for n, _ in declarations] == [5, 6, 7, 8],
        "statements stay": body == [(9, "std::cout << 1;")],
        "messages point into the page": '#line 9 "docs/p.md"\nstd::cout << 1;' in source,
        "one guard for all": source.count("Kokkos::ScopeGuard") == 1,
        "the column of the table": list(table_entries(table)) == [(3, "a | b"), (3, "c = a;")],
        "right output passes": faults({}) == [],
        "a wrong line is reported": "-2" in "".join(faults({first.place: "1\n3\n"})),
        "a missing line is reported": len(faults({first.place: "1\n"})) == 1,
        "a line too many is reported": len(faults({first.place: "1\n2\n3\n"})) == 1,
        "output nobody expects is reported": len(faults({second.place: "code 1\n"})) == 1,
        "a run that ended early is reported": list(check_outputs([first, second], {})) == [
            "docs/p.md:4: did not run", "docs/p.md:18: did not run"],
        "a text block without example is reported": len(list(check_pages([("docs/p.md", page)]))) == 1,
        "a page without example is reported": list(check_pages([("docs/q.md", "# Q\n")])) == [
            "docs/q.md: has no example with output"],
        "a value is thrown away": statement_of("f({.s = 1}) == g") == "(void)(f({.s = 1}) == g);",
        "an assignment stays": statement_of("v(kp::all, 0) = w") == "v(kp::all, 0) = w;",
        "marks part the outputs": outputs_of("\x1ea.md:1\nx\n\x1eb.md:2\n") == {"a.md:1": "x\n", "b.md:2": ""},
    }
    with tempfile.TemporaryDirectory() as scratch:
        paths = [pathlib.Path(scratch, "docs", "p.md"), pathlib.Path(scratch, "program")]
        paths[0].parent.mkdir()
        paths[0].write_text("```cpp\nf();\n```\n\n```text\nright\n```\n")
        pages = read(paths[:1])
        for answer, code in (("right", 0), ("wrong", 1)):
            paths[1].write_text(f"#!/bin/sh\nprintf '\\036docs/p.md:2\\n{answer}\\n'\n")
            paths[1].chmod(0o700)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                good = run(paths[1], pages) == code
            checks[f"a program that answers {answer}"] = good and (code == 0 or "+wrong" in said.getvalue())
    for name, good in checks.items():
        if not good:
            print(f"self-test: {name}: FAILED")
    return 0 if all(checks.values()) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--generate", metavar="OUT")
    action.add_argument("--run", metavar="PROGRAM")
    action.add_argument("--self-test", action="store_true")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.run:
        return run(arguments.run, read(arguments.pages))
    pathlib.Path(arguments.generate).write_text(source_of(read(arguments.pages)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
