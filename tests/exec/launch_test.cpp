// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch waits for (nothing), and index spaces that one launch cannot count. Devices only:
// on the host a kernel has ended when its launch returns.
#include <karpos/karpos.hpp>

#include <gtest/gtest.h>
#include <support/events.hpp>
#include <support/host.hpp>

namespace {

using namespace karpos_test;
using exec_t = kp::default_space;

#define KARPOS_TEST_DEVICE_ONLY()                                                                  \
  if constexpr (kp::host_accessible<exec_t>)                                                       \
  GTEST_SKIP() << "the default execution space is the host's"

/// Holds its instance until *flag is set, or gives up after some seconds; *seen says which.
struct hold_instance {
  int volatile* flag;
  int volatile* seen;
  KOKKOS_FUNCTION void operator()(int) const {
    for (int i = 0; i < (1 << 22); ++i)
      if (*flag != 0) {
        *seen = 1;
        return;
      }
  }
};

auto inner(kp::tensor<int, 8>& t) {
  auto const r = kp::range(0, 3);
  return t(r, r, r, r, r, r, r, r);
}

/// Twelve operands of rank 8 of which no two dimensions merge.
class twelve_leaves {
public:
  twelve_leaves() {
    for (int l = 0; l < 12; ++l) {
      whole_[l].reset(kp::full({4, 4, 4, 4, 4, 4, 4, 4}, l + 1));
      x_[l].rebind(inner(whole_[l]));
    }
  }
  auto weighted_sum() const {
    return x_[0] + 2 * x_[1] + 3 * x_[2] + 4 * x_[3] + 5 * x_[4] + 6 * x_[5] + 7 * x_[6] +
           8 * x_[7] + 9 * x_[8] + 10 * x_[9] + 11 * x_[10] + 12 * x_[11];
  }
  static constexpr int value = 650;  // sum of squares of 1..12

private:
  kp::tensor<int, 8> whole_[12];
  kp::tensor_view<int, 8, exec_t> x_[12];
};

TEST(launch, waits_for_nothing_however_many_operands_it_has) {
  KARPOS_TEST_DEVICE_ONLY();
  auto instances = Kokkos::Experimental::partition_space(exec_t{}, 1, 1);
  twelve_leaves const leaves;
  kp::tensor<int, 8> first = kp::zeros<int>(4, 4, 4, 4, 4, 4, 4, 4), second = kp::clone(first);
  auto to_first = inner(first), to_second = inner(second);
  auto const e = leaves.weighted_sum();
  Kokkos::View<int[2], Kokkos::SharedHostPinnedSpace> flags("flags");
  hold_instance const hold{&flags(0), &flags(1)};
  for (auto const& instance : instances) {  // modules are loaded, temporaries allocated
    flags(0) = 1;
    Kokkos::parallel_for(Kokkos::RangePolicy<exec_t>(instance, 0, 1), hold);
    kp::assign(instance, to_first, e);
    instance.fence();
  }
  {
    event_log const log;  // counts fences, and fences around each kernel itself
    kp::assign(instances[0], to_first, e);
    kp::assign(instances[1], to_second, e);
    EXPECT_EQ(log.fences(), 0) << log.text();
    EXPECT_EQ(log.launches(), 2) << log.text();
  }
  first = 0;
  second = 0;
  Kokkos::fence();
  flags(0) = flags(1) = 0;
  Kokkos::parallel_for(Kokkos::RangePolicy<exec_t>(instances[0], 0, 1), hold);
  kp::assign(instances[0], to_first, e);
  kp::assign(instances[0], to_first, e);  // each would wait for the launch before
  kp::assign(instances[1], to_second, e);
  instances[1].fence();  // done although the first instance is held
  EXPECT_EQ(flags(1), 0);
  flags(0) = 1;
  instances[0].fence();
  EXPECT_EQ(flags(1), 1) << "a launch or the other instance waited for the held one";
  Kokkos::fence();
  EXPECT_TRUE(kp::item(kp::all(to_first == twelve_leaves::value)));
  EXPECT_TRUE(kp::item(kp::all(to_second == twelve_leaves::value)));
  EXPECT_EQ(kp::item(first, 3, 0, 0, 0, 0, 0, 0, 0), 0);
}

TEST(launch, covers_more_indices_than_32_bits_count) {
  KARPOS_TEST_DEVICE_ONLY();
  index_t const rows = (index_t{1} << 18) + 1, columns = (index_t{1} << 17) + 3;
  kp::tensor<std::int8_t, 0> one(std::int8_t{1});
  auto const ones = kp::broadcast_to(one, {rows, columns});
  EXPECT_EQ(kp::item(kp::sum(ones)), rows * columns);
  EXPECT_TRUE(kp::item(kp::all(kp::sum(ones, 0) == rows)));
  EXPECT_TRUE(kp::item(kp::all(kp::sum(ones, 1) == columns)));
  auto const numbers = kp::arange<index_t>(rows * columns);
  EXPECT_EQ(kp::item(kp::max(numbers)), rows * columns - 1);
}

TEST(launch, writes_more_elements_than_32_bits_count) {
  KARPOS_TEST_DEVICE_ONLY();
  index_t const n = (index_t{1} << 33) + 5;  // 8 GiB
  auto t = kp::empty<std::int8_t>(n);
  t = kp::map(kp::fn::remainder{}, kp::arange<index_t>(n), index_t{101});
  EXPECT_EQ(kp::item(t, n - 1), (n - 1) % 101);
  EXPECT_EQ(kp::item(t, index_t{1} << 32), (index_t{1} << 32) % 101);
  EXPECT_EQ(kp::item(kp::max(t)), 100);
  index_t const whole = n / 101, rest = n % 101;
  EXPECT_EQ(kp::item(kp::sum(t)), whole * 5050 + rest * (rest - 1) / 2);
}

}  // namespace
