// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/results.hpp"

#include "common/files.hpp"
#include "common/hash.hpp"
#include "common/json.hpp"
#include "common/text.hpp"

namespace karpos::tools {

std::string problem_title(problem const& p) {
  return p.operation + " " + p.dtype + " " + shape_text(p.shape);
}

std::string hash_of_inputs(problem const& p) {
  std::string text = p.operation + "\n" + p.dtype + "\n";
  for (auto const& in : p.inputs)
    text += in.name + " " + shape_text(in.shape) + " " + in.hash + "\n";
  return hash_text(text.data(), text.size());
}

void write_results(std::string const& path, results const& r) { write_text(path, json_text(r)); }

}  // namespace karpos::tools
