// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files written by hand, by NumPy (where Python has it) and by Karpos.
#include <karpos/io/npy.hpp>
#include <karpos/ops/create.hpp>
#include <karpos/ops/operators.hpp>
#include <karpos/ops/reduce.hpp>
#include <karpos/ops/reshape.hpp>
#include <karpos/ops/select.hpp>
#include <karpos/ops/shape.hpp>
#include <karpos/ops/transfer.hpp>

#include <gtest/gtest.h>
#include <io/numpy.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace kp = karpos;
using namespace karpos_test;
using host = kp::host_space;
using tensor_of_ints = kp::tensor<kp::index_t, 1>;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

/// A file as the format describes it: magic, version, length of the header, header, elements.
std::string npy_file(std::string const& header, std::string const& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

std::string dict(std::string const& descr, std::string const& order, std::string const& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

/// The bytes of some values, in the order of this machine or the other one.
template <class T>
std::string bytes_of(std::vector<T> const& values, bool swap = false) {
  std::string result;
  for (T const& value : values) {
    char element[sizeof(T)];
    std::memcpy(element, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i)
      result += element[swap ? sizeof(T) - 1 - i : i];
  }
  return result;
}

std::string const native = std::endian::native == std::endian::little ? "<" : ">";
std::string const foreign = native == "<" ? ">" : "<";

template <class F>
std::string error_of(F const& f) {
  try {
    f();
  } catch (kp::io_error const& e) {
    return e.what();
  }
  return "no error";
}

template <class T, int Rank>
std::string load_error(std::string const& path, kp::io::npy_options const& options = {}) {
  try {
    static_cast<void>(kp::io::load_npy<T, Rank>(path, options));
  } catch (kp::io_error const& e) {
    return e.what();
  }
  return "no error";
}

template <class E>
std::string save_error(std::string const& path, E const& e) {
  try {
    kp::io::save_npy(path, e);
  } catch (kp::io_error const& error) {
    return error.what();
  }
  return "no error";
}

void expect_in(std::string const& part, std::string const& text) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected \"" << part << "\" in \"" << text << '"';
}

/// Values that every element type can hold and that show swapped bytes and lost signs.
template <class T>
T nth_value(kp::index_t i) {
  if constexpr (kp::boolean<T>)
    return i % 3 == 1;
  else if constexpr (kp::complex_floating<T>)
    return T(nth_value<kp::real_of_t<T>>(i), nth_value<kp::real_of_t<T>>(3 * i + 1));
  else if constexpr (std::is_unsigned_v<T>)
    return static_cast<T>(i * 37 + 200);
  else
    return static_cast<T>(static_cast<double>((i * 37) % 101 - 50));
}

template <class T, int Rank, class Space>
void fill(kp::tensor<T, Rank, Space>& t) {
  for (kp::index_t i = 0; i < t.size(); ++i)
    t.data()[i] = nth_value<T>(i);
}

template <class T, int Rank, class A>
void expect_elements(A const& a, kp::extents<Rank> const& shape, std::string const& what) {
  EXPECT_EQ(kp::to_string(a.shape()), kp::to_string(shape)) << what;
  for (kp::index_t i = 0; i < a.size(); ++i)
    ASSERT_TRUE(a.data()[i] == nth_value<T>(i))
        << what << ": element " << i << " of " << kp::to_string(shape);
}

// -- every element type

template <class T>
struct npy_elements : testing::Test {};
using element_types =
    testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t, kp::half, float, double, c64, c128>;
TYPED_TEST_SUITE(npy_elements, element_types);

template <class T, class... I>
void round_trip(std::string const& path, I... extents) {
  constexpr int rank = sizeof...(I);
  kp::tensor<T, rank, host> original;
  if constexpr (rank > 0)
    original = kp::tensor<T, rank, host>(extents...);
  else
    original = kp::tensor<T, 0, host>(T{});
  fill(original);
  kp::io::save_npy(path, original);
  auto const header = kp::io::load_npy_info(path);
  EXPECT_EQ(header.dtype, kp::dtype_name<T>());
  EXPECT_EQ(header.itemsize, sizeof(T));
  EXPECT_EQ(header.rank(), rank);
  EXPECT_EQ(header.size(), original.size());
  EXPECT_FALSE(header.fortran_order);
  EXPECT_EQ(header.byte_order, sizeof(T) == 1 ? '|' : native[0]);
  EXPECT_EQ(header.data_offset % 64, 0u);
  auto const loaded = kp::io::load_npy<T, rank>(path);  // in the default space
  expect_elements<T>(kp::to_host(loaded), original.shape(), "round trip");
}

TYPED_TEST(npy_elements, come_back_as_they_were_written) {
  scratch_directory const scratch;
  round_trip<TypeParam>(scratch / "a.npy");
  round_trip<TypeParam>(scratch / "a.npy", 0);
  round_trip<TypeParam>(scratch / "a.npy", 17);
  round_trip<TypeParam>(scratch / "a.npy", 3, 4);
  round_trip<TypeParam>(scratch / "a.npy", 2, 0, 3);
  round_trip<TypeParam>(scratch / "a.npy", 2, 1, 3, 2, 1, 1, 1, 5);
}

// -- files written by NumPy

char const* const write_by_numpy = R"(
import sys, numpy as np
types = 'bool i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16'.split()
names = []
def write(name, a, version):
    with open(f'{sys.argv[1]}/{name}.npy', 'wb') as f:
        np.lib.format.write_array(f, a, version=version)
    names.append(name)
for t in types:
    for shape in [(), (0,), (5,), (3, 4), (2, 0, 3), (2, 3, 4)]:
        n = int(np.prod(shape, dtype=int))
        a = (np.arange(n) * 37 % 101).reshape(shape).astype(t)
        if a.dtype.kind in 'ifc': a = a - np.array(50, a.dtype)
        if a.dtype.kind == 'c': a = a + a.dtype.type(1j) * a * 2
        if a.dtype.kind in 'fc' and n > 3: a.flat[1:4] = [np.nan, -0.0, np.inf]
        rank = len(shape)
        for order in 'CF':
            for endian in '<>':
                b = np.array(a, dtype=a.dtype.newbyteorder(endian), order=order)
                write(f'{t}_{"x".join(map(str, shape))}_{order}_{"le" if endian == "<" else "be"}', b, (1, 0))
    for version in [(2, 0), (3, 0)]:
        write(f'{t}_v{version[0]}', np.arange(6).reshape(2, 3).astype(t), version)
open(f'{sys.argv[1]}/names', 'w').write('\n'.join(names) + '\n')
)";

