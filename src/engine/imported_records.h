// The records of a file that is imported, as items: lines of DynamoDB JSON, or comma-separated values.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/table.h"
#include "stator/api/imports.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

// A record that is an item, or why it is none. kSerialization: nor can anything behind it be told.
using RecordVisitor = std::function<Result<void>(Result<Item> item)>;

class RecordReader {
 public:
  // All must outlive it. `table` says of which types its keys are.
  static std::unique_ptr<RecordReader> Make(const ImportTableDescription& import,
                                            const Table& table, RecordVisitor visit);
  RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  virtual ~RecordReader() = default;

  // Bytes as they are unpacked. Fails as `visit` does.
  virtual Result<void> Add(std::string_view bytes) = 0;
  virtual Result<void> Finish() = 0;
};

}  // namespace stator::engine
