// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as people read them, and small work on strings.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace karpos::tools {

/// "15.4 ms", "812 us", "1.23 s": three significant digits.
[[nodiscard]] std::string duration_text(double seconds);

/// A rate in its unit, scaled: 44210, "GFLOP/s" is "44.2 TFLOP/s".
[[nodiscard]] std::string rate_text(double value, std::string const& unit);

/// Three significant digits without an exponent where that is readable.
[[nodiscard]] std::string number_text(double value);

/// The shortest text that reads back as the same double.
[[nodiscard]] std::string exact_text(double value);

/// "(1000, 1000)".
[[nodiscard]] std::string shape_text(std::vector<std::int64_t> const& shape);

/// 536870912 is "512 MiB".
[[nodiscard]] std::string bytes_text(double bytes);

/// The parts one after the other. (GCC 12 warns falsely of `"text" + std::to_string(i)`.)
template <class... Part>
[[nodiscard]] std::string concat(Part const&... parts) {
  std::string text;
  ((text += parts), ...);
  return text;
}

[[nodiscard]] std::string join(std::vector<std::string> const& parts, std::string_view separator);

/// Without blanks at the ends.
[[nodiscard]] std::string trimmed(std::string_view text);

/// Somebody else's text within a line of ours: control characters and runs of blanks become single
/// blanks, so that it can begin no line of its own.
[[nodiscard]] std::string one_line(std::string_view text);

/// ASCII letters compared without case.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

}  // namespace karpos::tools