// Also the bytes are compared where this NumPy leaves room for the first extent to grow, as all
// since 1.24 do.
char const* const compare_by_numpy = R"(
import io, os, sys, numpy as np
formats = getattr(np.lib, '_format_impl', np.lib.format)
same_bytes = hasattr(formats, 'GROWTH_AXIS_MAX_DIGITS')
wrong = 0
for name in open(f'{sys.argv[1]}/names').read().split():
    want, path = np.load(f'{sys.argv[1]}/{name}.npy'), f'{sys.argv[1]}/{name}.out'
    want = np.array(want, dtype=want.dtype.newbyteorder('='), order='C')
    got = np.load(path)
    equal = got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes()
    if equal and same_bytes:
        buffer = io.BytesIO()
        np.save(buffer, want)
        equal = buffer.getvalue() == open(path, 'rb').read()
    if not equal:
        wrong += 1
        print(f'{name}: wrote {want.dtype} {want.shape} {want!r}, read {got.dtype} {got.shape} {got!r}')
sys.exit(wrong != 0)
)";

template <class T>
void load_and_save(std::string const& in, std::string const& out, int rank) {
  switch (rank) {
  case 0:
    return kp::io::save_npy(out, kp::io::load_npy<T, 0>(in));
  case 1:
    return kp::io::save_npy(out, kp::io::load_npy<T, 1>(in));
  case 2:
    return kp::io::save_npy(out, kp::io::load_npy<T, 2>(in));
  default:
    return kp::io::save_npy(out, kp::io::load_npy<T, 3>(in));
  }
}

