// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the literals of Python that headers of .npy files are made of: dict, tuple, list, string,
// integer, bool, None.
#pragma once
#include <karpos/base/config.hpp>
#include <karpos/base/error.hpp>
#include <karpos/base/index.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karpos::inline KARPOS_ABI::io::detail {

struct python_value {
  enum class kind { none, boolean, integer, string, tuple, list, dict };
  kind type = kind::none;
  bool truth = false;
  index_t integer = 0;
  std::string text{};
  std::vector<python_value> items{};  // of a dict: key, value, key, value, ...
};

/// Recursive descent over a text that is not trusted: every read is bounded, nesting is limited.
class python_literal_parser {
public:
  /// `where` begins the text of every error.
  python_literal_parser(std::string_view text, std::string where)
      : text_(text), where_(std::move(where)) {}

  /// The one literal that the text holds. @throws io_error with the position of the first wrong
  /// byte.
  python_value parse() {
    python_value result = value(0);
    skip_space();
    if (at_ != text_.size())
      fail("nothing more");
    return result;
  }

private:
  static constexpr int max_depth = 32;

  [[noreturn]] void fail(std::string const& expected) const {
    throw io_error(where_ + ": header: expected " + expected + " at byte " + std::to_string(at_) +
                   " of " + std::to_string(text_.size()));
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n\f").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  python_value value(int depth) {
    if (depth > max_depth)
      fail("at most " + std::to_string(max_depth) + " levels of nesting");
    skip_space();
    char const c = peek();
    if (c == '{')
      return dict(depth);
    if (c == '(')
      return tuple(depth);
    if (c == '[')
      return list(depth);
    if (c == '\'' || c == '"')
      return string();
    if (is_digit(c) || c == '-')
      return integer();
    if (is_letter(c))
      return word();
    fail("a value");
  }

  python_value dict(int depth) {
    python_value result{.type = python_value::kind::dict};
    ++at_;
    for (skip_space(); !accept('}'); skip_space()) {
      if (!result.items.empty()) {
        separator('}');
        if (accept('}'))
          break;
      }
      result.items.push_back(value(depth + 1));
      skip_space();
      if (!accept(':'))
        fail("':'");
      result.items.push_back(value(depth + 1));
    }
    return result;
  }

  // A comma between elements; one before the closing bracket is allowed.
  void separator(char close) {
    if (!accept(','))
      fail(std::string("',' or '") + close + "'");
    skip_space();
  }

  // Elements up to `close`; says whether a comma followed any of them.
  bool elements(char close, int depth, std::vector<python_value>& into) {
    bool comma = false;
    ++at_;
    for (skip_space(); !accept(close); skip_space()) {
      if (!into.empty()) {
        separator(close);
        comma = true;
        if (accept(close))
          break;
      }
      into.push_back(value(depth + 1));
    }
    return comma;
  }

  // (a) is a, (a,) is a tuple.
  python_value tuple(int depth) {
    python_value result{.type = python_value::kind::tuple};
    bool const comma = elements(')', depth, result.items);
    if (result.items.size() == 1 && !comma) {
      python_value inner = std::move(result.items.front());
      return inner;
    }
    return result;
  }

  python_value list(int depth) {
    python_value result{.type = python_value::kind::list};
    elements(']', depth, result.items);
    return result;
  }

  // Escapes other than of quotes and backslashes are kept as they are: only field names could hold
  // them.
  python_value string() {
    python_value result{.type = python_value::kind::string};
    char const quote = text_[at_++];
    while (!accept(quote)) {
      if (at_ >= text_.size() || peek() == '\n')
        fail(std::string("a closing ") + quote);
      if (peek() == '\\' && at_ + 1 < text_.size() &&
          std::string_view("\\'\"").find(text_[at_ + 1]) != std::string_view::npos)
        ++at_;
      result.text += text_[at_++];
    }
    return result;
  }

  // Python 2 wrote an L after long integers.
  python_value integer() {
    python_value result{.type = python_value::kind::integer};
    bool const negative = accept('-');
    if (!is_digit(peek()))
      fail("a digit");
    for (; is_digit(peek()); ++at_) {
      index_t const digit = peek() - '0';
      if (__builtin_mul_overflow(result.integer, index_t{10}, &result.integer) ||
          __builtin_sub_overflow(result.integer, digit, &result.integer))
        fail("an integer of 64 bits");
    }
    // Collected as a negative number, whose range is the larger one.
    if (!negative && __builtin_sub_overflow(index_t{0}, result.integer, &result.integer))
      fail("an integer of 64 bits");
    accept('L');
    return result;
  }

  // True, False, None, and strings with a prefix (u'...' of Python 2).
  python_value word() {
    std::size_t const begin = at_;
    while (is_letter(peek()) || is_digit(peek()))
      ++at_;
    std::string_view const name = text_.substr(begin, at_ - begin);
    if (name == "True")
      return {.type = python_value::kind::boolean, .truth = true};
    if (name == "False")
      return {.type = python_value::kind::boolean};
    if (name == "None")
      return {};
    if ((name == "u" || name == "b") && (peek() == '\'' || peek() == '"'))
      return string();
    at_ = begin;
    fail("True, False, None or a quoted string");
  }

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0;
};

}  // namespace karpos::inline KARPOS_ABI::io::detail
