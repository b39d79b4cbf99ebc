// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printed arrays against NumPy's str(): texts written down here, the same computed by the NumPy of
// this machine (where there is one), and random arrays.
#include <karpos/io/npy.hpp>
#include <karpos/ops/create.hpp>
#include <karpos/ops/math.hpp>
#include <karpos/ops/operators.hpp>
#include <karpos/ops/print.hpp>
#include <karpos/ops/reduce.hpp>
#include <karpos/ops/reshape.hpp>
#include <karpos/ops/select.hpp>
#include <karpos/ops/shape.hpp>
#include <karpos/ops/transfer.hpp>

#include <gtest/gtest.h>
#include <io/numpy.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace kp = karpos;
using namespace karpos_test;
using kp::tensor;
using h = kp::half;
using c64 = Kokkos::complex<float>;
using c128 = Kokkos::complex<double>;

double const nan = std::numeric_limits<double>::quiet_NaN();
double const inf = std::numeric_limits<double>::infinity();

/// What Karpos printed, how Python makes the same array, what NumPy 2.2.4 prints.
struct printed {
  std::string text;
  char const* python;
  char const* expected;
};

std::vector<printed> plain_floats() {
  return {
      {kp::to_string(tensor<double, 1>{1, 2, 3}), "np.array([1., 2, 3])", "[1. 2. 3.]"},
      {kp::to_string(tensor<double, 2>{{1, 2}, {3, 4}}), "np.array([[1., 2], [3, 4]])",
       "[[1. 2.]\n"
       " [3. 4.]]"},
      {kp::to_string(tensor<double, 1>{0.1, 0.25, 1.0 / 3}), "np.array([0.1, 0.25, 1 / 3])",
       "[0.1        0.25       0.33333333]"},
      {kp::to_string(tensor<double, 1>{0.1 + 0.2}), "np.array([0.1 + 0.2])", "[0.3]"},
      {kp::to_string(tensor<double, 1>{123456.789, 1234.5}), "np.array([123456.789, 1234.5])",
       "[123456.789   1234.5  ]"},
      {kp::to_string(tensor<double, 1>{99999999.5}), "np.array([99999999.5])", "[99999999.5]"},
      {kp::to_string(tensor<double, 1>{0, -0.0, 1}), "np.array([0, -0.0, 1])", "[ 0. -0.  1.]"},
      {kp::to_string(tensor<double, 1>{-0.0}), "np.array([-0.0])", "[-0.]"},
      {kp::to_string(tensor<double, 1>{0.0001, 0.1}), "np.array([0.0001, 0.1])", "[0.0001 0.1   ]"},
      {kp::to_string(tensor<double, 1>{1000, 1}), "np.array([1000., 1])", "[1000.    1.]"},
      {kp::to_string(tensor<float, 1>{0.1f, 1.0f / 3}), "np.array([0.1, 1 / 3], np.float32)",
       "[0.1        0.33333334]"},
      {kp::to_string(tensor<float, 1>{33554432}), "np.array([33554432], np.float32)",
       "[33554432.]"},
  };
}

std::vector<printed> scientific_floats() {
  return {
      {kp::to_string(tensor<double, 1>{1e8}), "np.array([1e8])", "[1.e+08]"},
      {kp::to_string(tensor<double, 1>{0.00009, 0.1}), "np.array([0.00009, 0.1])",
       "[9.e-05 1.e-01]"},
      {kp::to_string(tensor<double, 1>{1001, 1}), "np.array([1001., 1])", "[1.001e+03 1.000e+00]"},
      {kp::to_string(tensor<double, 1>{1e-300, -1e300, 0}), "np.array([1e-300, -1e300, 0])",
       "[ 1.e-300 -1.e+300  0.e+000]"},
      {kp::to_string(tensor<double, 1>{5e-324, 1.7976931348623157e308}),
       "np.array([5e-324, 1.7976931348623157e308])", "[4.94065646e-324 1.79769313e+308]"},
      {kp::to_string(tensor<double, 1>{0.1, 1.23456789012345e-10}),
       "np.array([0.1, 1.23456789012345e-10])", "[1.00000000e-01 1.23456789e-10]"},
      {kp::to_string(tensor<double, 1>{999999999.9, 1}), "np.array([999999999.9, 1])",
       "[1.e+09 1.e+00]"},
      {kp::to_string(tensor<float, 1>{0.1f, 1.6777216e-7f, 123456789.0f}),
       "np.array([0.1, 1.6777216e-7, 123456789], np.float32)",
       "[1.0000000e-01 1.6777216e-07 1.2345679e+08]"},
  };
}

