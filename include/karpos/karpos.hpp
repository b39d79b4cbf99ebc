// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything but file formats and timing: tensors, expressions, reductions, products, transfers,
// printing. Add <karpos/io/npy.hpp> for .npy files.
#pragma once
#include <karpos/core/memory/memory.hpp>  // memory::stats set_limit trim reset_peak
#include <karpos/ops/compare.hpp>         // allclose isclose array_equal
#include <karpos/ops/create.hpp>  // zeros ones full arange linspace logspace eye from_function empty
#include <karpos/ops/evaluate.hpp>  // assign eval clone item fence
#include <karpos/ops/math.hpp>      // exp sin minimum pow ...
#include <karpos/ops/matmul.hpp>    // matmul gemm
#include <karpos/ops/operators.hpp>
#include <karpos/ops/print.hpp>     // operator<< to_string
#include <karpos/ops/random.hpp>    // random::uniform
#include <karpos/ops/reduce.hpp>    // sum prod min max mean any all
#include <karpos/ops/reshape.hpp>   // reshape ravel flatten view_as
#include <karpos/ops/select.hpp>    // where cast map
#include <karpos/ops/shape.hpp>     // transpose permute flip squeeze ...
#include <karpos/ops/softmax.hpp>   // softmax log_softmax layer_norm
#include <karpos/ops/transfer.hpp>  // to_host to copy
