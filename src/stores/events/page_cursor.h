// The items of one partition between two sort keys, page by page.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/query.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

struct EventStoreCore;

// Both ends belong to it.
struct Bounds {
  std::optional<std::string> lower = std::nullopt;
  std::optional<std::string> upper = std::nullopt;

  [[nodiscard]] bool empty() const { return lower && upper && *lower > *upper; }
};

struct PartitionRead {
  std::string table_name;
  std::optional<std::string> index_name = std::nullopt;
  std::string partition_attribute;
  std::string partition;
  std::string sort_attribute;
  Bounds bounds = {};
  bool backwards = false;
  bool consistent = true;
  // How many items will be wanted, if that is known: no page is larger.
  std::optional<std::uint64_t> wanted = std::nullopt;
  // One item may be all that is wanted: the first page has one, the next ones have more and more.
  bool begins_small = false;
};

QueryInput MakeQuery(const PartitionRead& read);

class PageCursor {
 public:
  PageCursor(EventStoreCore& core, const PartitionRead& read);

  // Reads the next page if the last one is used up and there is another.
  Result<void> Fill();

  // The next item; null at the end. Fails as Fill does. Good until Pop.
  Result<const Item*> Peek();
  void Pop() { ++next_; }

  // Of the pages that were read.
  [[nodiscard]] std::uint64_t items_read() const { return items_read_; }
  [[nodiscard]] std::uint64_t pages_read() const { return pages_read_; }
  [[nodiscard]] double capacity_units() const { return capacity_units_; }

 private:
  EventStoreCore* core_;
  QueryInput query_;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t page_max_;
  std::vector<Item> page_;
  std::size_t next_ = 0;
  bool done_ = false;
  std::uint64_t items_read_ = 0;
  std::uint64_t pages_read_ = 0;
  double capacity_units_ = 0;
};

}  // namespace stator::events