std::vector<printed> special_floats() {
  return {
      {kp::to_string(tensor<double, 1>{nan, inf, -inf}), "np.array([nan, inf, -inf])",
       "[ nan  inf -inf]"},
      {kp::to_string(tensor<double, 1>{nan, 1.5}), "np.array([nan, 1.5])", "[nan 1.5]"},
      {kp::to_string(tensor<double, 1>{-inf, 1}), "np.array([-inf, 1])", "[-inf   1.]"},
      {kp::to_string(tensor<double, 1>{nan}), "np.array([nan])", "[nan]"},
      {kp::to_string(tensor<double, 1>{inf, 1e10, -2.5e9}), "np.array([inf, 1e10, -2.5e9])",
       "[     inf  1.0e+10 -2.5e+09]"},
  };
}

std::vector<printed> narrow_floats() {
  return {
      {kp::to_string(tensor<kp::half, 1>{h(0.1f), h(1.5f), h(-100.25f)}),
       "np.array([0.1, 1.5, -100.25], np.float16)", "[ 9.9976e-02  1.5000e+00 -1.0025e+02]"},
      {kp::to_string(tensor<kp::half, 1>{h(0.1f), h(6.1e-5f)}),
       "np.array([0.1, 6.1e-5], np.float16)", "[1.0e-01 6.1e-05]"},
      {kp::to_string(tensor<kp::half, 1>{h(0.015625f)}), "np.array([0.015625], np.float16)",
       "[0.01563]"},
      {kp::to_string(tensor<kp::half, 1>{h(65504), h(1000)}), "np.array([65504, 1000], np.float16)",
       "[65504.  1000.]"},
  };
}

std::vector<printed> integers_and_bools() {
  return {
      {kp::to_string(tensor<int, 1>{1, -20, 300}), "np.array([1, -20, 300])", "[  1 -20 300]"},
      {kp::to_string(tensor<std::int8_t, 2>{{-128, 127}, {0, 5}}),
       "np.array([[-128, 127], [0, 5]], np.int8)",
       "[[-128  127]\n"
       " [   0    5]]"},
      {kp::to_string(tensor<std::uint8_t, 1>{0, 200}), "np.array([0, 200], np.uint8)", "[  0 200]"},
      {kp::to_string(tensor<std::uint64_t, 1>{18446744073709551615u, 0}),
       "np.array([18446744073709551615, 0], np.uint64)",
       "[18446744073709551615                    0]"},
      {kp::to_string(tensor<std::int64_t, 1>{std::numeric_limits<std::int64_t>::min()}),
       "np.array([-2**63])", "[-9223372036854775808]"},
      {kp::to_string(tensor<bool, 1>{true, false}), "np.array([True, False])", "[ True False]"},
      {kp::to_string(tensor<bool, 2>{{true, true}, {false, true}}),
       "np.array([[True, True], [False, True]])",
       "[[ True  True]\n"
       " [False  True]]"},
  };
}

