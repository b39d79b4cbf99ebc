#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Karpos costs to compile, at -O2, in CPU seconds:
the umbrella header over Kokkos_Core.hpp alone, and each further assignment in a source.
All are measured in one run, in turns, and the medians are compared."""
import argparse
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import compiler as cc  # noqa: E402

# Different expressions over rank-2 tensors: each makes kernels of its own.
EXPRESSIONS = [
    "b + c", "b * c - 2.0", "kp::exp(b) + c", "kp::sqrt(kp::abs(b)) * 0.5", "kp::where(b > c, b, c)",
    "b / (c + 1.0)", "kp::sin(b) * kp::cos(c)", "kp::maximum(b, c) - kp::minimum(b, c)", "-b",
    "kp::log(b * b + 1.0)", "kp::transpose(b) + c",
]


def source_of(count):
    lines = "".join(f"  a = {e};\n" for e in EXPRESSIONS[:count])
    return ("#include <karpos/karpos.hpp>\nnamespace kp = karpos;\nusing matrix = kp::tensor<double, 2>;\n"
            f"void f(matrix& a, matrix& b, matrix& c) {{\n{lines}}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    cc.add_arguments(parser)
    parser.add_argument("--umbrella-limit", type=float, default=2.0)
    parser.add_argument("--assignment-limit", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()

    compiler = cc.Compiler(arguments.build, arguments.probe, arguments.scratch)
    # The build's own optimisation, sanitizers and warnings are not what is measured.
    options = compiler.options(drop=("-O", "-g", "-march", "-W", "-fsanitize"), replace=("-O2",))
    sources = {
        "Kokkos_Core.hpp": "#include <Kokkos_Core.hpp>\n",
        "karpos.hpp": "#include <karpos/karpos.hpp>\n",
        "1 assignment": source_of(1),
        "11 assignments": source_of(11),
    }
    times = {name: [] for name in sources}
    for _ in range(arguments.rounds):
        for name, text in sources.items():
            source = compiler.scratch / (name.replace(" ", "_").replace(".hpp", "") + ".cpp")
            source.write_text(text)
            code, output, seconds = compiler.run([*options, "-c", str(source), "-o", f"{source}.o"])
            if code != 0:
                print(f"{name} does not compile\n{output}")
                return 1
            times[name].append(seconds)

    median = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        print(f"{name:16} {median[name]:6.2f} s   ({min(values):.2f} to {max(values):.2f})")
    umbrella = median["karpos.hpp"] - median["Kokkos_Core.hpp"]
    assignment = (median["11 assignments"] - median["1 assignment"]) / 10
    print(f"umbrella over Kokkos_Core.hpp: {umbrella:.2f} s, limit {arguments.umbrella_limit} s")
    print(f"each further assignment:       {assignment:.2f} s, limit {arguments.assignment_limit} s")
    return 1 if umbrella > arguments.umbrella_limit or assignment > arguments.assignment_limit else 0


if __name__ == "__main__":
    sys.exit(main())
