// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products over pointers and strides: what every implementation is handed and what callers
// may ask. Declarations only; include <karpos/backend/blas/gemm.hpp> to call them.
#pragma once
#include <karpos/backend/blas/path.hpp>
#include <karpos/base/config.hpp>
#include <karpos/base/index.hpp>

#include <string>

namespace karpos::inline KARPOS_ABI::backend::blas {

/// A matrix in memory: element (i, j) is data[i * row_stride + j * col_stride]. Strides count
/// elements and have any sign, zero too; the stride of an extent of 1 means nothing.
template <class T>
struct matrix_view {
  T* data;
  index_t rows, cols;
  index_t row_stride, col_stride;
};

/// One product or a batch of them: c := alpha a b + beta c, with a conjugated if conj_a, b if
/// conj_b. a is (m, k), b is (k, n), c is (m, n); matrix number i of an operand starts i batch
/// strides after its data (0 repeats one matrix; any sign). c overlaps neither itself nor a or b.
template <class T>
struct gemm_problem {
  T alpha;
  matrix_view<T const> a;
  matrix_view<T const> b;
  T beta;
  matrix_view<T> c;
  index_t batch = 1;
  index_t a_batch_stride = 0, b_batch_stride = 0, c_batch_stride = 0;
  bool conj_a = false, conj_b = false;
};

/// Runs the product on exec: through the vendor's library where the operands can go as they lie in
/// memory, else, and for batches of small matrices on a device, through the portable kernels.
/// Integers wrap, 16-bit floats accumulate in float. beta == 0 never reads c; k == 0 or alpha == 0
/// gives beta c and reads neither a nor b; an empty c is left alone. Does not fence: asynchronous
/// on a device, complete at return on a host space. One launch overhead, no allocation.
/// @throws shape_error when the extents of a, b and c do not fit each other or are negative.
/// @throws argument_error when a scoped_path asks for a path that cannot serve.
/// @throws backend_error when the vendor's library fails.
template <class Exec, class T>
void gemm(Exec const& exec, gemm_problem<T> const& problem);

/// Answer of serves(): a library has this type on this space, and takes each operand as it lies in
/// memory (or does not get them: small matrices in a batch go to a kernel that takes all).
struct served {
  bool library, a, b, c;
  /// The whole call goes through the library without a copy.
  constexpr explicit operator bool() const noexcept { return library && a && b && c; }
};

/// What the vendor's library (or Kokkos Kernels where there is none) would take. Where `library` is
/// set and an operand is not taken, packing that operand to unit row or column stride makes the
/// call fit: a packed c is taken to be row-major, and a packed a or b has its conjugation done.
/// Costs some 10 ns; launches nothing.
template <class Exec, class T>
[[nodiscard]] served serves(gemm_problem<T> const& problem);

/// One stride is 1 and the other is a leading dimension: a BLAS takes the matrix, plain or
/// transposed, without a copy.
template <class T>
[[nodiscard]] constexpr bool blas_compatible(matrix_view<T> const& m) noexcept;

/// Name, version and kernel set of the library that serves products on Exec ("OpenBLAS 0.3.29 ...
/// SkylakeX", "cuBLAS 13.0.2", "BLAS" where the library does not say), or "portable" where none
/// does.
template <class Exec = Kokkos::DefaultHostExecutionSpace>
[[nodiscard]] std::string library();

/// The number of host threads that a product on exec uses at most: 1 on Serial and inside an OpenMP
/// parallel region, 0 on a device.
template <class Exec>
[[nodiscard]] int threads(Exec const& exec);
template <class Exec = Kokkos::DefaultHostExecutionSpace>
[[nodiscard]] int threads();

}  // namespace karpos::inline KARPOS_ABI::backend::blas
