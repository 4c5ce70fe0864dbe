#include "engine/arn.h"

namespace stator::engine {
namespace {

constexpr std::string_view kArnPrefix = "arn:";
constexpr std::string_view kService = "dynamodb:";
constexpr std::string_view kTablePart = ":table/";
constexpr std::string_view kStreamPart = "/stream/";

}  // namespace

std::string TableArn(const Account& account, std::string_view table_name) {
  std::string arn = "arn:aws:dynamodb:" + account.region + ":" + account.id;
  return arn.append(kTablePart).append(table_name);
}

std::string IndexArn(std::string_view table_arn, std::string_view index_name) {
  return std::string(table_arn).append("/index/").append(index_name);
}

std::string StreamArn(std::string_view table_arn, std::string_view stream_label) {
  return std::string(table_arn).append(kStreamPart).append(stream_label);
}

bool IsStreamArn(std::string_view arn) {
  const std::size_t at = arn.find(kStreamPart);
  if (at == std::string_view::npos || !arn.starts_with(kArnPrefix)) {
    return false;
  }
  const std::string_view label = arn.substr(at + kStreamPart.size());
  return !label.empty() && !label.contains('/') && TableNameFrom(arn.substr(0, at)).has_value();
}

std::optional<std::string_view> TableNameFrom(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix)) {
    return name_or_arn;
  }
  // arn:partition:service:region:account:resource
  const std::size_t service = name_or_arn.find(':', kArnPrefix.size());
  const std::size_t at = name_or_arn.find(kTablePart);
  if (at == std::string_view::npos || service == std::string_view::npos ||
      !name_or_arn.substr(service + 1).starts_with(kService)) {
    return std::nullopt;
  }
  const std::string_view name = name_or_arn.substr(at + kTablePart.size());
  if (name.empty() || name.contains('/')) {
    return std::nullopt;
  }
  return name;
}

}  // namespace stator::engine
