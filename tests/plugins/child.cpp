// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that plugins_test.cpp runs, in two builds: with the libraries a and b linked, and with
// nothing linked, so that the linker exports no symbol of the program. It has tensors of its own.
#include <karpos/base/error.hpp>

#include <Kokkos_Core.hpp>

#include <dlfcn.h>
#include <plugins/calls.hpp>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using karpos_test::calls;
using karpos_test::matrix;

struct part {
  char const* name;
  calls const* call;
  void* handle = nullptr;
};

int failures = 0;

void check(bool right, std::string const& what) {
  if (right)
    return;
  ++failures;
  std::printf("failed: %s\n", what.c_str());
}

part open(char const* name, char const* path) {
  void* const handle = dlopen(path, RTLD_LOCAL | RTLD_NOW);
  auto const entry = reinterpret_cast<calls const* (*)()>(
      handle == nullptr ? nullptr : dlsym(handle, (std::string("karpos_test_") + name).c_str()));
  if (entry == nullptr) {
    std::printf("failed: %s\n", dlerror());
    std::exit(1);
  }
  return {name, entry(), handle};
}

std::vector<part> open_all() {
  return {{"program", &karpos_test::own_calls()},
          open("a", KARPOS_TEST_A),
          open("b", KARPOS_TEST_B),
          open("plugin", KARPOS_TEST_PLUGIN)};
}

bool pool_switched_off() {
  char const* const value = std::getenv("KARPOS_POOL");
  return value != nullptr && std::string(value) == "off";
}

// The very first use of the registry, by all modules at once.
void one_registry(std::vector<part> const& parts) {
  std::vector<void const*> found(parts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < parts.size(); ++i)
    threads.emplace_back([&, i] { found[i] = parts[i].call->registry(); });
  for (auto& t : threads)
    t.join();
  check(std::set(found.begin(), found.end()).size() == 1, "the modules have several registries");
}

// A tensor of one module freed, used and replaced by another.
void hand_over(part const& x, part const& y) {
  std::string const who = std::string(x.name) + " to " + y.name;
  x.call->trim();
  auto const in_use = x.call->bytes_in_use();
  matrix t = x.call->make(50, 2.0);
  void const* const block = t.data();
  check(y.call->bytes_in_use() == x.call->bytes_in_use(), who + ": two pools");
  check(y.call->total(t) == 5000.0, who + ": sum");
  y.call->release(std::move(t));
  check(x.call->bytes_in_use() == in_use, who + ": not returned to the pool");
  matrix const u = y.call->make(50, 3.0);
  check(pool_switched_off() || u.data() == block, who + ": the freed block is not reused");
  matrix const product = x.call->multiply(u, u);
  check(y.call->total(product) == 50.0 * 50 * 450, who + ": product");
}

void errors(part const& x) {
  try {
    x.call->fail();
    check(false, std::string(x.name) + ": no error");
  } catch (karpos::shape_error const&) {
  }
}

void exchange(std::vector<part> const& parts) {
  one_registry(parts);
  hand_over(parts[0], parts[0]);
  auto const singletons = parts[0].call->singletons();
  for (auto const& x : parts) {
    for (auto const& y : parts)
      hand_over(x, y);
    errors(x);
  }
  for (auto const& x : parts)
    check(x.call->singletons() == singletons, "a module registered objects of its own");
}

// The plugin is the first to use Karpos, so the pool is of its making; what it leaves is used on.
// It multiplies nothing: a thread-local object with a destructor would keep it loaded.
void unload(std::vector<part> const& parts) {
  part const& program = parts.front();
  part const& plugin = parts.back();
  matrix left = plugin.call->make(50, 2.0);
  for (auto const& m : parts)
    if (m.handle != nullptr)
      dlclose(m.handle);
  check(program.call->total(left) == 5000.0, "a tensor of an unloaded plugin");
  program.call->release(std::move(left));
  hand_over(program, program);
  auto const again = open_all();
  hand_over(again.front(), again.back());
  exchange(again);
}

void outlive(std::vector<part> const& parts) {
  for (auto const& m : parts)
    m.call->hold(parts.back().call->make(50, 1.0));
}

}  // namespace

int main(int argc, char** argv) {
  std::string const mode = argc > 1 ? argv[1] : "";
  Kokkos::initialize(argc, argv);
  auto const parts = open_all();
  if (mode == "exchange" || mode == "exec")
    exchange(parts);
  if (mode == "unload")
    unload(parts);
  if (mode == "outlive")
    outlive(parts);
  Kokkos::finalize();
  std::printf("%d failures\n", failures);
  std::fflush(stdout);
  if (mode == "exec")  // the next program inherits the environment and the process id
    return execl(argv[0], argv[0], "exchange", nullptr);
  return failures == 0 ? 0 : 1;
}
