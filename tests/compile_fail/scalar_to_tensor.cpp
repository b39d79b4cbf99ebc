// expect: conversion from
// SPDX-FileCopyrightText: The Karpos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karpos/karpos.hpp>

namespace kp = karpos;

kp::tensor<double, 0> f() {
  kp::tensor<double, 0> t = 2.0;
  return t;
}
