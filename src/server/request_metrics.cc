#include "server/request_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace stator::server {
namespace {

std::uint64_t HalfUnits(double units) {
  return units > 0 ? static_cast<std::uint64_t>(std::llround(units * 2)) : 0;
}

struct OperationSums {
  Histogram::Snapshot durations;
  std::uint64_t read_half_units = 0;
  std::uint64_t write_half_units = 0;
};

void ReportCapacity(const std::map<std::string_view, OperationSums>& operations,
                    MetricsText& text) {
  text.Begin("stator_consumed_capacity_units_total", "counter",
             "Capacity units consumed, by operation and kind.");
  for (const auto& [operation, sums] : operations) {
    if (sums.read_half_units > 0) {
      text.Add(static_cast<double>(sums.read_half_units) / 2,
               {{"operation", operation}, {"kind", "read"}});
    }
    if (sums.write_half_units > 0) {
      text.Add(static_cast<double>(sums.write_half_units) / 2,
               {{"operation", operation}, {"kind", "write"}});
    }
  }
}

}  // namespace

void RequestMetrics::Record(const RequestRecord& record) {
  OutcomeCounts& counts = Find(record.operation, record.outcome);
  counts.requests.Add();
  OperationCounts& operation = *counts.operation;
  operation.durations.Observe(record.duration);
  if (record.read_units > 0) {
    operation.read_half_units.Add(HalfUnits(record.read_units));
  }
  if (record.write_units > 0) {
    operation.write_half_units.Add(HalfUnits(record.write_units));
  }
}

void RequestMetrics::Report(std::span<const RequestMetrics* const> instances, MetricsText& text) {
  std::map<std::string_view, OperationSums> operations;
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> outcomes;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  for (const RequestMetrics* const instance : instances) {
    const MutexLock lock(instance->mutex_);
    for (const OperationCounts& counts : instance->operations_) {
      OperationSums& sums = operations[counts.operation];
      sums.durations += counts.durations.Read();
      sums.read_half_units += counts.read_half_units.value();
      sums.write_half_units += counts.write_half_units.value();
    }
    for (const OutcomeCounts& counts : instance->outcomes_) {
      outcomes[{counts.operation->operation, counts.outcome}] += counts.requests.value();
    }
    received += instance->bytes_received.value();
    sent += instance->bytes_sent.value();
  }
  text.Begin("stator_requests_total", "counter",
             "Requests answered, by operation and outcome (ok or the error's name).");
  for (const auto& [labels, count] : outcomes) {
    text.Add(count, {{"operation", labels.first}, {"outcome", labels.second}});
  }
  text.Begin("stator_request_duration_seconds", "histogram",
             "Time from a request read to its answer handed to the network, by operation.");
  for (const auto& [operation, sums] : operations) {
    text.Add(sums.durations, {{"operation", operation}});
  }
  ReportCapacity(operations, text);
  text.Begin("stator_received_bytes_total", "counter", "Bytes read from clients.");
  text.Add(received);
  text.Begin("stator_sent_bytes_total", "counter", "Bytes written to clients.");
  text.Add(sent);
}

RequestMetrics::OutcomeCounts& RequestMetrics::Find(std::string_view operation,
                                                    std::string_view outcome) {
  const Addresses addresses(operation.data(), outcome.data());
  if (const auto found = index_.find(addresses); found != index_.end()) {
    return *found->second;
  }
  const MutexLock lock(mutex_);
  auto counts = std::ranges::find(operations_, operation, &OperationCounts::operation);
  if (counts == operations_.end()) {
    operations_.emplace_back().operation = operation;
    counts = std::prev(operations_.end());
  }
  OutcomeCounts& added = outcomes_.emplace_back();
  added.outcome = outcome;
  added.operation = &*counts;
  index_.emplace(addresses, &added);
  return added;
}

}  // namespace stator::server