template <class... T>
void load_and_save_any(std::string const& in, std::string const& out, testing::Types<T...>) {
  auto const header = kp::io::load_npy_info(in);
  int found = 0;
  ((header.dtype == kp::dtype_name<T>() ? (++found, load_and_save<T>(in, out, header.rank()))
                                        : void()),
   ...);
  EXPECT_EQ(found, 1) << in << " holds " << header.dtype;
}

TEST(npy_with_numpy, what_numpy_wrote_goes_in_and_what_comes_out_numpy_reads_equal) {
  if (!has_numpy())
    GTEST_SKIP() << "no python3 with numpy";
  scratch_directory const scratch;
  ASSERT_TRUE(python_succeeds(write_by_numpy, scratch.path()));
  std::ifstream names(scratch / "names");
  int files = 0;
  for (std::string name; names >> name; ++files)
    load_and_save_any(scratch / (name + ".npy"), scratch / (name + ".out"), element_types{});
  EXPECT_EQ(files, 14 * (6 * 4 + 2));
  EXPECT_TRUE(python_succeeds(compare_by_numpy, scratch.path()));
}

// -- files written by hand

TEST(load_npy, reads_fortran_order_by_index) {
  scratch_directory const scratch;
  write_file(scratch / "a.npy", npy_file(dict("'" + native + "f8'", "True", "(2, 3)"),
                                         bytes_of<double>({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(kp::io::load_npy_info(scratch / "a.npy").fortran_order);
  auto const loaded = kp::io::load_npy<double, 2>(scratch / "a.npy");
  auto const a = kp::to_host(loaded);
  double const expected[2][3] = {{1, 3, 5}, {2, 4, 6}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_EQ(a(i, j), expected[i][j]);
  EXPECT_TRUE(loaded.is_contiguous());
}

TEST(load_npy, reads_either_endianness) {
  scratch_directory const scratch;
  write_file(scratch / "f8.npy", npy_file(dict("'" + foreign + "f8'", "False", "(3,)"),
                                          bytes_of<double>({1, 2, 3}, true)));
  write_file(scratch / "i4.npy", npy_file(dict("'" + foreign + "i4'", "False", "(3,)"),
                                          bytes_of<std::int32_t>({1, 2, 3}, true)));
  write_file(scratch / "c8.npy", npy_file(dict("'" + foreign + "c8'", "False", "()"),
                                          bytes_of<float>({1.5f, -2}, true)));
  write_file(scratch / "f2.npy", npy_file(dict("'" + foreign + "f2'", "False", "()"),
                                          bytes_of<kp::half>({kp::half(0.5f)}, true)));
  auto const f8 = kp::to_host(kp::io::load_npy<double, 1>(scratch / "f8.npy"));
  auto const i4 = kp::to_host(kp::io::load_npy<std::int32_t, 1>(scratch / "i4.npy"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(f8(i), i + 1);
    EXPECT_EQ(i4(i), i + 1);
  }
  EXPECT_EQ(kp::item(kp::io::load_npy<c64, 0>(scratch / "c8.npy")), c64(1.5f, -2));
  EXPECT_EQ(float(kp::item(kp::io::load_npy<kp::half, 0>(scratch / "f2.npy"))), 0.5f);
  EXPECT_EQ(kp::io::load_npy_info(scratch / "i4.npy").byte_order, foreign[0]);
}

TEST(load_npy, reads_every_way_of_writing_a_header) {
  scratch_directory const scratch;
  for (std::string const& header :
       {std::string("{'descr': 'f8', 'fortran_order': False, 'shape': (2,)}"),
        std::string("{'descr': '=f8', 'shape': (2,), 'fortran_order': True}  \n"),
        "  { \"shape\" :\t( 2L , ) ,\n \"fortran_order\":False,\"descr\": u'" + native +
            "f8' , } \n",
        "{u'descr': b'" + native + "f8', 'fortran_order': False, 'shape': (+2,)}"}) {
    write_file(scratch / "a.npy", npy_file(header, bytes_of<double>({1, 2})));
    if (header.find('+') != std::string::npos) {
      expect_in("expected a value at byte", load_error<double, 1>(scratch / "a.npy"));
      continue;
    }
    EXPECT_EQ(kp::item(kp::io::load_npy<double, 1>(scratch / "a.npy"), 1), 2) << header;
  }
}

TEST(load_npy, takes_any_byte_that_is_not_zero_for_true) {
  scratch_directory const scratch;
  write_file(scratch / "a.npy",
             npy_file(dict("'|b1'", "False", "(4,)"), std::string("\x00\x01\x02\xff", 4)));
  auto const a = kp::to_host(kp::io::load_npy<bool, 1>(scratch / "a.npy"));
  EXPECT_FALSE(a(0));
  for (int i = 1; i < 4; ++i) {
    unsigned char byte = 0;
    std::memcpy(&byte, &a(i), 1);
    EXPECT_EQ(byte, 1);
  }
}

TEST(load_npy, refuses_another_element_type_by_both_names) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  write_file(path,
             npy_file(dict("'" + native + "f8'", "False", "(2,)"), bytes_of<double>({1.5, -300})));
  EXPECT_EQ(
      (load_error<float, 1>(path)),
      "karpos::io::load_npy: '" + path +
          "' holds float64, not float32: load it as what it holds, or with {.convert = true}");
  expect_in("holds float64, not int64", load_error<std::int64_t, 1>(path));
  expect_in("holds float64, not bfloat16", load_error<kp::bfloat16, 1>(path));
}

TEST(load_npy, refuses_what_is_no_plain_number_by_name) {
  scratch_directory const scratch;
  struct {
    char const* descr;
    char const* expected;
  } const cases[] = {{"[('a', '<f8'), ('b', '<i4', (2, 2))]", "holds a structured array"},
                     {"'|O'", "an object array (pickled Python objects), descr '|O'"},
                     {"'<U5'", "strings, descr '<U5'"},
                     {"'|S3'", "strings"},
                     {"'<M8[s]'", "dates"},
                     {"'<m8[s]'", "time differences"},
                     {"'|V2'", "raw bytes (void)"},
                     {"'<f16'", "an element type that Karpos does not have, descr '<f16'"},
                     {"'<c32'", "does not have"},
                     {"'<f'", "does not have"},
                     {"''", "does not have"},
                     {"'<'", "does not have"}};
  for (auto const& [descr, expected] : cases) {
    write_file(scratch / "a.npy", npy_file(dict(descr, "False", "(1,)"), std::string(16, 'x')));
    expect_in(expected, load_error<double, 1>(scratch / "a.npy"));
    EXPECT_THROW(static_cast<void>(kp::io::load_npy_info(scratch / "a.npy")), kp::io_error)
        << descr;
  }
}

TEST(load_npy, converts_when_asked) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  kp::io::npy_options const convert{.convert = true};
  write_file(path, npy_file(dict("'" + foreign + "f8'", "True", "(2, 2)"),
                            bytes_of<double>({1.75, -300, 1e30, 0}, true)));
  auto const i1 = kp::to_host(kp::io::load_npy<std::int8_t, 2>(path, convert));
  EXPECT_EQ(+i1(0, 0), 1);
  EXPECT_EQ(+i1(1, 0), -128);  // saturates, as cast
  EXPECT_EQ(+i1(0, 1), 127);
  EXPECT_EQ(+i1(1, 1), 0);
  EXPECT_EQ(kp::item(kp::io::load_npy<float, 2>(path, convert), 0, 1), 1e30f);
  EXPECT_EQ(kp::item(kp::io::load_npy<c64, 2>(path, convert), 0, 0), c64(1.75f, 0));
  EXPECT_EQ(float(kp::item(kp::io::load_npy<kp::bfloat16, 2>(path, convert), 0, 0)), 1.75f);
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path, convert), 1, 0), -300);
  write_file(path,
             npy_file(dict("'" + native + "c16'", "False", "(1,)"), bytes_of<double>({0, 2})));
  expect_in("holds complex128: converting to float64 would lose the imaginary part",
            load_error<double, 1>(path, convert));
  EXPECT_EQ(kp::item(kp::io::load_npy<bool, 1>(path, convert), 0), true);
}

TEST(load_npy, refuses_another_rank_by_both_ranks) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  write_file(path, npy_file(dict("'|i1'", "False", "(2, 1)"), "ab"));
  EXPECT_EQ((load_error<std::int8_t, 3>(path)),
            "karpos::io::load_npy: '" + path +
                "' holds an array of rank 2, shape (2, 1), not of rank 3");
  write_file(path, npy_file(dict("'|i1'", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"), "a"));
  EXPECT_EQ(kp::io::load_npy_info(path).rank(), 10);
  expect_in("of rank 10", load_error<std::int8_t, 8>(path));
}

TEST(load_npy, refuses_truncated_and_oversized_files_with_both_sizes) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  std::string const header = dict("'" + native + "f8'", "False", "(4, 4)");
  write_file(path, npy_file(header, std::string(64, '\0')));
  EXPECT_EQ((load_error<double, 2>(path)),
            "karpos::io::load_npy: '" + path +
                "' is truncated: shape (4, 4) of float64 takes 128 bytes, found 64");
  write_file(path, npy_file(header, std::string(129, '\0')));
  expect_in("is longer than its header says: shape (4, 4) of float64 takes 128 bytes, found 129",
            load_error<double, 2>(path));
  write_file(path, npy_file(dict("'" + native + "f8'", "False", "(0, 4)"), "x"));
  expect_in("takes 0 bytes, found 1", load_error<double, 2>(path));
  write_file(path, npy_file(dict("'" + native + "f8'", "False", "(1000000000000, 4)"), "x"));
  expect_in("takes 32000000000000 bytes, found 1", load_error<double, 2>(path));
}

TEST(load_npy, refuses_hostile_headers) {
  scratch_directory const scratch;
  std::string const deep(100000, '(');
  struct {
    std::string bytes;
    char const* expected;
  } const cases[] = {
      {"", "is not a .npy file: it has 0 bytes"},
      {"PK\x03\x04 a zip file", "does not begin with"},
      {npy_file("{}", "", 4), "version 4.0 of the .npy format is unknown"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{}", 12),
       "is truncated: its header takes 65535 bytes, found 2"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14),
       "is truncated: its header takes 4294967295 bytes, found 2"},
      {npy_file(std::string(2 << 20, ' '), "", 2), "a header of 2097152 bytes"},
      {npy_file("", ""), "expected a value at byte 0 of 0"},
      {npy_file("(1, 2)", ""), "it is not a dict"},
      {npy_file("None", ""), "it is not a dict"},
      {npy_file("{}", ""), "no 'descr'"},
      {npy_file("{'descr': '<f8', 'fortran_order': False}", ""), "no 'shape'"},
      {npy_file("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False}", ""),
       "'descr' is there twice"},
      {npy_file("{'descr': '<f8', 'order': False, 'shape': ()}", ""), "unknown key 'order'"},
      {npy_file("{1: 2}", ""), "unknown key"},
      {npy_file("{'descr': '<f8'", ""), "expected ',' or '}'"},
      {npy_file("{'descr' '<f8'}", ""), "expected ':'"},
      {npy_file("{'descr': '<f8}", ""), "expected a closing '"},
      {npy_file("{, }", ""), "expected a value"},
      {npy_file("{'descr': }", ""), "expected a value"},
      {npy_file(dict("'<f8'", "False", "()") + "x", std::string(8, 0)), "expected nothing more"},
      {npy_file(dict("'<f8'", "0", "()"), std::string(8, 0)), "neither True nor False"},
      {npy_file(dict("'<f8'", "false", "()"), std::string(8, 0)), "expected True, False, None"},
      {npy_file(dict("8", "False", "()"), ""), "'descr' is not a string"},
      {npy_file(dict("'<f8'", "False", "3"), ""), "'shape' is not a tuple"},
      {npy_file(dict("'<f8'", "False", "(3)"), std::string(24, 0)), "'shape' is not a tuple"},
      {npy_file(dict("'<f8'", "False", "[3]"), std::string(24, 0)), "'shape' is not a tuple"},
      {npy_file(dict("'<f8'", "False", "(3.0,)"), ""), "expected ',' or ')'"},
      {npy_file(dict("'<f8'", "False", "('3',)"), ""), "something else than integers"},
      {npy_file(dict("'<f8'", "False", "(True,)"), std::string(8, 0)),
       "something else than integers"},
      {npy_file(dict("'<f8'", "False", "(-1, -1)"), std::string(8, 0)), "negative extent -1"},
      {npy_file(dict("'<f8'", "False", "(--1,)"), ""), "expected a digit"},
      {npy_file(dict("'<f8'", "False", "(9223372036854775807, 2)"), ""), "overflows 64 bits"},
      {npy_file(dict("'<f8'", "False", "(1152921504606846976,)"), ""), "overflows 64 bits"},
      {npy_file(dict("'<f8'", "False", "(4611686018427387904, 4, 0)"), ""), "overflows 64 bits"},
      {npy_file(dict("'<f8'", "False", "(9223372036854775808,)"), ""), "an integer of 64 bits"},
      {npy_file(dict("'<f8'", "False", "(99999999999999999999999999,)"), ""),
       "an integer of 64 bits"},
      {npy_file(dict("'<f8'", "False", deep), "", 2), "levels of nesting"},
      {npy_file(dict("'<f8" + std::string(1, '\0') + "'", "False", "()"), std::string(8, 0)),
       "does not have"},
  };
  for (auto const& [bytes, expected] : cases) {
    write_file(scratch / "a.npy", bytes);
    expect_in(expected, load_error<double, 1>(scratch / "a.npy"));
  }
}

/// Loads or throws io_error; anything else fails the test (or the sanitizer).
template <class T, int Rank>
bool loads(std::string const& path) {
  try {
    auto const loaded = kp::io::load_npy<T, Rank>(path);
    return loaded.size() >= 0;
  } catch (kp::io_error const&) {
    return false;
  }
}

std::string valid_file() {
  return npy_file(dict("'<f8'", "True", "(3, 2)") + std::string(8, ' ') + "\n",
                  bytes_of<double>({1, 2, 3, 4, 5, 6}));
}

TEST(load_npy, refuses_every_prefix_of_a_file) {
  scratch_directory const scratch;
  std::string const whole = valid_file();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(scratch / "a.npy", whole.substr(0, length));
    EXPECT_FALSE((loads<double, 2>(scratch / "a.npy"))) << length << " bytes";
  }
  write_file(scratch / "a.npy", whole);
  EXPECT_TRUE((loads<double, 2>(scratch / "a.npy")));
}

