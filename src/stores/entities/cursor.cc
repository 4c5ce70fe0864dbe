#include "stores/entities/cursor.h"

#include <algorithm>

#include "base/base64.h"
#include "base/digest.h"
#include "value/dynamodb_json.h"

namespace stator::entities::detail {
namespace {

constexpr std::size_t kCheckBytes = 6;
// More than any key has.
constexpr std::size_t kCursorBytesMax = 32 * 1024;

std::string CheckOf(std::string_view scope, std::string_view payload) {
  std::string text = std::to_string(scope.size()) + ":";
  text += scope;
  text += payload;
  return base::Sha256(text).substr(0, kCheckBytes);
}

}  // namespace

std::string MakeCursor(std::string_view scope, const Item& key) {
  std::string payload;
  value::AppendDynamoDbJson(key, payload);
  std::string text = base::EncodeBase64(CheckOf(scope, payload) + payload);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

Result<Item> ReadCursor(std::string_view scope, std::string_view cursor) {
  const auto wrong = [] { return Invalid("this is no cursor of this query"); };
  if (cursor.size() > kCursorBytesMax) {
    return wrong();
  }
  std::string text(cursor);
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  text.append((4 - (text.size() % 4)) % 4, '=');
  const std::optional<std::string> bytes = base::DecodeBase64(text);
  if (!bytes || bytes->size() < kCheckBytes) {
    return wrong();
  }
  const std::string_view payload = std::string_view(*bytes).substr(kCheckBytes);
  if (CheckOf(scope, payload) != bytes->substr(0, kCheckBytes)) {
    return wrong();
  }
  Result<Item> key = value::ParseDynamoDbItem(payload);
  return key ? std::move(key) : wrong();
}

}  // namespace stator::entities::detail
