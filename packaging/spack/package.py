# SPDX-FileCopyrightText: The Karpos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack recipe, for a repository of one's own:

    spack repo create ~/karpos-repo karpos_repo
    mkdir -p <packages folder of that repository>/karpos && cp package.py <there>
    spack repo add <that repository>
    spack dev-build --source-path <source tree> karpos@0.1.0

The backend is that of the Kokkos in the spec: karpos ^kokkos+cuda cuda_arch=90, karpos ^kokkos+openmp.
"""
from spack.package import *

try:  # Spack 1.0 and newer keep the build systems in the package repository
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Karpos(CMakePackage):
    """Vendor-portable, header-only C++20 tensors on Kokkos: lazy expressions, reductions and matrix
    products that run through CUDA, HIP, OpenMP or serially."""

    license("Apache-2.0 WITH LLVM-exception")

    # No release archive and no public address yet: built from a source tree (spack dev-build, develop).
    version("0.1.0")

    variant("blas", default=True, description="BLAS of the host and of the device's vendor")
    variant("kokkos_kernels", default=False, description="Kokkos Kernels, where it serves")
    variant("tools", default=True, description="Build karpos-compare and karpos-report")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    # Headers only: who uses Karpos compiles against these.
    depends_on("kokkos@4.6:", type=("build", "link"))
    depends_on("blas", when="+blas", type=("build", "link"))
    depends_on("kokkos-kernels@4.6:", when="+kokkos_kernels", type=("build", "link"))
    for _version in ("4.6", "4.7", "5.0", "5.1", "5.2"):
        depends_on(f"kokkos-kernels@{_version}", when=f"+kokkos_kernels ^kokkos@{_version}")
    depends_on("cuda", when="+blas ^kokkos+cuda")
    depends_on("rocblas", when="+blas ^kokkos+rocm")
    depends_on("cli11", when="+tools")
    depends_on("nlohmann-json", when="+tools")

    depends_on("googletest", type="test")
    depends_on("python@3.8:", type="test")

    def cmake_args(self):
        args = [
            self.define_from_variant("KARPOS_ENABLE_BLAS", "blas"),
            self.define_from_variant("KARPOS_ENABLE_KOKKOS_KERNELS", "kokkos_kernels"),
            self.define_from_variant("KARPOS_ENABLE_TOOLS", "tools"),
            self.define("KARPOS_ENABLE_TESTS", self.run_tests),
            self.define("KARPOS_ENABLE_EXAMPLES", False),
            self.define("KARPOS_ENABLE_BENCHMARKS", False),
        ]
        kokkos = self.spec["kokkos"]
        if kokkos.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", kokkos.kokkos_cxx))
        elif kokkos.satisfies("+rocm"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        return args
