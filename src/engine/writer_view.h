// What the decision of a write may read: the newest rows, queued or durable. It remembers the
// highest place that it has read, because no answer may go out before that is settled.
//
// It looks at queued rows first and into the store then: a row leaves the overlay only after it is
// visible, so what is not found there is in the store. The other order would lose updates.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "engine/key_table.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "storage/pinned_value.h"

namespace stator::engine {

class WriterView {
 public:
  // Bytes of a row, good while this is there and not used again.
  class Value {
   public:
    [[nodiscard]] std::string_view view() const {
      return write_ != nullptr ? queued_ : pinned_.view();
    }

   private:
    friend class WriterView;
    storage::PinnedValue pinned_;
    storage::QueuedWritePtr write_;
    std::string_view queued_;
  };

  // `locks` cover every key that is read.
  WriterView(EngineCore& core, const LockRequest& locks) : core_(core), locks_(locks) {}

  // Whether there is such a row. REQUIRES: the lock of this very key is held.
  Result<bool> Read(const std::string& key, Value& value);
  Result<std::optional<Item>> ReadItem(const std::string& item_key);
  // The same for an item of the table that is about to be changed: one without the key of its
  // row is kCorruption.
  Result<std::optional<Item>> ReadItem(const Table& table, const std::string& item_key);
  // The same, decoded at once, for who changes single attributes and so needs all of them.
  Result<std::optional<Item>> ReadWholeItem(const Table& table, const std::string& item_key);

  // Whether there is such a row, of a key that the lock of its item covers.
  Result<bool> HasRow(const std::string& key);

  // The write with the highest place that was read; null when all that was read is in the store.
  [[nodiscard]] const storage::QueuedWritePtr& rests_on() const { return rests_on_; }

 private:
  void RestOn(const storage::QueuedWritePtr& write);

  EngineCore& core_;
  const LockRequest& locks_;
  storage::QueuedWritePtr rests_on_;
};

}  // namespace stator::engine