std::vector<printed> complex_numbers() {
  return {
      {kp::to_string(tensor<c128, 1>{c128(1, 2), c128(3, -4.5)}), "np.array([1 + 2j, 3 - 4.5j])",
       "[1.+2.j  3.-4.5j]"},
      {kp::to_string(tensor<c128, 1>{c128(1, 2), c128(1e10, 0)}), "np.array([1 + 2j, 1e10])",
       "[1.e+00+2.j 1.e+10+0.j]"},
      {kp::to_string(tensor<c128, 1>{c128(nan, inf), c128(1, -inf)}),
       "np.array([complex(nan, inf), complex(1, -inf)])", "[nan+infj  1.-infj]"},
      {kp::to_string(tensor<c128, 1>{c128(-0.0, -0.0), c128(1, 0.25)}),
       "np.array([complex(-0.0, -0.0), 1 + 0.25j])", "[-0.-0.j    1.+0.25j]"},
      {kp::to_string(tensor<c64, 1>{c64(0.1f, 100), c64(-3, 0.125f)}),
       "np.array([0.1 + 100j, -3 + 0.125j], np.complex64)", "[ 0.1+100.j    -3.   +0.125j]"},
  };
}

std::vector<printed> zero_axes() {
  return {
      {kp::to_string(tensor<double, 0>(1.0 / 3)), "np.array(1 / 3)", "0.3333333333333333"},
      {kp::to_string(tensor<double, 0>(1.0)), "np.array(1.0)", "1.0"},
      {kp::to_string(tensor<double, 0>(1e16)), "np.array(1e16)", "1e+16"},
      {kp::to_string(tensor<double, 0>(123456789012345.0)), "np.array(123456789012345.0)",
       "123456789012345.0"},
      {kp::to_string(tensor<double, 0>(0.00001234)), "np.array(0.00001234)", "1.234e-05"},
      {kp::to_string(tensor<double, 0>(-0.0)), "np.array(-0.0)", "-0.0"},
      {kp::to_string(tensor<double, 0>(-inf)), "np.array(-inf)", "-inf"},
      {kp::to_string(tensor<float, 0>(0.1f)), "np.array(0.1, np.float32)", "0.1"},
      {kp::to_string(tensor<kp::half, 0>(h(0.1f))), "np.array(0.1, np.float16)", "0.1"},
      {kp::to_string(tensor<int, 0>(-5)), "np.array(-5)", "-5"},
      {kp::to_string(tensor<bool, 0>(true)), "np.array(True)", "True"},
      {kp::to_string(tensor<c128, 0>(c128(1, 2.5))), "np.array(1 + 2.5j)", "(1+2.5j)"},
      {kp::to_string(tensor<c128, 0>(c128(0, 2))), "np.array(2j)", "2j"},
      {kp::to_string(tensor<c128, 0>(c128(-0.0, nan))), "np.array(complex(-0.0, nan))",
       "(-0+nanj)"},
  };
}

