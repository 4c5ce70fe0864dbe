// Which generation a POST is of, by its body first and its version header second.

#pragma once

#include <boost/beast/http.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json_rpc.h"
#include "mcp/server_core.h"

namespace stator::mcp {

inline constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";

// Modern: without a session, with headers that repeat the body.
inline bool IsModernPost(const Json& json, std::string_view version_header) {
  const Message message = ParseMessage(json);
  return version_header == kModernVersion || ClaimsModern(message);
}

// All values of a header, in the order in which they came.
template <class Fields>
HeaderLookup LookInto(const Fields& fields) {
  return [&fields](const std::string& name) {
    std::vector<std::string> values;
    const auto [begin, end] = fields.equal_range(name);
    for (auto field = begin; field != end; ++field) {
      values.emplace_back(field->value());
    }
    return values;
  };
}

// Why a modern message is not taken, if it is not. A notification always is.
template <class Fields>
std::optional<Refusal> RefusalOfModern(const ServerCore& core, const Json& json,
                                       const Fields& fields, const tasks::Owner& owner) {
  const Message message = ParseMessage(json);
  switch (message.kind) {
    case MessageKind::kNotification:
      return std::nullopt;
    case MessageKind::kInvalid:
      return Refusal{.fault = {.code = kInvalidRequest, .message = message.problem}};
    case MessageKind::kResponse:
      return Refusal{.fault = {.code = kInvalidRequest, .message = "nothing was asked"}};
    case MessageKind::kRequest:
      break;
  }
  if (message.method == "initialize" && !ClaimsModern(message)) {
    return Refusal{.fault = {.code = kHeaderMismatch,
                             .message = "initialize is none of this protocol version"}};
  }
  return core.CheckModern(message, LookInto(fields), owner);
}

// The status of an answer that has not begun as a stream.
inline unsigned StatusOf(const Json& answer) {
  const Json* const error = answer.Find("error");
  const Json* const code = error == nullptr ? nullptr : error->Find("code");
  const std::int64_t number = code == nullptr ? 0 : code->ToInt64().value_or(0);
  return number == kHeaderMismatch || number == kMissingCapability || number == kUnsupportedVersion
             ? 400
             : 200;
}

}  // namespace stator::mcp
