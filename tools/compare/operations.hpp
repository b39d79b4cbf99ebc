// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations: each takes its operands and gives back the problem with a row for each space and
// way.
#pragma once
#include "common/results.hpp"
#include "compare/inputs.hpp"
#include "compare/session.hpp"

namespace karpos::tools {

template <class T>
[[nodiscard]] problem compare_matmul(session const& s, operands<T> const& in);

template <class T>
[[nodiscard]] problem compare_elementwise(session const& s, operands<T> const& in);

/// The copy bandwidth and the GEMM peak of each space of the run.
template <class T>
void measure_peaks(session const& s);

}  // namespace karpos::tools