std::vector<printed> shapes() {
  return {
      {kp::to_string(tensor<double, 1>(0)), "np.zeros(0)", "[]"},
      {kp::to_string(tensor<double, 2>(0, 3)), "np.zeros((0, 3))", "[]"},
      {kp::to_string(tensor<double, 2>(2, 0)), "np.zeros((2, 0))", "[]"},
      {kp::to_string(tensor<int, 3>(1, 1, 1)), "np.zeros((1, 1, 1), int)", "[[[0]]]"},
      {kp::to_string(kp::reshape(kp::arange(24), 2, 3, 4)), "np.arange(24).reshape(2, 3, 4)",
       "[[[ 0  1  2  3]\n"
       "  [ 4  5  6  7]\n"
       "  [ 8  9 10 11]]\n"
       "\n"
       " [[12 13 14 15]\n"
       "  [16 17 18 19]\n"
       "  [20 21 22 23]]]"},
      {kp::to_string(kp::reshape(kp::arange(16.0), 2, 2, 2, 2)),
       "np.arange(16.0).reshape(2, 2, 2, 2)",
       "[[[[ 0.  1.]\n"
       "   [ 2.  3.]]\n"
       "\n"
       "  [[ 4.  5.]\n"
       "   [ 6.  7.]]]\n"
       "\n"
       "\n"
       " [[[ 8.  9.]\n"
       "   [10. 11.]]\n"
       "\n"
       "  [[12. 13.]\n"
       "   [14. 15.]]]]"},
      {kp::to_string(kp::arange(40) * 1.5), "np.arange(40) * 1.5",
       "[ 0.   1.5  3.   4.5  6.   7.5  9.  10.5 12.  13.5 15.  16.5 18.  19.5\n"
       " 21.  22.5 24.  25.5 27.  28.5 30.  31.5 33.  34.5 36.  37.5 39.  40.5\n"
       " 42.  43.5 45.  46.5 48.  49.5 51.  52.5 54.  55.5 57.  58.5]"},
      {kp::to_string(kp::reshape(kp::arange(60) * 12345, 2, 30)),
       "(np.arange(60) * 12345).reshape(2, 30)",
       "[[     0  12345  24690  37035  49380  61725  74070  86415  98760 111105\n"
       "  123450 135795 148140 160485 172830 185175 197520 209865 222210 234555\n"
       "  246900 259245 271590 283935 296280 308625 320970 333315 345660 358005]\n"
       " [370350 382695 395040 407385 419730 432075 444420 456765 469110 481455\n"
       "  493800 506145 518490 530835 543180 555525 567870 580215 592560 604905\n"
       "  617250 629595 641940 654285 666630 678975 691320 703665 716010 728355]]"},
      {kp::to_string(kp::reshape(kp::cast<c128>(kp::arange(8.0)), 1, 8)),
       "np.arange(8.0).astype(complex).reshape(1, 8)",
       "[[0.+0.j 1.+0.j 2.+0.j 3.+0.j 4.+0.j 5.+0.j 6.+0.j 7.+0.j]]"},
  };
}

