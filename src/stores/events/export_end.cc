#include "stores/events/export_end.h"

#include "base/hex.h"
#include "stores/events/item_fields.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

// No line of an event begins so: its first name is "erased" or "id".
constexpr std::string_view kBeginning = R"({"end":)";

}  // namespace

void LineDigest::Add(std::string_view line) {
  sum_.Add(line);
  sum_.Add("\n");
  ++lines_;
}

ExportEnd LineDigest::Finish() {
  return {.events = lines_, .sha256 = base::HexOf(sum_.Finish())};
}

std::string FormatEndLine(const ExportEnd& end) {
  return value::ToPlainJson(Item{{"end", Map{{"events", end.events}, {"sha256", end.sha256}}}});
}

Result<std::optional<ExportEnd>> ParseEndLine(std::string_view line) {
  if (!line.starts_with(kBeginning)) {
    return std::nullopt;
  }
  const Result<AttributeValue> value = value::ValueFromPlainJson(line);
  const Map* const map = value ? value->If<Map>() : nullptr;
  const AttributeValue* const inner = map != nullptr ? map->Find("end") : nullptr;
  const Map* const fields = inner != nullptr ? inner->If<Map>() : nullptr;
  if (fields == nullptr) {
    return Fail(ErrorCode::kSerialization, "the end of an export is damaged");
  }
  return ExportEnd{.events = CountOr(*fields, "events"), .sha256 = TextOr(*fields, "sha256")};
}

}  // namespace stator::events
