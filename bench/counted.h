// The main function of a benchmark whose cases can also be counted:
//
//   NAME_bench                            times, by Google Benchmark and its flags
//   NAME_bench count CASE ITERATIONS      runs one case so often and nothing else; under
//                                         valgrind --tool=callgrind
//                                         --toggle-collect='*RunCounted*' this counts its
//                                         instructions, the same in every run

#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace stator::bench {

template <class Fixture>
struct Case {
  const char* name;
  void (*run)(Fixture&);
};

// Its name is what callgrind looks for.
template <class Fixture>
[[gnu::noinline]] void RunCounted(const Case<Fixture>& one, Fixture& fixture, long iterations) {
  for (long iteration = 0; iteration < iterations; ++iteration) {
    one.run(fixture);
  }
}

template <class Fixture, class Cases>
int Count(const Cases& cases, Fixture& fixture, std::string_view name, long iterations) {
  for (const Case<Fixture>& one : cases) {
    if (one.name == name) {
      one.run(fixture);  // what only the first run pays for
      RunCounted(one, fixture, iterations);
      return EXIT_SUCCESS;
    }
  }
  std::cerr << "no such case: " << name << "\n";
  return EXIT_FAILURE;
}

template <class Fixture, class Cases>
int CountOrTime(int argc, char** argv, const Cases& cases, Fixture& fixture) {
  if (argc == 4 && std::string_view(argv[1]) == "count") {
    return Count(cases, fixture, argv[2], std::strtol(argv[3], nullptr, 10));
  }
  for (const Case<Fixture>& one : cases) {
    benchmark::RegisterBenchmark(one.name, [&](benchmark::State& state) {
      for (auto _ : state) {
        one.run(fixture);
      }
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}

}  // namespace stator::bench
