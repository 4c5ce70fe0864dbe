// For tests: commands that read many items: queries, scans, streams, figures; and the index that
// comes and goes.

#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "model/arbitrary.h"
#include "model/sut.h"

namespace stator::model {

// A query of a table or index, read in one page and in small ones, in both directions.
class QueryCommand : public Command {
 public:
  explicit QueryCommand(const Model& model);

  void checkPreconditions(const Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  // Items that the keys select, and those of them that pass the filter, in any order.
  struct Expected {
    std::size_t selected = 0;
    std::vector<Item> items;
  };
  [[nodiscard]] Expected Expect(const Model& model) const;
  [[nodiscard]] QueryInput Input(const Model& model) const;
  [[nodiscard]] bool Selects(const Value* sort) const;

  std::size_t table_;
  std::optional<std::string> index_;
  Value partition_;
  std::string sort_name_;  // empty: only the partition is compared
  std::optional<Comparison::Kind> sort_kind_;
  Value sort_value_;
  Condition filter_;
  std::int32_t page_;
  std::string partition_name_;
};

// A scan in segments and pages.
class ScanCommand : public Command {
 public:
  explicit ScanCommand(const Model& model);

  void checkPreconditions(const Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  std::size_t table_;
  std::optional<std::string> index_;
  Condition filter_;
  std::int32_t segments_;
  std::int32_t page_;
};

// Everything that the streams tell, item by item; and the number of items.
class HistoryCommand : public Command {
 public:
  explicit HistoryCommand(const Model& model);

  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;
};

// Makes the index "late", or drops it.
class IndexCommand : public Command {
 public:
  explicit IndexCommand(const Model& model);

  void apply(Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;
};

// The items of the index, each as the index shows it; of the table when there is no index.
std::vector<Attributes> RowsOf(const Table& table, const Index* index);

}  // namespace stator::model