void put_byte(std::fstream& file, std::size_t at, char byte) {
  file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
}

TEST(load_npy, survives_changed_bytes) {
  scratch_directory const scratch;
  std::string const whole = valid_file(), path = scratch / "a.npy";
  write_file(path, whole);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  std::mt19937 random(20240601);
  std::string const likely = "'\"(){}[],:-0123456789<>|TrueFalseNonebfiucOVSUL\\ \n\x7f\xff";
  int loaded = 0;
  for (int round = 0; round < 5000; ++round) {
    std::size_t const at = random() % (whole.size() - 48);  // the header and what stands before it
    put_byte(file, at,
             random() % 2 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()]);
    loaded += loads<double, 2>(path) ? 1 : 0;
    put_byte(file, at, whole[at]);
  }
  EXPECT_GT(loaded, 0);     // a change within the padding
  EXPECT_LT(loaded, 2500);  // most changes are noticed
}

TEST(load_npy, names_files_that_cannot_be_opened) {
  scratch_directory const scratch;
  EXPECT_EQ((load_error<double, 1>(scratch / "none.npy")),
            "karpos::io::load_npy: '" + (scratch / "none.npy") +
                "': cannot open: No such file or directory");
  expect_in("is not a regular file", load_error<double, 1>(scratch.path()));
  expect_in("is not a regular file", load_error<double, 1>("/dev/zero"));
  std::string const cut("a.npy\0b.npy", 11);
  EXPECT_EQ((load_error<double, 1>(cut)),
            "karpos::io::load_npy: 'a.npy'...: the path has a NUL character");
  expect_in("karpos::io::load_npy_info: '",
            error_of([&] { static_cast<void>(kp::io::load_npy_info(scratch / "none.npy")); }));
}

