#include "server/process_metrics.h"

#include <sys/resource.h>

#include <cstdint>
#include <fstream>
#include <unistd.h>

namespace stator::server {
namespace {

std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

void ReportProcess(std::string_view version, MetricsText& text) {
  text.Begin("process_resident_memory_bytes", "gauge", "Memory of the process.");
  text.Add(ResidentBytes());
  text.Begin("process_cpu_seconds_total", "counter", "Processor time of the process.");
  text.Add(ProcessorSeconds());
  text.Begin("stator_build_info", "gauge", "Always 1; the label tells the version.");
  text.Add(std::uint64_t{1}, {{"version", version}});
}

}  // namespace stator::server
