#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "value/json_reader.h"
#include "value/measure.h"
#include "value/placeholders.h"
#include "value/row_encoder.h"
#include "value/row_writer.h"
#include "value/value_codec.h"

namespace stator::value {
namespace {

using simdjson::dom::element;

// The target that an item is told to for its row (item_codec.h).
struct ItemEncoder {
  RowWriter& row;
  Measure& size;

  RowEncoder<Measure> OnMap(std::uint64_t count) {
    row.Byte(kRowVersion);
    row.Varint(count);
    return {row, size};
  }
  void OnEnd(const RowEncoder<Measure>& /*entries*/) {}
};

// Makes rows for a thread: they are written here, and copied to where they stay when it is known how
// large they are.
class RowMaker {
 public:
  static RowMaker& OfThisThread() {
    static thread_local RowMaker maker;
    return maker;
  }

  Result<Item> Read(const element& json, Words words) {
    Measure size;
    row_.clear();
    Result<void> read = [&] {
      RowWriter writer(row_);
      ItemEncoder encoder{writer, size};
      return ReadWith(words, kLevelOfAttributes, [&](JsonReader& reader) {
        reader.ReadMap(json, kLevelOfAttributes, encoder);
      });
    }();
    if (!read) {
      return std::unexpected(std::move(read).error());
    }
    return OpenCheckedItem(row_, size.bytes);
  }

  // Gives memory back that an unusually large item took.
  void Finish() {
    if (row_.capacity() > kKeptBytes) {
      row_ = std::string();
    }
  }

 private:
  static constexpr std::size_t kKeptBytes = 64 * 1024;

  std::string row_;
};

}  // namespace

Result<Item> StoredItemFromJson(simdjson::dom::element json, Words words) {
  RowMaker& maker = RowMaker::OfThisThread();
  Result<Item> item = maker.Read(json, words);
  maker.Finish();
  return item;
}

}  // namespace stator::value