TEST(load_npy, reads_files_longer_than_its_buffers) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  kp::index_t const n = 100003;
  std::vector<double> values;
  for (kp::index_t i = 0; i < n; ++i)
    values.push_back(nth_value<double>(i));
  write_file(path,
             npy_file(dict("'" + foreign + "f8'", "False", "(100003,)"), bytes_of(values, true)));
  expect_elements<double>(kp::to_host(kp::io::load_npy<double, 1>(path)), kp::extents<1>{{n}},
                          "swapped");
  auto const floats = kp::to_host(kp::io::load_npy<float, 1>(path, {.convert = true}));
  for (kp::index_t i = 0; i < n; ++i)
    ASSERT_EQ(floats(i), nth_value<float>(i));
}

TEST(load_npy, reads_into_every_space) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  write_file(path, npy_file(dict("'" + native + "i4'", "True", "(2, 2)"),
                            bytes_of<std::int32_t>({1, 2, 3, 4})));
  auto const placed = kp::io::load_npy<std::int32_t, 2, Kokkos::HostSpace>(path);
  EXPECT_EQ(placed(0, 1), 3);
  auto const on_default = kp::io::load_npy<std::int32_t, 2, kp::default_space>(path);
  EXPECT_EQ(kp::item(on_default, 1, 0), 2);
}

