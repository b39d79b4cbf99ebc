#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of docs/design.md, section 4, and CONTRIBUTING.md that a text search can decide.

    check.py include/            every header below; one line per breach, exit 1 if there is one
    check.py --self-test         breaches planted in a scratch tree are all reported
"""
import argparse
import pathlib
import re
import sys
import tempfile

# A module includes itself and modules of a lower level, nothing else.
LEVEL = {"base": 0, "core": 1, "fn": 2, "backend": 2, "expr": 2, "exec": 3, "ops": 4,
         "io": 5, "testing": 5, "bench": 5}
# Expressions know no vendor library: only ops brings the two together.
FORBIDDEN = {("exec", "backend")}
MAX_LINES = 500

CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
UNDEF = re.compile(r"^\s*#\s*undef\s+(\w+)")


def module_of(path):
    """'exec' for karpos/exec/detail/x.hpp; None for the umbrella."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[1] if len(parts) > 2 else None


def may_use_conditionals(path):
    return (re.fullmatch(r"karpos/base/(config[^/]*|[^/]*_config)\.hpp", path)
            or path.startswith("karpos/base/kokkos_ext/")
            or re.fullmatch(r"karpos/backend/.+/select\.hpp", path))


def check_include(path, target, known):
    if target not in known:
        return f"includes <{target}>, which does not exist"
    here, there = module_of(path), module_of(target)
    if here is None:
        return None
    if there is None:
        return f"includes the umbrella <{target}>"
    if here != there and LEVEL.get(there, 99) >= LEVEL[here]:
        return f"includes <{target}>: {there} is not to the left of {here}"
    if (here, there) in FORBIDDEN:
        return f"includes <{target}>: {here} must not know {there}"
    if here != there and "detail" in pathlib.PurePosixPath(target).parts:
        return f"includes <{target}>, which is private to {there}"
    return None


def check_text(path, lines):
    if "#pragma once" not in (line.strip() for line in lines):
        yield 1, "has no #pragma once"
    head = "\n".join(lines[:6])
    for tag in ("SPDX-FileCopyrightText", "SPDX-License-Identifier"):
        if tag not in head:
            yield 1, f"has no {tag} line"
    if len(lines) > MAX_LINES:
        yield len(lines), f"has {len(lines)} lines, more than {MAX_LINES}"
    local = {}
    for number, line in enumerate(lines, 1):
        if CONDITIONAL.match(line) and not may_use_conditionals(path):
            yield number, f"preprocessor conditional outside base/config and select.hpp: {line.strip()}"
        if match := DEFINE.match(line):
            if not match[1].startswith("KARPOS_"):
                yield number, f"macro {match[1]} does not begin with KARPOS_"
            local[match[1]] = number
        if match := UNDEF.match(line):
            local.pop(match[1], None)
    if module_of(path) != "base":  # base defines what the others use
        for name, number in local.items():
            yield number, f"macro {name} is not undefined at the end of the header that uses it"


def find_cycle(edges):
    """One cycle of the include graph as a list of files, or None. Iterative: chains may be long."""
    state = {}
    for root in sorted(edges):
        stack = [(root, iter(sorted(edges[root])))] if root not in state else []
        state.setdefault(root, "open")
        while stack:
            node, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                state[node] = "done"
                stack.pop()
            elif state.get(target) == "open":
                trail = [entry[0] for entry in stack]
                return trail[trail.index(target):] + [target]
            elif target not in state:
                state[target] = "open"
                stack.append((target, iter(sorted(edges.get(target, ())))))
    return None


def check_tree(root):
    """All breaches below root (the include directory) as 'file:line: text'."""
    root = pathlib.Path(root)
    headers = {p.relative_to(root).as_posix(): p.read_text().splitlines()
               for p in sorted(root.glob("karpos/**/*.hpp"))}
    breaches, edges = [], {}
    for path, lines in headers.items():
        if module_of(path) is not None and module_of(path) not in LEVEL:
            breaches.append(f"{path}:1: module {module_of(path)} is in no layer")
            continue
        edges[path] = set()
        breaches += [f"{path}:{number}: {text}" for number, text in check_text(path, lines)]
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if match[1] == '"':
                breaches.append(f'{path}:{number}: include "{match[2]}" must be written <karpos/...>')
            elif match[2].startswith("karpos/"):
                edges[path].add(match[2])
                if breach := check_include(path, match[2], headers):
                    breaches.append(f"{path}:{number}: {breach}")
    if cycle := find_cycle(edges):
        breaches.append(f"{cycle[0]}:1: include cycle: {' -> '.join(cycle)}")
    return headers, breaches


