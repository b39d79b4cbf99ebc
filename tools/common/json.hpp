// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// results as JSON: each member is a field of the same name; an absent optional is null.
#pragma once
#include "common/json_field.hpp"
#include "common/results.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
  template <class Json>
  static void to_json(Json& j, std::optional<T> const& value) {
    if (value) {
      j = *value;
    } else {
      j = nullptr;
    }
  }
};

}  // namespace nlohmann

namespace karpos::tools {

// to_json as NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE makes it, for ordered_json too; reading is strict.
#define KARPOS_TOOLS_READ(name) read(field.member(#name), value.name);
#define KARPOS_TOOLS_JSON(Type, ...)                                                               \
  template <class Json>                                                                            \
  void to_json(Json& nlohmann_json_j, Type const& nlohmann_json_t) {                               \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                       \
  }                                                                                                \
  inline void read(json_field const& field, Type& value) {                                         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(KARPOS_TOOLS_READ, __VA_ARGS__))                      \
  }

KARPOS_TOOLS_JSON(timing, first_s, warm_up, samples, repeats, median_s, q1_s, q3_s, min_s)
KARPOS_TOOLS_JSON(verdict, status, worst, how, detail)
KARPOS_TOOLS_JSON(measured_row, space, operation, name, path, compute, to_space_s, from_space_s,
                  rate, unit, percent_of_copy, percent_of_gemm, speed_up, check)
KARPOS_TOOLS_JSON(input_array, name, source, shape, hash)
KARPOS_TOOLS_JSON(problem, operation, dtype, shape, inputs, input_hash, baseline, rows)
KARPOS_TOOLS_JSON(peak, space, dtype, copy_gb_per_s, copy_method, gemm_gflop_per_s, gemm_method)
KARPOS_TOOLS_JSON(device, name, partition, driver, clock_mhz, max_clock_mhz, memory_clock_mhz,
                  memory_bytes, multiprocessors)
KARPOS_TOOLS_JSON(space_facts, name, role, threads, binding, blas, blas_threads, device)
KARPOS_TOOLS_JSON(machine_facts, host, system, cpu, sockets, cores, hardware_threads, allowed_cpus,
                  memory_bytes, cpu_mhz, governor)
KARPOS_TOOLS_JSON(build_facts, karpos, kokkos, kokkos_kernels, compiler, device_compiler,
                  build_type, flags, spaces)
KARPOS_TOOLS_JSON(results, format, version, date, command, machine, environment, build, spaces,
                  peaks, problems, passed)
#undef KARPOS_TOOLS_JSON
#undef KARPOS_TOOLS_READ

/// The text of a file. Names of files and variables are bytes: what is not UTF-8 is replaced by
/// U+FFFD.
[[nodiscard]] inline std::string json_text(nlohmann::ordered_json const& j) {
  return j.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The results in the JSON that was read from `path`. @throws usage_error when they are none.
[[nodiscard]] results results_of(std::string const& path, nlohmann::ordered_json const& json);

}  // namespace karpos::tools
