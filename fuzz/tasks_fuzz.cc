// Arbitrary bytes as JSON, as a stored task, as a head, as a cursor and as a key. What a reader
// accepts must print to text that reads back as the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "stator/stores/tasks/json.h"
#include "stores/tasks/list_cursor.h"
#include "stores/tasks/record_codec.h"

namespace {

void ReadJson(std::string_view text) {
  const auto json = stator::tasks::Json::Parse(text);
  if (!json) {
    return;
  }
  const std::string printed = json->ToText();
  const auto again = stator::tasks::Json::Parse(printed);
  CHECK_THAT(again.has_value(), printed);
  CHECK_THAT(*again == *json, printed);
}

void ReadRecord(std::string_view text) {
  const auto record = stator::tasks::DecodeRecord(text);
  if (!record) {
    return;
  }
  const std::string written = stator::tasks::EncodeRecord(*record).data;
  const auto again = stator::tasks::DecodeRecord(written);
  CHECK_THAT(again.has_value(), written);
  CHECK_THAT(stator::tasks::EncodeRecord(*again).data == written, written);
}

void ReadKey(std::string_view text) {
  if (const auto key = stator::tasks::ParseRecordKey(text)) {
    CHECK(stator::tasks::ParseRecordKey(stator::tasks::ToText(*key)) == key);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadJson(text);
  ReadRecord(text);
  ReadKey(text);
  static_cast<void>(stator::tasks::DecodeHead(text));
  if (const auto position = stator::tasks::DecodeCursor("owner", text)) {
    CHECK(stator::tasks::EncodeCursor("owner", *position) == text);
  }
  return 0;
}
