# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources with the command line of a target of the build, for the checks of headers, of
rejected code and of compile cost. The command line is read from compile_commands.json, so the checks
see what CMake sees: wrappers, include paths, definitions, warnings."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import time


class Compiler:
    """The compiler and options with which `probe` (a source of the build) is compiled."""

    def __init__(self, build_dir, probe, scratch):
        self.scratch = pathlib.Path(scratch).resolve()
        self.scratch.mkdir(parents=True, exist_ok=True)
        commands = json.loads(pathlib.Path(build_dir, "compile_commands.json").read_text())
        entry = next(e for e in commands if os.path.samefile(e["file"], probe))
        self.directory = entry["directory"]
        self.words = self._without_input_and_output(shlex.split(entry["command"]), entry)
        identity = subprocess.run([*self.words, "--version"], capture_output=True, text=True,
                                  cwd=self.directory).stdout
        self.is_nvcc = "nvcc" in identity or "NVIDIA" in identity
        self.is_gcc = not self.is_nvcc and "Free Software Foundation" in identity

    @staticmethod
    def _without_input_and_output(words, entry):
        kept, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
            elif word not in ("-c", "-MD", "-MMD", entry["file"]):
                kept.append(word)
        return kept

    def options(self, drop=(), replace=()):
        """The options, less those that begin with a word of `drop`; `replace` is appended."""
        return [w for w in self.words if not any(w.startswith(d) for d in drop)] + list(replace)

    def run(self, words):
        """(exit code, output, CPU seconds): CPU time, because other work shares the cores."""
        with open(os.devnull) as nothing:
            process = subprocess.Popen(words, cwd=self.directory, stdin=nothing, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, output, usage.ru_utime + usage.ru_stime

    def precompile_kokkos(self):
        """Options that load a precompiled Kokkos_Core.hpp, most of the time of a check; [] where the
        compiler has no such thing. Only for sources that include Kokkos_Core.hpp anyway."""
        if not self.is_gcc:
            return []
        options = self.options(drop=("-Werror",))
        key = hashlib.sha256(" ".join(options).encode()).hexdigest()[:16]
        header = self.scratch / f"kokkos-{key}.hpp"
        header.write_text("#include <Kokkos_Core.hpp>\n")
        code, output, _ = self.run([*options, "-x", "c++-header", str(header), "-o", f"{header}.gch"])
        return ["-include", str(header)] if code == 0 else []

    def check(self, source, drop=(), extra=()):
        """(exit code, output) of compiling source for its diagnostics alone."""
        words = self.options(drop=drop, replace=extra)
        if self.is_nvcc:  # no syntax-only mode
            return self.run([*words, "-c", str(source), "-o", str(self.scratch / (source.stem + ".o"))])[:2]
        return self.run([*words, "-fsyntax-only", str(source)])[:2]


def for_each(items, function, jobs):
    """[(item, function(item))] in order, a few at a time (the work is done by child processes)."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(zip(items, pool.map(function, items)))


def add_arguments(parser):
    parser.add_argument("--build", required=True, help="the build tree that holds compile_commands.json")
    parser.add_argument("--probe", required=True, help="the source whose command line is used")
    parser.add_argument("--scratch", required=True, help="a folder for generated files")
    parser.add_argument("--jobs", type=int, default=2)


def seconds_since(start):
    return f"{time.monotonic() - start:.1f} s"