// What devices use, with pieces so small that there are several.
TEST(load_npy, reads_and_writes_in_pieces) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  kp::index_t const n = 1003;
  tensor_of_ints const a = kp::arange(n);
  {
    kp::io::detail::output_file file("save_npy", path);
    file.write("0123456789", 10);
    kp::io::detail::write_staged(file, kp::expr::as_node(a), 100);
    file.commit();
  }
  kp::io::detail::input_file file("load_npy", path);
  char start[10];
  file.read(start, sizeof start);
  kp::io::npy_header header;
  header.dtype = "int64";
  header.itemsize = 8;
  header.byte_order = native[0];
  kp::io::detail::element_reader<kp::index_t> reader(file, header, false);
  tensor_of_ints b(n);
  kp::io::detail::read_staged(reader, b.view(), 300);
  auto const loaded = kp::to_host(b);
  for (kp::index_t i = 0; i < n; ++i)
    ASSERT_EQ(loaded(i), i);
}

// -- what is written

TEST(save_npy, writes_the_bytes_that_numpy_writes) {
  scratch_directory const scratch;
  kp::io::save_npy(scratch / "a.npy", kp::tensor<float, 2, host>{{1, 2, 3}, {4, 5, 6}});
  std::string expected =
      npy_file("{'descr': '" + native + "f4', 'fortran_order': False, 'shape': (2, 3), }" +
                   std::string(58, ' ') + "\n",
               bytes_of<float>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_file(scratch / "a.npy"), expected);
  EXPECT_EQ(expected.size(), 128u + 24u);
  // A header that just fills its 64 bytes gets 64 more, and one beyond 64 KiB takes version 2.0.
  for (std::size_t rank = 0; rank < 40; ++rank)
    EXPECT_EQ(kp::io::detail::npy_preamble("<f8", std::vector<kp::index_t>(rank, 1)).size() % 64,
              0u)
        << rank;
  std::string const long_preamble =
      kp::io::detail::npy_preamble("<f8", std::vector<kp::index_t>(30000, 1));
  EXPECT_EQ(long_preamble[6], 2);
  EXPECT_EQ(long_preamble.size() % 64, 0u);
}

