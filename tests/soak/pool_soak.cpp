// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory pool under load: threads with instances of their own make tensors of random sizes,
// compute with them, let operands die while the kernels that read them are queued, lend them to
// instances of other kinds of work, hand them to each other, trim and set limits. Every element of
// every tensor is known at all times and is looked at before the tensor goes or at random. Where a
// limit refuses memory, what exists must stay as it was. At the end nothing may be in use, and
// nothing held after a trim.
//
//     karpos_pool_soak SECONDS [THREADS [SEED]]    exit code 1: a wrong element or a leak
#include <karpos/karpos.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace kp = karpos;
using kp::index_t;
using exec_space = kp::default_space;
using element = std::uint32_t;

constexpr int instances_of_a_thread = 3;
constexpr std::size_t most_tensors = 24;
constexpr index_t most_elements = 1 << 20;

/// A tensor whose element i is first + step * i, modulo 2^32. `writer` ran its last kernel.
struct known_tensor {
  kp::tensor<element, 1> values;
  element first = 0, step = 0;
  exec_space writer;

  [[nodiscard]] index_t size() const { return values.extent(0); }
};

/// Tensors on their way from one thread to another.
class exchange {
public:
  /// Beyond a few it dies here.
  void put(known_tensor&& t) {
    constexpr std::size_t most_waiting = 16;
    std::lock_guard const lock(mutex_);
    if (waiting_.size() < most_waiting)
      waiting_.push_back(std::move(t));
  }
  std::optional<known_tensor> take() {
    std::lock_guard const lock(mutex_);
    if (waiting_.empty())
      return {};
    std::optional<known_tensor> t(std::move(waiting_.front()));
    waiting_.pop_front();
    return t;
  }

private:
  std::mutex mutex_;
  std::deque<known_tensor> waiting_;
};

struct shared_state {
  exchange mailbox;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> steps{0}, checked{0}, wrong{0}, refused{0};
};

class worker {
public:
  worker(shared_state& shared, std::uint64_t seed, std::vector<exec_space> instances)
      : shared_(shared), random_(seed), instances_(std::move(instances)) {}

  void run() {
    while (!shared_.stop) {
      try {
        step();
      } catch (kp::memory_error const&) {
        ++shared_.refused;
        kp::memory::set_limit(kp::memory::no_limit);
      }
      ++shared_.steps;
    }
    while (!tensors_.empty())
      drop();
  }

private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  exec_space const& any_instance() { return instances_[below(instances_.size())]; }
  known_tensor& any_tensor() { return tensors_[below(tensors_.size())]; }

  /// Small sizes as often as large ones; now and then none, or one.
  index_t any_size() {
    double const power = std::uniform_real_distribution<double>(0, 20)(random_);
    auto const n = static_cast<index_t>(std::exp2(power));
    return below(50) == 0 ? static_cast<index_t>(below(2)) : std::min(n, most_elements);
  }

  void step() {
    constexpr std::size_t weights = 100;
    std::size_t const choice = below(weights);
    if (tensors_.size() < 2 || choice < 25)
      make();
    else if (choice < 60)
      add();
    else if (choice < 70)
      add_in_place();
    else if (choice < 80)
      add_temporaries();
    else if (choice < 88)
      check(any_tensor());
    else if (choice < 92)
      shared_.mailbox.put(take_any());
    else if (choice < 96)
      fetch();
    else if (choice < 99)
      drop();
    else
      change_the_pool();
    while (tensors_.size() > most_tensors)
      drop();
  }

  void make() {
    index_t const n = any_size();
    auto const first = static_cast<element>(random_()), step = static_cast<element>(random_());
    auto const& exec = any_instance();
    kp::tensor<element, 1> t(kp::tensor<element, 1>::uninitialised, {n}, exec);
    kp::assign(exec, t, kp::arange<element>(n) * step + first);
    tensors_.push_back({std::move(t), first, step, exec});
  }

  /// Kernels of `exec` may read what another instance wrote: the user's duty, not the pool's.
  static void wait_for(known_tensor const& t, exec_space const& exec) {
    if (!(t.writer == exec))
      t.writer.fence("soak: an operand of another instance");
  }

  /// c = a + b; then a and b die, often before the kernel has begun.
  void add() {
    known_tensor a = take_any(), b = take_any_or_copy(a);
    auto const& exec = any_instance();
    wait_for(a, exec);
    wait_for(b, exec);
    index_t const n = std::min(a.size(), b.size());
    kp::tensor<element, 1> c(kp::tensor<element, 1>::uninitialised, {n}, exec);
    kp::assign(exec, c, a.values(kp::range(0, n)) + b.values(kp::range(0, n)));
    tensors_.push_back({std::move(c), a.first + b.first, a.step + b.step, exec});
  }

  void add_in_place() {
    auto const& exec = any_instance();
    known_tensor& t = any_tensor();
    wait_for(t, exec);
    auto const first = static_cast<element>(random_());
    kp::assign(exec, t.values, t.values + first);
    t.first += first;
    t.writer = exec;
  }

