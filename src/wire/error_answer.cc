#include "wire/error_answer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <utility>
#include <vector>

#include "stator/api/error_details.h"
#include "value/dynamodb_json.h"
#include "wire/body_parser.h"
#include "wire/error_names.h"
#include "wire/service_words.h"

namespace stator::wire {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

// Spellings beside those that Stator's own server uses.
struct Alias {
  std::string_view name;
  ErrorCode code;
};
constexpr std::array<Alias, 29> kAliases = {{
    {"TableNotFoundException", ErrorCode::kTableNotFound},
    {"IndexNotFoundException", ErrorCode::kResourceNotFound},
    {"TableInUseException", ErrorCode::kResourceInUse},
    {"ContinuousBackupsUnavailableException", ErrorCode::kResourceInUse},
    {"DuplicateItem", ErrorCode::kDuplicateItem},
    {"ReplicatedWriteConflictException", ErrorCode::kTransactionConflict},
    {"AccessDenied", ErrorCode::kAccessDenied},
    {"NotAuthorized", ErrorCode::kAccessDenied},
    {"OptInRequired", ErrorCode::kAccessDenied},
    {"InvalidClientTokenId", ErrorCode::kUnrecognizedClient},
    {"SignatureDoesNotMatch", ErrorCode::kInvalidSignature},
    {"MissingAuthenticationToken", ErrorCode::kMissingAuthenticationToken},
    {"ExpiredToken", ErrorCode::kExpiredToken},
    {"RequestExpired", ErrorCode::kInvalidSignature},
    {"Throttling", ErrorCode::kThrottled},
    {"ThrottledException", ErrorCode::kThrottled},
    {"RequestThrottled", ErrorCode::kThrottled},
    {"RequestThrottledException", ErrorCode::kThrottled},
    {"TooManyRequestsException", ErrorCode::kThrottled},
    {"SlowDown", ErrorCode::kThrottled},
    {"InternalFailure", ErrorCode::kInternal},
    {"ServiceUnavailable", ErrorCode::kUnavailable},
    {"RequestTimeout", ErrorCode::kTimeout},
    {"RequestTimeoutException", ErrorCode::kTimeout},
    {"ExportNotFoundException", ErrorCode::kResourceNotFound},
    {"ExportConflictException", ErrorCode::kIdempotentParameterMismatch},
    {"InvalidExportTimeException", ErrorCode::kInvalidRestoreTime},
    {"ImportNotFoundException", ErrorCode::kResourceNotFound},
    {"ImportConflictException", ErrorCode::kIdempotentParameterMismatch},
}};

// Of several codes with one name, the first one.
std::optional<ErrorCode> CodeNamed(std::string_view name) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kAmbiguous); ++code) {
    if (NameOnWire(static_cast<ErrorCode>(code)).name == name) {
      return static_cast<ErrorCode>(code);
    }
  }
  const auto* const alias = std::ranges::find(kAliases, name, &Alias::name);
  return alias == kAliases.end() ? std::nullopt : std::optional(alias->code);
}

ErrorCode CodeOfStatus(int status) {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return ErrorCode::kAccessDenied;
    case 408:
    case 504:
      return ErrorCode::kTimeout;
    case 429:
      return ErrorCode::kThrottled;
    case 502:
    case 503:
      return ErrorCode::kUnavailable;
    default:
      return status >= 400 && status < 500 ? ErrorCode::kValidation : ErrorCode::kInternal;
  }
}

// The service has one name for whatever is missing, the api has two codes.
ErrorCode CodeOfMissing(const api::Operation& operation) {
  switch (operation.resource) {
    case api::Resource::kTable:
    case api::Resource::kBackups:
    case api::Resource::kBackupArn:
    case api::Resource::kExports:
    case api::Resource::kExportArn:
    case api::Resource::kImports:
    case api::Resource::kImportArn:
    case api::Resource::kAccount:
      return ErrorCode::kTableNotFound;
    case api::Resource::kResourceArn:
    case api::Resource::kStream:
    case api::Resource::kCheckpoint:
      return ErrorCode::kResourceNotFound;
  }
  std::unreachable();
}

// "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", and in headers also
// "ValidationException:http://internal.amazon.com/...".
std::string_view BareName(std::string_view type) {
  type = type.substr(0, type.find(':'));
  const std::size_t hash = type.rfind('#');
  return hash == std::string_view::npos ? type : type.substr(hash + 1);
}

std::optional<std::string> TextOf(object json, std::string_view key) {
  std::string_view text;
  return json[key].get(text) == SUCCESS ? std::optional<std::string>(text) : std::nullopt;
}

std::optional<Item> ItemOf(object json) {
  element item;
  if (json["Item"].get(item) != SUCCESS) {
    return std::nullopt;
  }
  Result<Map> read = value::MapFromJson(item);
  return read ? std::optional<Item>(*std::move(read)) : std::nullopt;
}

std::shared_ptr<const ErrorDetail> DetailOf(ErrorCode code, object json) {
  if (code == ErrorCode::kConditionFailed) {
    auto detail = std::make_shared<ConditionFailedDetail>();
    detail->item = ItemOf(json);
    return detail;
  }
  simdjson::dom::array reasons;
  if (code != ErrorCode::kTransactionCanceled ||
      json["CancellationReasons"].get(reasons) != SUCCESS) {
    return nullptr;
  }
  auto detail = std::make_shared<TransactionCanceledDetail>();
  for (const element entry : reasons) {
    CancellationReason& reason = detail->cancellation_reasons.emplace_back();
    object members;
    if (entry.get(members) == SUCCESS) {
      reason.code = TextOf(members, "Code").value_or("None");
      reason.message = TextOf(members, "Message");
      reason.item = ItemOf(members);
      if (reason.code == "ValidationError") {
        reason.error = CodeOfValidation(reason.message.value_or(""));
      }
    }
  }
  return detail;
}

Error FromNothing(const ErrorAnswer& answer) {
  return {.code = CodeOfStatus(answer.status),
          .message = "the endpoint answered with HTTP status " + std::to_string(answer.status) +
                     " and no DynamoDB error"};
}

Error FromObject(const ErrorAnswer& answer, object json) {
  const std::string type =
      TextOf(json, "__type").value_or(TextOf(json, "code").value_or(std::string(answer.type)));
  const std::string_view name = BareName(type);
  std::optional<std::string> message = TextOf(json, "message");
  if (!message) {
    message = TextOf(json, "Message");
  }
  if (name.empty() && !message) {
    return FromNothing(answer);
  }
  Error error{.code = CodeOfStatus(answer.status), .message = message.value_or("")};
  if (const std::optional<ErrorCode> code = CodeNamed(name)) {
    error.code = *code;
  } else {
    error.message = std::string(name) + ": " + error.message;
  }
  if (error.code == ErrorCode::kTableNotFound && answer.operation != nullptr) {
    error.code = CodeOfMissing(*answer.operation);
  }
  if (error.code == ErrorCode::kValidation) {
    error.code = CodeOfValidation(error.message);
  }
  error.detail = DetailOf(error.code, json);
  return error;
}

}  // namespace

Error ErrorFrom(const ErrorAnswer& answer) {
  BodyParser& parser = BodyParser::OfThisThread();
  const Result<element> body = parser.Parse(answer.body);
  object json;
  Error error = body && body->get(json) == SUCCESS ? FromObject(answer, json) : FromNothing(answer);
  parser.Finish();
  return error;
}

}  // namespace stator::wire