PLANTED = {
    # file: (body, text that must be reported)
    "core/right.hpp": ("#include <karpos/exec/ok.hpp>", "exec is not to the left of core"),
    "fn/sideways.hpp": ("#include <karpos/expr/ok.hpp>", "expr is not to the left of fn"),
    "io/sideways.hpp": ("#include <karpos/testing/ok.hpp>", "testing is not to the left of io"),
    "exec/vendor.hpp": ("#include <karpos/backend/ok.hpp>", "exec must not know backend"),
    "ops/private.hpp": ("#include <karpos/exec/detail/ok.hpp>", "private to exec"),
    "ops/umbrella.hpp": ("#include <karpos/karpos.hpp>", "includes the umbrella"),
    "ops/missing.hpp": ("#include <karpos/ops/nowhere.hpp>", "does not exist"),
    "ops/quoted.hpp": ('#include "ok.hpp"', "must be written <karpos/...>"),
    "ops/conditional.hpp": ("#ifdef X\n#endif", "preprocessor conditional"),
    "backend/blas/api.hpp": ("  #  if X\n#endif", "preprocessor conditional"),
    "ops/macro.hpp": ("#define X 1\n#undef X", "does not begin with KARPOS_"),
    "ops/leak.hpp": ("#define KARPOS_X 1", "not undefined"),
    "ops/long.hpp": ("\n" * MAX_LINES, f"more than {MAX_LINES}"),
    "core/cycle_a.hpp": ("#include <karpos/core/cycle_b.hpp>", "include cycle"),
    "core/cycle_b.hpp": ("#include <karpos/core/cycle_a.hpp>", None),
    "elsewhere/x.hpp": ("", "is in no layer"),
    "base/config_x.hpp": ("#if X\n#define KARPOS_X 1\n#endif", None),
    "base/x_config.hpp": ("#if X\n#endif", None),
    "base/kokkos_ext/x.hpp": ("#if X\n#endif", None),
    "backend/blas/select.hpp": ("#if X\n#endif", None),
    "exec/ok.hpp": ("#include <karpos/core/ok.hpp>\n#include <karpos/exec/detail/ok.hpp>", None),
    "exec/detail/ok.hpp": ("", None), "core/ok.hpp": ("#include <Kokkos_Core.hpp>", None),
    "backend/ok.hpp": ("", None), "expr/ok.hpp": ("", None), "testing/ok.hpp": ("", None),
    "ops/ok.hpp": ("#include <karpos/backend/ok.hpp>\n#include <karpos/exec/ok.hpp>", None),
    "karpos.hpp": ("#include <karpos/ops/ok.hpp>", None),
}
HEAD = ("// SPDX-FileCopyrightText: x\n// SPDX-License-Identifier: x\n#pragma once\n")


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        for name, (body, _) in PLANTED.items():
            path = pathlib.Path(scratch, "karpos", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(HEAD + body + "\n")
        bare = pathlib.Path(scratch, "karpos/ops/bare.hpp")
        bare.write_text("\n")
        _, breaches = check_tree(scratch)
    expected = {f"karpos/{name}": text for name, (_, text) in PLANTED.items() if text}
    wrong = [f"not reported: {path}: {text}" for path, text in expected.items()
             if not any(b.startswith(path + ":") and text in b for b in breaches)]
    for text in ("no #pragma once", "no SPDX-License-Identifier"):
        if not any(b.startswith("karpos/ops/bare.hpp:") and text in b for b in breaches):
            wrong.append(f"not reported: bare.hpp: {text}")
    wrong += [f"reported though right: {b}" for b in breaches
              if b.split(":")[0] not in expected and "/bare.hpp" not in b]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", help="the include directory")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        breaches = self_test()
        print(f"{len(PLANTED) + 1} planted headers, {len(breaches)} wrong verdicts")
    else:
        headers, breaches = check_tree(arguments.root)
        if not headers:
            parser.error(f"no headers below {arguments.root}")
        print(f"{len(headers)} headers, {len(breaches)} breaches")
    print("\n".join(breaches))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
