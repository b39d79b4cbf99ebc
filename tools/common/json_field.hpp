// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading JSON without conversions: nlohmann::json's own takes true for 1, 2.7 for 2 and numbers
// that are too large for what they become, and does not name the field that it refuses.
#pragma once
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace karpos::tools {

/// "problems[0].rate: string instead of a number".
struct field_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of a JSON file, and the place where it stands.
class json_field {
public:
  explicit json_field(nlohmann::ordered_json const& value, std::string place = {});

  [[nodiscard]] nlohmann::ordered_json const& value() const { return *value_; }
  [[nodiscard]] std::string const& place() const { return place_; }

  /// @throws field_error when this is not an object or has no such member.
  [[nodiscard]] json_field member(std::string const& name) const;
  /// @throws field_error when this is not an array.
  [[nodiscard]] std::vector<json_field> elements() const;
  /// @throws field_error unless `right`.
  void must_be(char const* what, bool right) const;

private:
  nlohmann::ordered_json const* value_;
  std::string place_;
};

/// A field of each type that results are made of. @throws field_error when it is of another.
void read(json_field const& field, bool& value);
void read(json_field const& field, int& value);
void read(json_field const& field, std::int64_t& value);
void read(json_field const& field, double& value);
void read(json_field const& field, std::string& value);
void read(json_field const& field, std::map<std::string, std::string>& value);

template <class T>
void read(json_field const& field, std::optional<T>& value) {
  value.reset();
  if (!field.value().is_null())
    read(field, value.emplace());
}

template <class T>
void read(json_field const& field, std::vector<T>& value) {
  value.clear();
  for (auto const& element : field.elements())
    read(element, value.emplace_back());
}

}  // namespace karpos::tools
