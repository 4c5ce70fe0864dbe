// One caller of bench/client.py: makes calls one after the other for a time, and prints how many
// they were and what they took of the processor.
//
//   client_load http://127.0.0.1:8000 GetItem 1.0
//   {"calls": 15000, "seconds": 1.00, "cpu_seconds": 0.61}

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "stator/stator.h"

namespace {

using stator::AttributeNames;
using stator::Database;
using stator::Map;

constexpr const char* kTable = "bench";

double CpuSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

bool GetItem(Database& database) {
  return database.GetItem({.table_name = kTable, .key = {{"pk", "read"}}}).has_value();
}

bool PutItem(Database& database) {
  return database
      .PutItem(
          {.table_name = kTable, .item = {{"pk", "written"}, {"data", std::string(1000, 'x')}}})
      .has_value();
}

bool UpdateItem(Database& database) {
  return database
      .UpdateItem({.table_name = kTable,
                   .key = {{"pk", "counted"}},
                   .update_expression = "ADD #n :one",
                   .expression_attribute_names = AttributeNames{{"#n", "n"}},
                   .expression_attribute_values = Map{{":one", 1}}})
      .has_value();
}

int Run(const std::string& url, const std::string& operation, double seconds) {
  const std::map<std::string, std::function<bool(Database&)>> operations = {
      {"GetItem", GetItem}, {"PutItem", PutItem}, {"UpdateItem", UpdateItem}};
  const auto call = operations.find(operation);
  const auto database = stator::Open(url);
  if (!database || call == operations.end() || !call->second(**database)) {
    std::fprintf(stderr, "client_load: cannot call %s\n", operation.c_str());
    return 1;
  }
  const double cpu = CpuSeconds();
  const stator::Duration start = stator::SystemClock().Elapsed();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(stator::SystemClock().Elapsed() - start).count();
  };
  long calls = 0;
  for (; elapsed() < seconds; ++calls) {
    if (!call->second(**database)) {
      return 1;
    }
  }
  std::printf("{\"calls\": %ld, \"seconds\": %.4f, \"cpu_seconds\": %.4f}\n", calls, elapsed(),
              CpuSeconds() - cpu);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: client_load URL GetItem|PutItem|UpdateItem SECONDS\n");
    return 2;
  }
  return Run(argv[1], argv[2], std::strtod(argv[3], nullptr));
}