std::vector<printed> summaries() {
  return {
      {kp::to_string(kp::arange(1001)), "np.arange(1001)", "[   0    1    2 ...  998  999 1000]"},
      {kp::to_string(kp::arange(1001.0)), "np.arange(1001.0)",
       "[   0.    1.    2. ...  998.  999. 1000.]"},
      {kp::to_string(kp::reshape(kp::arange(1200), 40, 30)), "np.arange(1200).reshape(40, 30)",
       "[[   0    1    2 ...   27   28   29]\n"
       " [  30   31   32 ...   57   58   59]\n"
       " [  60   61   62 ...   87   88   89]\n"
       " ...\n"
       " [1110 1111 1112 ... 1137 1138 1139]\n"
       " [1140 1141 1142 ... 1167 1168 1169]\n"
       " [1170 1171 1172 ... 1197 1198 1199]]"},
      {kp::to_string(kp::reshape(kp::arange(3000.0), 2, 3, 500)),
       "np.arange(3000.0).reshape(2, 3, 500)",
       "[[[0.000e+00 1.000e+00 2.000e+00 ... 4.970e+02 4.980e+02 4.990e+02]\n"
       "  [5.000e+02 5.010e+02 5.020e+02 ... 9.970e+02 9.980e+02 9.990e+02]\n"
       "  [1.000e+03 1.001e+03 1.002e+03 ... 1.497e+03 1.498e+03 1.499e+03]]\n"
       "\n"
       " [[1.500e+03 1.501e+03 1.502e+03 ... 1.997e+03 1.998e+03 1.999e+03]\n"
       "  [2.000e+03 2.001e+03 2.002e+03 ... 2.497e+03 2.498e+03 2.499e+03]\n"
       "  [2.500e+03 2.501e+03 2.502e+03 ... 2.997e+03 2.998e+03 2.999e+03]]]"},
      {kp::to_string(kp::reshape(kp::arange(1001), 1001, 1)), "np.arange(1001).reshape(1001, 1)",
       "[[   0]\n"
       " [   1]\n"
       " [   2]\n"
       " ...\n"
       " [ 998]\n"
       " [ 999]\n"
       " [1000]]"},
      {kp::to_string(kp::reshape(kp::arange(1029), 7, 7, 21)), "np.arange(1029).reshape(7, 7, 21)",
       "[[[   0    1    2 ...   18   19   20]\n"
       "  [  21   22   23 ...   39   40   41]\n"
       "  [  42   43   44 ...   60   61   62]\n"
       "  ...\n"
       "  [  84   85   86 ...  102  103  104]\n"
       "  [ 105  106  107 ...  123  124  125]\n"
       "  [ 126  127  128 ...  144  145  146]]\n"
       "\n"
       " [[ 147  148  149 ...  165  166  167]\n"
       "  [ 168  169  170 ...  186  187  188]\n"
       "  [ 189  190  191 ...  207  208  209]\n"
       "  ...\n"
       "  [ 231  232  233 ...  249  250  251]\n"
       "  [ 252  253  254 ...  270  271  272]\n"
       "  [ 273  274  275 ...  291  292  293]]\n"
       "\n"
       " [[ 294  295  296 ...  312  313  314]\n"
       "  [ 315  316  317 ...  333  334  335]\n"
       "  [ 336  337  338 ...  354  355  356]\n"
       "  ...\n"
       "  [ 378  379  380 ...  396  397  398]\n"
       "  [ 399  400  401 ...  417  418  419]\n"
       "  [ 420  421  422 ...  438  439  440]]\n"
       "\n"
       " ...\n"
       "\n"
       " [[ 588  589  590 ...  606  607  608]\n"
       "  [ 609  610  611 ...  627  628  629]\n"
       "  [ 630  631  632 ...  648  649  650]\n"
       "  ...\n"
       "  [ 672  673  674 ...  690  691  692]\n"
       "  [ 693  694  695 ...  711  712  713]\n"
       "  [ 714  715  716 ...  732  733  734]]\n"
       "\n"
       " [[ 735  736  737 ...  753  754  755]\n"
       "  [ 756  757  758 ...  774  775  776]\n"
       "  [ 777  778  779 ...  795  796  797]\n"
       "  ...\n"
       "  [ 819  820  821 ...  837  838  839]\n"
       "  [ 840  841  842 ...  858  859  860]\n"
       "  [ 861  862  863 ...  879  880  881]]\n"
       "\n"
       " [[ 882  883  884 ...  900  901  902]\n"
       "  [ 903  904  905 ...  921  922  923]\n"
       "  [ 924  925  926 ...  942  943  944]\n"
       "  ...\n"
       "  [ 966  967  968 ...  984  985  986]\n"
       "  [ 987  988  989 ... 1005 1006 1007]\n"
       "  [1008 1009 1010 ... 1026 1027 1028]]]"},
      {kp::to_string(kp::reshape(kp::arange(2000) % 3 == 0, 2, 1000)),
       "(np.arange(2000) % 3 == 0).reshape(2, 1000)",
       "[[ True False False ... False False  True]\n"
       " [False False  True ... False  True False]]"},
  };
}

std::vector<printed> views_and_expressions() {
  kp::tensor<double, 2> const a = kp::reshape(kp::arange(6.0), 2, 3);
  return {
      {kp::to_string(kp::transpose(a)), "a.T",
       "[[0. 3.]\n"
       " [1. 4.]\n"
       " [2. 5.]]"},
      {kp::to_string(kp::flip(a, 0)), "a[::-1]",
       "[[3. 4. 5.]\n"
       " [0. 1. 2.]]"},
      {kp::to_string(kp::view(a)(1, kp::range(kp::none, kp::none, -2))), "a[1, ::-2]", "[5. 3.]"},
      {kp::to_string(kp::transpose(a) * 0.5 - 1.0), "a.T * 0.5 - 1",
       "[[-1.   0.5]\n"
       " [-0.5  1. ]\n"
       " [ 0.   1.5]]"},
      {kp::to_string(kp::sqrt(a)), "np.sqrt(a)",
       "[[0.         1.         1.41421356]\n"
       " [1.73205081 2.         2.23606798]]"},
      {kp::to_string(kp::full({2, 2}, 0.1)), "np.full((2, 2), 0.1)",
       "[[0.1 0.1]\n"
       " [0.1 0.1]]"},
  };
}

