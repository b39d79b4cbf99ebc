#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that must be rejected, and the words with which.

A source begins with one or more lines `// expect: TEXT`: it must not compile, and the diagnostics must
contain every TEXT. A source that begins with `// compiles` must compile: a control, without which a
broken include path would let every other one pass."""
import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import compiler as cc  # noqa: E402


def expectations(source):
    """The texts of the leading `// expect:` lines; None for a control; raises ValueError otherwise."""
    lines = source.read_text().splitlines()
    if lines and lines[0].strip() == "// compiles":
        return None
    texts = []
    for line in lines:
        if not line.startswith("// expect: "):
            break
        texts.append(line.removeprefix("// expect: ").strip())
    if not texts:
        raise ValueError("begins neither with '// expect: TEXT' nor with '// compiles'")
    return texts


def verdict(expected, code, output):
    """What is wrong, or None."""
    if expected is None:
        return None if code == 0 else "must compile, but does not"
    if code == 0:
        return "must not compile, but does"
    # Compilers break long messages and quote differently; only the words count.
    flat = " ".join(output.split())
    missing = [text for text in expected if " ".join(text.split()) not in flat]
    return f"rejected without saying: {'; '.join(missing)}" if missing else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    cc.add_arguments(parser)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--filter", default="", help="only sources whose name contains this")
    arguments = parser.parse_args()
    start = time.monotonic()

    compiler = cc.Compiler(arguments.build, arguments.probe, arguments.scratch)
    sources = [s for s in sorted(pathlib.Path(arguments.sources).resolve().glob("*.cpp")) if arguments.filter in s.name]
    expected = {s: expectations(s) for s in sources}
    if not any(e is None for e in expected.values()) and not arguments.filter:
        parser.error("no control: one source must begin with '// compiles'")
    precompiled = compiler.precompile_kokkos()

    # A mere warning must not count as a rejection.
    results = cc.for_each(sources, lambda s: compiler.check(s, drop=("-Werror",), extra=precompiled),
                          arguments.jobs)
    failed = 0
    for source, (code, output) in results:
        if problem := verdict(expected[source], code, output):
            failed += 1
            print(f"--- {source.name}: {problem}\n{output[:6000]}")
    print(f"{len(sources)} sources, {failed} wrong, {cc.seconds_since(start)}")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
