#include "mcp/catalog.h"

namespace stator::mcp {
namespace {

int HexDigit(char digit) {
  if (digit >= '0' && digit <= '9') {
    return digit - '0';
  }
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string PercentDecoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escapes = text[at] == '%' && at + 2 < text.size() && HexDigit(text[at + 1]) >= 0 &&
                         HexDigit(text[at + 2]) >= 0;
    if (escapes) {
      decoded.push_back(static_cast<char>(HexDigit(text[at + 1]) * 16 + HexDigit(text[at + 2])));
      at += 2;
    } else {
      decoded.push_back(text[at]);
    }
  }
  return decoded;
}

}  // namespace

// Each value ends where the literal behind it begins, the last one of them for {+name}.
std::optional<JsonObject> MatchTemplate(std::string_view uri_template, std::string_view uri) {
  JsonObject values;
  while (!uri_template.empty()) {
    const std::size_t open = uri_template.find('{');
    const std::string_view literal = uri_template.substr(0, open);
    if (!uri.starts_with(literal)) {
      return std::nullopt;
    }
    uri.remove_prefix(literal.size());
    if (open == uri_template.npos) {
      return uri.empty() ? std::optional(std::move(values)) : std::nullopt;
    }
    const std::size_t close = uri_template.find('}', open);
    if (close == uri_template.npos) {
      return std::nullopt;
    }
    std::string_view name = uri_template.substr(open + 1, close - open - 1);
    uri_template.remove_prefix(close + 1);
    const bool takes_slashes = name.starts_with('+') || name.ends_with('*');
    if (name.starts_with('+')) {
      name.remove_prefix(1);
    }
    if (name.ends_with('*')) {
      name.remove_suffix(1);
    }
    const std::string_view next = uri_template.substr(0, uri_template.find('{'));
    const std::size_t end = next.empty()    ? uri.size()
                            : takes_slashes ? uri.rfind(next)
                                            : uri.find(next);
    if (end == uri.npos || end == 0) {
      return std::nullopt;
    }
    const std::string_view value = uri.substr(0, end);
    if (!takes_slashes && value.contains('/')) {
      return std::nullopt;
    }
    values.Set(name, PercentDecoded(value));
    uri.remove_prefix(end);
  }
  return uri.empty() ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace stator::mcp
