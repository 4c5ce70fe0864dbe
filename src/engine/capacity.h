// Capacity units as AWS bills them, and the reports that requests ask for.
//
//   read    1 unit per 4 KB begun, strongly consistent; half of that otherwise; at least one step
//   write   1 unit per 1 KB begun; at least one
//   in a transaction both cost double
//
// Sizes are those of whole items, before filters and projections (value/size.h).

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/table.h"
#include "stator/api/common.h"

namespace stator::engine {

double ReadUnits(std::size_t bytes, bool consistent);
double WriteUnits(std::size_t bytes);

// What one request used of one table, added up as it is carried out.
class Usage {
 public:
  enum class Kind : std::uint8_t { kRead, kWrite };

  // `table_name` as the report shall call it.
  Usage(std::string table_name, Kind kind) : table_name_(std::move(table_name)), kind_(kind) {}

  void AddTable(double units) { table_units_ += units; }
  void AddIndex(const Index& index, double units);
  // Units that the total has and neither the table nor an index: of a statement that failed.
  void AddFailed(double units) { failed_units_ += units; }
  void Add(const Usage& other);

  [[nodiscard]] double TotalUnits() const;

  // What the request asked to be told; nothing for kNone. In a transaction units count double, and
  // the report tells reads from writes.
  [[nodiscard]] std::optional<ConsumedCapacity> Report(ReturnConsumedCapacity wanted) const;
  [[nodiscard]] std::optional<ConsumedCapacity> ReportTransaction(
      ReturnConsumedCapacity wanted) const;

 private:
  struct IndexUnits {
    double units = 0;
    bool global = true;
  };

  [[nodiscard]] ConsumedCapacity Compose(ReturnConsumedCapacity wanted, double factor,
                                         bool split) const;

  std::string table_name_;
  Kind kind_;
  double table_units_ = 0;
  double failed_units_ = 0;
  std::map<std::string, IndexUnits> index_units_;
};

}  // namespace stator::engine