std::vector<printed> everything() {
  std::vector<printed> result;
  for (auto const& rows : {plain_floats(), scientific_floats(), special_floats(), narrow_floats(),
                           integers_and_bools(), complex_numbers(), zero_axes(), shapes(),
                           summaries(), views_and_expressions()})
    result.insert(result.end(), rows.begin(), rows.end());
  return result;
}

TEST(to_string, writes_what_numpy_writes) {
  for (printed const& row : everything())
    EXPECT_EQ(row.text, row.expected) << row.python;
}

char const* const compare_expressions = R"(
import sys, numpy as np
from numpy import nan, inf
a = np.arange(6.0).reshape(2, 3)
wrong = 0
for row in open(sys.argv[1] + '/rows').read().split('\x1e')[:-1]:
    python, text = row.split('\x1f')
    if str(eval(python)) != text:
        wrong += 1
        print(f'{python}\n{eval(python)}\nprinted as\n{text}')
sys.exit(wrong != 0)
)";

TEST(to_string, agrees_with_the_numpy_of_this_machine) {
  if (!has_numpy_that_prints_alike())
    GTEST_SKIP() << "no python3 with a numpy up to 2.2";
  scratch_directory const scratch;
  std::string rows;
  for (printed const& row : everything())
    rows += std::string(row.python) + '\x1f' + row.text + '\x1e';
  write_file(scratch / "rows", rows);
  EXPECT_TRUE(python_succeeds(compare_expressions, scratch.path()));
}

// Numbers of random size and spread, some of them rounded to few digits, with a special one here
// and there.
template <class T>
tensor<T, 1, kp::host_space> random_array(std::mt19937& random) {
  auto const pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  tensor<T, 1, kp::host_space> a(1 + pick(12));
  int const size = pick(18) - 9, spread = pick(5);
  bool const round = pick(3) == 0;
  auto const number = [&] {
    double const x = std::normal_distribution<>()(random) * std::pow(10.0, size + pick(spread + 1));
    double const specials[] = {nan, inf, -inf, -0.0};
    return pick(25) == 0 ? specials[pick(4)] : round ? std::round(x * 100) / 100 : x;
  };
  for (kp::index_t i = 0; i < a.size(); ++i) {
    if constexpr (kp::complex_floating<T>)
      a(i) = T(kp::real_of_t<T>(number()), kp::real_of_t<T>(number()));
    else
      a(i) = T(number());
  }
  return a;
}

template <class T>
void write_random(scratch_directory const& scratch, std::mt19937& random, int count) {
  for (int i = 0; i < count; ++i) {
    std::string const name = std::string(kp::dtype_name<T>()) + std::to_string(i);
    auto const a = random_array<T>(random);
    kp::io::save_npy(scratch / (name + ".npy"), a);
    write_file(scratch / (name + ".txt"), kp::to_string(a));
    tensor<T, 0, kp::host_space> const lone(a(0));
    kp::io::save_npy(scratch / (name + "_0.npy"), lone);
    write_file(scratch / (name + "_0.txt"), kp::to_string(lone));
  }
}

char const* const compare_files = R"(
import glob, sys, numpy as np
wrong, names = 0, glob.glob(sys.argv[1] + '/*.npy')
for name in names:
    a, text = np.load(name), open(name[:-4] + '.txt').read()
    if str(a) != text:
        wrong += 1
        print(f'{a!r}\n{a}\nprinted as\n{text}')
sys.exit(wrong != 0 or not names)
)";

