// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/results.hpp"

#include "common/hash.hpp"
#include "common/json.hpp"
#include "common/text.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

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

void write_text(std::string const& path, std::string const& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw usage_error("cannot write " + path + ": " + std::strerror(errno));
}

void write_results(std::string const& path, results const& r) {
  write_text(path, nlohmann::ordered_json(r).dump(1) + "\n");
}

results read_results(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw usage_error("cannot read " + path + ": " + std::strerror(errno));
  auto const json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (json.is_discarded())
    throw usage_error(path + " is not JSON");
  try {
    if (json.at("format") != results{}.format || json.at("version") != results{}.version)
      throw usage_error(path + " is not a result of this karpos-compare: format " +
                        json.at("format").dump() + ", version " + json.at("version").dump());
    return json.get<results>();
  } catch (nlohmann::json::exception const& e) {
    throw usage_error(path + " is not a result of karpos-compare: " + e.what());
  }
}

}  // namespace karpos::tools
