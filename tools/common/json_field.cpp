// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/json_field.hpp"

#include <utility>

namespace karpos::tools {

namespace {

template <class Integer>
bool holds(nlohmann::ordered_json const& value) {
  if (value.is_number_unsigned())
    return std::in_range<Integer>(value.get<std::uint64_t>());
  return value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
}

}  // namespace

json_field::json_field(nlohmann::ordered_json const& value, std::string place)
    : value_(&value), place_(std::move(place)) {}

json_field json_field::member(std::string const& name) const {
  must_be("an object", value_->is_object());
  auto const place = place_.empty() ? name : place_ + "." + name;
  auto const found = value_->find(name);
  if (found == value_->end())
    throw field_error(place + " is missing");
  return json_field(*found, place);
}

std::vector<json_field> json_field::elements() const {
  must_be("an array", value_->is_array());
  std::vector<json_field> all;
  for (std::size_t i = 0; i < value_->size(); ++i)
    all.emplace_back((*value_)[i], place_ + "[" + std::to_string(i) + "]");
  return all;
}

void json_field::must_be(char const* what, bool right) const {
  if (right)
    return;
  auto const place = place_.empty() ? "the whole" : place_;
  // A number of the wrong kind is the one whose type does not say what is wrong.
  auto const found = value_->is_number() ? value_->dump() : value_->type_name();
  throw field_error(place + ": " + found + " instead of " + what);
}

void read(json_field const& field, bool& value) {
  field.must_be("true or false", field.value().is_boolean());
  value = field.value().get<bool>();
}

void read(json_field const& field, int& value) {
  field.must_be("a whole number", holds<int>(field.value()));
  value = field.value().get<int>();
}

void read(json_field const& field, std::int64_t& value) {
  field.must_be("a whole number", holds<std::int64_t>(field.value()));
  value = field.value().get<std::int64_t>();
}

void read(json_field const& field, double& value) {
  field.must_be("a number", field.value().is_number());
  value = field.value().get<double>();
}

void read(json_field const& field, std::string& value) {
  field.must_be("a string", field.value().is_string());
  value = field.value().get<std::string>();
}

void read(json_field const& field, std::map<std::string, std::string>& value) {
  field.must_be("an object", field.value().is_object());
  value.clear();
  for (auto const& [name, unused] : field.value().items())
    read(field.member(name), value[name]);
}

}  // namespace karpos::tools