TEST(to_string, agrees_with_numpy_about_random_arrays) {
  if (!has_numpy_that_prints_alike())
    GTEST_SKIP() << "no python3 with a numpy up to 2.2";
  scratch_directory const scratch;
  std::mt19937 random(7);
  write_random<double>(scratch, random, 40);
  write_random<float>(scratch, random, 40);
  write_random<kp::half>(scratch, random, 40);
  write_random<c128>(scratch, random, 30);
  write_random<c64>(scratch, random, 30);
  EXPECT_TRUE(python_succeeds(compare_files, scratch.path()));
}

TEST(to_string, shows_the_digits_that_tell_bfloat16_numbers_apart) {
  using b = kp::bfloat16;
  EXPECT_EQ(kp::to_string(tensor<b, 1>{b(0.1f), b(3.14159f), b(-6)}), "[ 0.1   3.14 -6.  ]");
  EXPECT_EQ(kp::to_string(tensor<b, 0>(b(0.1f))), "0.1");
  EXPECT_EQ(kp::to_string(tensor<b, 1>{b(1e-30f), b(3e38f)}), "[1.e-30 3.e+38]");
}

TEST(to_string, prints_tensors_without_storage) {
  tensor<double, 2> a(2, 2);
  tensor<double, 2> const b = std::move(a);
  EXPECT_EQ(kp::to_string(a), "[]");  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(kp::to_string(b), "[[0. 0.]\n [0. 0.]]");
  EXPECT_EQ(kp::to_string(tensor<double, 0>()), "[]");
  EXPECT_EQ(kp::to_string(kp::tensor_view<int, 3>()), "[]");
  a = kp::full({3}, 1.0)(kp::newaxis, kp::all);
  EXPECT_EQ(kp::to_string(a), "[[1. 1. 1.]]");
}

// How the ends of a large array come from a device, against how the host reads them.
template <class T, int Rank>
void expect_same_ends(tensor<T, Rank, kp::host_space> const& a) {
  auto const shown = kp::ops::detail::shown_shape(a.shape());
  std::vector<T> direct(static_cast<std::size_t>(shown.size())), fetched(direct.size());
  kp::ops::detail::read_shown(a.view(), shown, direct.data());
  kp::ops::detail::fetch_shown(a.view(), shown, fetched.data());
  EXPECT_EQ(direct, fetched);
}

TEST(to_string, brings_only_the_ends_from_a_device) {
  expect_same_ends(kp::to_host(kp::eval(kp::arange(5))));
  expect_same_ends(kp::to_host(kp::eval(kp::arange(2000))));
  expect_same_ends(kp::to_host(kp::eval(kp::reshape(kp::arange(2000), 40, 50))));
  expect_same_ends(kp::to_host(kp::eval(kp::reshape(kp::arange(2000), 20, 2, 50))));
  expect_same_ends(tensor<int, 0, kp::host_space>(7));
}

TEST(to_string, takes_kokkos_views) {
  Kokkos::View<int**, Kokkos::LayoutLeft> v("v", 2, 3);
  kp::assign(v, kp::reshape(kp::arange(6), 2, 3));
  EXPECT_EQ(kp::to_string(v), "[[0 1 2]\n [3 4 5]]");
}

TEST(to_string, sees_the_work_queued_before) {
  tensor<float, 1> a(100000);
  for (int i = 0; i < 10; ++i)
    a += 1.0f;
  EXPECT_EQ(kp::to_string(a), "[10. 10. 10. ... 10. 10. 10.]");
  EXPECT_EQ(kp::to_string(a(kp::range(kp::none, kp::none, 50000))), "[10. 10.]");
}

TEST(print, goes_to_streams) {
  std::ostringstream out;
  tensor<double, 1> const a{1, 2};
  out << a << ' ' << a + 1.0 << ' ' << kp::sum(a);
  EXPECT_EQ(out.str(), "[1. 2.] [2. 3.] 3.0");
}

}  // namespace
