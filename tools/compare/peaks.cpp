// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/facts.hpp"
#include "compare/operations.hpp"
#include <karpos/bench/peaks.hpp>

#include <algorithm>

namespace karpos::tools {

template <class T>
void measure_peaks(session const& s) {
  constexpr double mib = 1 << 20;
  for_each_chosen_space(s, [&]<class Exec>() {
    peak p;
    p.space = kokkos_ext::space_name<Exec>();
    p.dtype = dtype_name<T>();
    Exec const exec;
    auto const copy_count =
        std::max(index_t{1}, static_cast<index_t>(s.options.copy_mib * mib / sizeof(T)));
    auto const copied = bench::copy_peak<T>(exec, copy_count, s.timing_options());
    p.copy_gb_per_s = copied.rate * 1e-9;
    p.copy_method = copied.method;
    auto const product = bench::gemm_peak<T>(exec, s.options.peak_size, s.timing_options());
    p.gemm_gflop_per_s = product.rate * 1e-9;
    p.gemm_method = product.method;
    s.found.peaks.push_back(p);
  });
  refresh_clocks(s.found.spaces);  // while the device is still warm
}

template void measure_peaks<float>(session const&);
template void measure_peaks<double>(session const&);

}  // namespace karpos::tools
