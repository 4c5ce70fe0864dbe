#include "engine/capacity.h"

#include <algorithm>

#include "base/check.h"

namespace stator::engine {
namespace {

constexpr std::size_t kReadStepBytes = 4096;
constexpr std::size_t kWriteStepBytes = 1024;
constexpr double kTransactionFactor = 2;

double Steps(std::size_t bytes, std::size_t step) {
  DCHECK(step > 0);
  return static_cast<double>(std::max<std::size_t>(1, (bytes + step - 1) / step));
}

Capacity MakeCapacity(double units, Usage::Kind kind, bool split) {
  Capacity capacity{.capacity_units = units};
  if (split) {
    (kind == Usage::Kind::kRead ? capacity.read_capacity_units : capacity.write_capacity_units) =
        units;
  }
  return capacity;
}

}  // namespace

double ReadUnits(std::size_t bytes, bool consistent) {
  return Steps(bytes, kReadStepBytes) * (consistent ? 1.0 : 0.5);
}

double WriteUnits(std::size_t bytes) {
  return Steps(bytes, kWriteStepBytes);
}

void Usage::AddIndex(const Index& index, double units) {
  DCHECK(units >= 0);
  IndexUnits& entry = index_units_[index.name];
  entry.units += units;
  entry.global = index.global;
}

void Usage::Add(const Usage& other) {
  CHECK_THAT(kind_ == other.kind_, "reads are not added to writes");
  table_units_ += other.table_units_;
  failed_units_ += other.failed_units_;
  for (const auto& [name, entry] : other.index_units_) {
    index_units_[name].units += entry.units;
    index_units_[name].global = entry.global;
  }
}

double Usage::TotalUnits() const {
  double total = table_units_ + failed_units_;
  for (const auto& [name, entry] : index_units_) {
    total += entry.units;
  }
  return total;
}

ConsumedCapacity Usage::Compose(ReturnConsumedCapacity wanted, double factor, bool split) const {
  const Capacity total = MakeCapacity(TotalUnits() * factor, kind_, split);
  ConsumedCapacity report{
      .table_name = table_name_,
      .capacity_units = total.capacity_units,
      .read_capacity_units = total.read_capacity_units,
      .write_capacity_units = total.write_capacity_units,
  };
  if (wanted == ReturnConsumedCapacity::kIndexes) {
    report.table = MakeCapacity(table_units_ * factor, kind_, split);
    for (const auto& [name, entry] : index_units_) {
      auto& indexes =
          entry.global ? report.global_secondary_indexes : report.local_secondary_indexes;
      indexes[name] = MakeCapacity(entry.units * factor, kind_, split);
    }
  }
  return report;
}

std::optional<ConsumedCapacity> Usage::Report(ReturnConsumedCapacity wanted) const {
  if (wanted == ReturnConsumedCapacity::kNone) {
    return std::nullopt;
  }
  return Compose(wanted, 1, false);
}

std::optional<ConsumedCapacity> Usage::ReportTransaction(ReturnConsumedCapacity wanted) const {
  if (wanted == ReturnConsumedCapacity::kNone) {
    return std::nullopt;
  }
  return Compose(wanted, kTransactionFactor, true);
}

}  // namespace stator::engine