TEST(save_npy, takes_views_expressions_and_kokkos_views) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  kp::tensor<double, 2> const a = kp::reshape(kp::arange(6.0), 2, 3);
  kp::io::save_npy(path, kp::transpose(a));
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path), 2, 1), 5);
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path), 1, 0), 1);
  kp::io::save_npy(path, a(kp::all, kp::range(kp::none, kp::none, -2)));
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path), 1, 0), 5);
  kp::io::save_npy(path, a * 2.0 + 1.0);
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path), 1, 2), 11);
  kp::io::save_npy(path, kp::full({2, 2}, 7));
  EXPECT_EQ(kp::io::load_npy_info(path).size(), 4);
  Kokkos::View<double**, Kokkos::LayoutLeft> left("left", 2, 3);
  kp::assign(left, a);
  kp::io::save_npy(path, left);
  EXPECT_EQ(kp::item(kp::io::load_npy<double, 2>(path), 1, 0), 3);
  kp::io::save_npy(path, kp::cast<float>(kp::tensor<kp::bfloat16, 1>{kp::bfloat16(2.0f)}));
  EXPECT_EQ(kp::io::load_npy_info(path).dtype, "float32");
}

TEST(save_npy, takes_empty_and_moved_from_tensors) {
  scratch_directory const scratch;
  kp::tensor<float, 2> a(2, 2);
  kp::tensor<float, 2> const taken = std::move(a);
  kp::io::save_npy(scratch / "a.npy", a);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(kp::io::load_npy_info(scratch / "a.npy").shape, (std::vector<kp::index_t>{0, 0}));
  EXPECT_THROW(kp::io::save_npy(scratch / "a.npy", kp::tensor<float, 0>()), kp::memory_error);
  EXPECT_EQ(scratch.files(), 1u);
}

