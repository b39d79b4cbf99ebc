// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products on the device and on the host: the vendor's calls and the portable kernels, each
// for each kind of element.
#include <karpos/backend/blas/gemm.hpp>

#include <cstdint>
#include <string>

namespace {

namespace blas = karpos::backend::blas;

template <class Exec, class T>
void products(T const* a, T* c) {
  blas::gemm_problem<T> const problem{
      T(1), {a, 4, 4, 4, 1}, {a, 4, 4, 1, 4}, T(0), {c, 4, 4, 4, 1}, 2, 16, 0, 16};
  if (blas::serves<Exec>(problem))
    blas::gemm(Exec(), problem);
  blas::portable_gemm(Exec(), problem);
}

template <class Exec>
void all_types(void* data) {
  products<Exec, float>(static_cast<float*>(data), static_cast<float*>(data));
  products<Exec, double>(static_cast<double*>(data), static_cast<double*>(data));
  products<Exec, Kokkos::complex<float>>(static_cast<Kokkos::complex<float>*>(data),
                                         static_cast<Kokkos::complex<float>*>(data));
  products<Exec, Kokkos::complex<double>>(static_cast<Kokkos::complex<double>*>(data),
                                          static_cast<Kokkos::complex<double>*>(data));
  products<Exec, karpos::half>(static_cast<karpos::half*>(data), static_cast<karpos::half*>(data));
  products<Exec, karpos::bfloat16>(static_cast<karpos::bfloat16*>(data),
                                   static_cast<karpos::bfloat16*>(data));
  products<Exec, std::int8_t>(static_cast<std::int8_t*>(data), static_cast<std::int8_t*>(data));
  products<Exec, std::uint16_t>(static_cast<std::uint16_t*>(data),
                                static_cast<std::uint16_t*>(data));
  products<Exec, std::int32_t>(static_cast<std::int32_t*>(data), static_cast<std::int32_t*>(data));
  products<Exec, std::int64_t>(static_cast<std::int64_t*>(data), static_cast<std::int64_t*>(data));
}

}  // namespace

std::string gate_blas(void* data) {
  all_types<Kokkos::DefaultExecutionSpace>(data);
  all_types<Kokkos::DefaultHostExecutionSpace>(data);
  return blas::library<Kokkos::DefaultExecutionSpace>() +
         std::to_string(blas::threads(Kokkos::DefaultExecutionSpace()));
}