  /// Assignments onto operands that overlap go through temporaries of the pool.
  void add_temporaries() {
    auto const& exec = any_instance();
    known_tensor& t = any_tensor();
    wait_for(t, exec);
    index_t const n = t.size();
    kp::assign(exec, t.values, t.values(kp::range(kp::none, kp::none, -1)) + t.values * element(2));
    t.first += t.first + t.first + t.step * static_cast<element>(n - 1);
    t.writer = exec;
  }

  void check(known_tensor const& t) {
    std::vector<element> host(static_cast<std::size_t>(t.size()));
    t.writer.fence("soak: check");
    kp::copy(t.writer, kp::wrap<Kokkos::HostSpace>(host.data(), {t.size()}), t.values);
    t.writer.fence("soak: check");
    element expected = t.first;
    for (std::size_t i = 0; i < host.size(); ++i, expected += t.step)
      if (host[i] != expected) {
        if (shared_.wrong++ < 10)
          std::fprintf(stderr, "soak: element %zu of %zu is %u, not %u\n", i, host.size(), host[i],
                       expected);
        break;
      }
    ++shared_.checked;
  }

  known_tensor take_any() {
    std::size_t const k = below(tensors_.size());
    std::swap(tensors_[k], tensors_.back());
    known_tensor t = std::move(tensors_.back());
    tensors_.pop_back();
    return t;
  }

  /// Another one, or where there is no other a clone, made by an instance of its own.
  known_tensor take_any_or_copy(known_tensor const& a) {
    if (!tensors_.empty())
      return take_any();
    auto const& exec = any_instance();
    wait_for(a, exec);
    return {kp::eval(exec, a.values), a.first, a.step, exec};
  }

  void fetch() {
    if (auto t = shared_.mailbox.take())
      tensors_.push_back(std::move(*t));
  }

  void drop() {
    known_tensor const t = take_any();
    if (below(2) == 0)
      check(t);
  }

  void change_the_pool() {
    auto const now = kp::memory::stats();
    switch (below(3)) {
    case 0:
      kp::memory::trim();
      break;
    case 1:
      kp::memory::set_limit(now.in_use + (std::size_t{16} << 20));
      break;
    default:
      kp::memory::set_limit(kp::memory::no_limit);
    }
  }

  shared_state& shared_;
  std::mt19937_64 random_;
  std::vector<exec_space> instances_;
  std::vector<known_tensor> tensors_;
};

int soak(double seconds, int threads, std::uint64_t seed) {
  auto const start = kp::memory::stats();
  shared_state shared;
  {
    std::vector<int> const weights(static_cast<std::size_t>(threads * instances_of_a_thread), 1);
    auto const instances = Kokkos::Experimental::partition_space(exec_space(), weights);
    std::vector<worker> workers;
    for (int k = 0; k < threads; ++k) {
      auto const first = instances.begin() + k * instances_of_a_thread;
      workers.emplace_back(shared, seed + static_cast<std::uint64_t>(k),
                           std::vector<exec_space>(first, first + instances_of_a_thread));
    }
    std::vector<std::thread> running;
    running.reserve(workers.size());
    for (auto& w : workers)
      running.emplace_back([&w] { w.run(); });
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    shared.stop = true;
    for (auto& t : running)
      t.join();
    while (shared.mailbox.take()) {
    }
    Kokkos::fence("soak: the end");
  }
  kp::memory::set_limit(kp::memory::no_limit);
  auto const end = kp::memory::stats();
  kp::memory::trim();
  std::size_t const left = kp::memory::stats().held;
  std::printf("soak: %.0f s on %s, %d threads of %d instances, seed %llu: %llu steps, %llu tensors "
              "checked, %llu wrong; "
              "%llu times refused by a limit, %zu of %zu blocks reused, peak %zu bytes, %zu bytes "
              "more in use than before, %zu held after a trim\n",
              seconds, exec_space::name(), threads, instances_of_a_thread,
              static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(shared.steps.load()),
              static_cast<unsigned long long>(shared.checked.load()),
              static_cast<unsigned long long>(shared.wrong.load()),
              static_cast<unsigned long long>(shared.refused.load()), end.hits - start.hits,
              end.allocations - start.allocations, end.peak, end.in_use - start.in_use, left);
  bool const good =
      shared.wrong == 0 && shared.checked > 0 && end.in_use == start.in_use && left == 0;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  double const seconds = argc > 1 ? std::atof(argv[1]) : 3;
  int const threads = argc > 2 ? std::atoi(argv[2]) : 4;
  std::uint64_t const seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (!(seconds > 0) || threads < 1) {
    std::fprintf(stderr, "usage: karpos_pool_soak SECONDS [THREADS [SEED]]\n");
    return 2;
  }
  try {
    return soak(seconds, threads, seed);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "soak: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