/// Files may not grow beyond so many bytes while it lives: a disk that is full, without filling
/// one.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit const limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  file_size_limit(file_size_limit const&) = delete;
  file_size_limit& operator=(file_size_limit const&) = delete;
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  void (*old_handler_)(int);
  rlimit old_{};
};

TEST(save_npy, leaves_the_old_file_whole_when_it_fails) {
  scratch_directory const scratch;
  std::string const path = scratch / "a.npy";
  kp::io::save_npy(path, kp::full({4}, 1.0));
  std::string const old = read_file(path), before = "karpos::io::save_npy: '" + path + "': ";
  {
    file_size_limit const full_disk(4096);
    EXPECT_EQ(save_error(path, kp::zeros<double>(10000)), before + "cannot write: File too large");
  }
  EXPECT_EQ(read_file(path), old);
  EXPECT_EQ(scratch.files(), 1u);
  kp::io::save_npy(path, kp::zeros<double>(10000));
  EXPECT_EQ(read_file(path).size(), 128 + 80000u);
}

TEST(save_npy, names_places_that_cannot_be_written) {
  scratch_directory const scratch;
  auto const a = kp::full({2}, 1.0);
  EXPECT_EQ(save_error(scratch / "none/a.npy", a),
            "karpos::io::save_npy: '" + (scratch / "none/a.npy") +
                "': cannot write: No such file or directory");
  expect_in("exists and is not a regular file", save_error(scratch.path(), a));
  expect_in("exists and is not a regular file", save_error("/dev/null", a));
  write_file(scratch / "kept.npy", "old");
  EXPECT_EQ(save_error((scratch / "kept.npy") + std::string("\0.npy", 5), a),
            "karpos::io::save_npy: '" + (scratch / "kept.npy") +
                "'...: the path has a NUL character");
  EXPECT_EQ(read_file(scratch / "kept.npy"), "old");
  if (::geteuid() == 0)
    return;  // root may write everything below
  ::chmod((scratch / "kept.npy").c_str(), 0444);
  expect_in("cannot write: Permission denied", save_error(scratch / "kept.npy", a));
  ::chmod(scratch.path().c_str(), 0555);
  expect_in("cannot write: Permission denied", save_error(scratch / "new.npy", a));
  ::chmod(scratch.path().c_str(), 0755);
}

TEST(save_npy, keeps_links_and_permissions) {
  scratch_directory const scratch;
  write_file(scratch / "real.npy", "old");
  ::chmod((scratch / "real.npy").c_str(), 0640);
  std::filesystem::create_symlink("real.npy", scratch / "link.npy");
  kp::io::save_npy(scratch / "link.npy", kp::full({2}, 1.0));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link.npy"));
  EXPECT_EQ(kp::io::load_npy_info(scratch / "real.npy").size(), 2);
  struct stat status{};
  ASSERT_EQ(::stat((scratch / "real.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(scratch.files(), 2u);
}

TEST(save_npy, follows_links_to_files_that_are_not_there_yet) {
  scratch_directory const scratch;
  std::filesystem::create_symlink("second.npy", scratch / "first.npy");
  std::filesystem::create_symlink(scratch / "new.npy", scratch / "second.npy");
  kp::io::save_npy(scratch / "first.npy", kp::full({2}, 1.0));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "first.npy"));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "second.npy"));
  EXPECT_EQ(kp::io::load_npy_info(scratch / "new.npy").size(), 2);
  EXPECT_EQ(scratch.files(), 3u);
}

}  // namespace
