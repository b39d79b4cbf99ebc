#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every header compiles alone, and twice in one source, with the warnings of the tests.

A header whose text (and the text of all karpos headers it includes) and command line are those of the
last run that passed is not compiled again. A header that a select.hpp leaves out of this build needs a
vendor's headers that the build may lack; it is skipped and counted."""
import argparse
import hashlib
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import compiler as cc  # noqa: E402

INCLUDE = re.compile(r'^\s*#\s*include\s*<([^>]+)>', re.MULTILINE)


def closure(header, texts):
    """header and every karpos header it reaches."""
    reached, todo = {header}, [header]
    while todo:
        for name in INCLUDE.findall(texts.get(todo.pop(), "")):
            if name in texts and name not in reached:
                reached.add(name)
                todo.append(name)
    return sorted(reached)


def left_out(compiler, root, texts):
    """Headers that a select.hpp names but, configured as here, does not include."""
    named, used = set(), set()
    for select in (h for h in texts if h.endswith("/select.hpp")):
        named |= {h for h in INCLUDE.findall(texts[select]) if h in texts}
        code, output, _ = compiler.run([*compiler.options(), "-M", str(root / select)])
        if code != 0:
            return set()
        used |= {h for h in texts if str(root / h) in output}
    return named - used


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    cc.add_arguments(parser)
    parser.add_argument("--include", required=True, help="the include directory")
    arguments = parser.parse_args()
    start = time.monotonic()

    root = pathlib.Path(arguments.include)
    texts = {p.relative_to(root).as_posix(): p.read_text() for p in sorted(root.glob("karpos/**/*.hpp"))}
    compiler = cc.Compiler(arguments.build, arguments.probe, arguments.scratch)
    version = compiler.run([*compiler.options(), "--version"])[1]

    def key(header):
        content = "\0".join([version, *compiler.options(), *(texts[h] for h in closure(header, texts))])
        return hashlib.sha256(content.encode()).hexdigest()

    def stamp(header):
        return compiler.scratch / (header.replace("/", "-") + ".passed")

    skipped = left_out(compiler, root, texts)
    todo = [h for h in texts if h not in skipped
            and not (stamp(h).exists() and stamp(h).read_text() == key(h))]
    precompiled = compiler.precompile_kokkos() if len(todo) > 2 else []

    def check(header):
        source = compiler.scratch / (header.replace("/", "-") + ".cpp")
        source.write_text(f"#include <{header}>\n#include <{header}>\n")
        # A precompiled Kokkos would hide that a header forgets to include it.
        reaches_kokkos = any("<Kokkos_Core.hpp>" in texts[h] for h in closure(header, texts))
        code, output = compiler.check(source, extra=precompiled if reaches_kokkos else [])
        if code == 0:
            stamp(header).write_text(key(header))
        return code, output

    failed = [(h, out) for h, (code, out) in cc.for_each(todo, check, arguments.jobs) if code != 0]
    for header, output in failed:
        print(f"--- <{header}> does not compile alone\n{output}")
    print(f"{len(texts)} headers, {len(todo)} compiled, {len(failed)} failed, "
          f"{len(skipped)} not part of this build, {cc.seconds_since(start)}")
    return 1 if failed or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
