#include "engine/next_token.h"

#include <limits>
#include <utility>

#include "base/base64.h"
#include "base/digest.h"
#include "base/try.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kDigestBytes = 16;

void AppendText(std::string_view text, std::string& to) {
  to += std::to_string(text.size());
  to += ':';
  to += text;
}

std::string Short(std::string_view bytes) {
  return base::Sha256(bytes).substr(0, kDigestBytes);
}

}  // namespace

std::string StatementDigest(const partiql::Select& select, const expression::Condition* where) {
  std::string bytes;
  AppendText(select.table, bytes);
  AppendText(select.index.value_or(""), bytes);
  for (const partiql::SortKey& key : select.order) {
    AppendText(key.name, bytes);
    bytes += key.descending ? '-' : '+';
  }
  if (where == nullptr) {
    return Short(bytes);
  }
  const expression::ConditionTree& tree = where->tree();
  for (const expression::ConditionNode& node : tree.nodes) {
    bytes += static_cast<char>(node.kind);
    if (node.kind == expression::ConditionNode::Kind::kPath) {
      AppendText(expression::PathText(tree.symbols, where->bindings(), tree.paths[node.symbol()]),
                 bytes);
    } else if (node.kind == expression::ConditionNode::Kind::kValue) {
      value::AppendItem(Map{{"v", *where->bindings().values[node.symbol()]}}, bytes);
    } else {
      for (const std::uint32_t operand : tree.OperandsOf(node)) {
        bytes += std::to_string(operand) + ',';
      }
    }
  }
  return Short(bytes);
}

std::string EncodeNextToken(const std::string& digest, const NextPage& next) {
  std::string bytes(1, kVersion);
  bytes += digest;
  value::AppendItem(Map{{"range", next.range}, {"key", next.start_key}}, bytes);
  bytes += Short(bytes);
  return base::EncodeBase64(bytes);
}

Result<NextPage> DecodeNextToken(const std::string& digest, std::string_view token) {
  const auto invalid = [] { return Invalid("Invalid NextToken"); };
  const std::optional<std::string> bytes = base::DecodeBase64(token);
  if (!bytes || bytes->size() < 1 + 2 * kDigestBytes || bytes->front() != kVersion) {
    return invalid();
  }
  const std::string_view all = *bytes;
  const std::string_view content = all.substr(0, all.size() - kDigestBytes);
  if (Short(content) != all.substr(content.size())) {
    return invalid();
  }
  if (content.substr(1, kDigestBytes) != digest) {
    return Invalid("NextToken does not match request");
  }
  Result<Item> item = value::DecodeItem(content.substr(1 + kDigestBytes));
  if (!item) {
    return invalid();
  }
  const AttributeValue* number = item->Find("range");
  AttributeValue* key = item->Find("key");
  if (number == nullptr || number->If<Number>() == nullptr || key == nullptr ||
      key->If<Map>() == nullptr) {
    return invalid();
  }
  const Result<std::int64_t> range = number->If<Number>()->ToInt64();
  if (!range || *range < 0 || *range > std::numeric_limits<std::uint32_t>::max()) {
    return invalid();
  }
  return NextPage{.range = static_cast<std::uint32_t>(*range),
                  .start_key = std::move(*key->If<Map>())};
}

}  // namespace stator::engine
