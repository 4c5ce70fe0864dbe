#include "wire/error_names.h"

#include <utility>

#include "stator/api/error_details.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::wire {
namespace {

// The front end of AWS's services, and DynamoDB behind it.
constexpr std::string_view kFront = "com.amazon.coral.service#";
constexpr std::string_view kValidate = "com.amazon.coral.validate#";
constexpr std::string_view kAvailability = "com.amazon.coral.availability#";
constexpr std::string_view kDynamoDb = "com.amazonaws.dynamodb.v20120810#";

// What the home of the data says about itself is for its log, not for its clients.
std::string_view PublicMessage(const Error& error, int status) {
  if (status < 500) {
    return error.message;
  }
  return status == 503 ? "The service is currently unavailable or busy."
                       : "The request processing has failed because of an unknown error, "
                         "exception or failure.";
}

// These operations have names of their own for a table that is missing or busy.
bool IsAboutBackups(const api::Operation* operation) {
  return operation != nullptr && (operation->resource == api::Resource::kBackups ||
                                  operation->resource == api::Resource::kBackupArn ||
                                  operation->resource == api::Resource::kExports);
}

// So do those about exports and imports, for what is not there, what was asked before, and times. Empty
// where they have none.
std::string_view OwnName(ErrorCode code, const api::Operation* operation) {
  if (operation == nullptr) {
    return {};
  }
  switch (operation->resource) {
    case api::Resource::kExports:
      return code == ErrorCode::kIdempotentParameterMismatch ? "ExportConflictException"
             : code == ErrorCode::kInvalidRestoreTime        ? "InvalidExportTimeException"
                                                             : "";
    case api::Resource::kExportArn:
      return code == ErrorCode::kResourceNotFound ? "ExportNotFoundException" : "";
    case api::Resource::kImports:
      return code == ErrorCode::kIdempotentParameterMismatch ? "ImportConflictException" : "";
    case api::Resource::kImportArn:
      return code == ErrorCode::kResourceNotFound ? "ImportNotFoundException" : "";
    default:
      return {};
  }
}

void AppendMember(std::string_view key, std::string_view text, std::string& out) {
  value::AppendJsonString(key, out);
  out += ':';
  value::AppendJsonString(text, out);
}

void AppendItem(const Item& item, std::string& out) {
  out += R"("Item":)";
  value::AppendDynamoDbJson(item, out);
}

void AppendReason(const CancellationReason& reason, std::string& out) {
  out += '{';
  AppendMember("Code", reason.code, out);
  if (reason.item) {
    out += ',';
    AppendItem(*reason.item, out);
  }
  if (reason.message) {
    out += ',';
    AppendMember("Message", *reason.message, out);
  }
  out += '}';
}

void AppendDetail(const Error& error, std::string& out) {
  if (const auto* failed = dynamic_cast<const ConditionFailedDetail*>(error.detail.get());
      failed != nullptr && failed->item) {
    out += ',';
    AppendItem(*failed->item, out);
  }
  if (const auto* canceled = dynamic_cast<const TransactionCanceledDetail*>(error.detail.get())) {
    out += R"(,"CancellationReasons":[)";
    for (const CancellationReason& reason : canceled->cancellation_reasons) {
      if (&reason != canceled->cancellation_reasons.data()) {
        out += ',';
      }
      AppendReason(reason, out);
    }
    out += ']';
  }
}

}  // namespace

ErrorName NameOnWire(ErrorCode code, const api::Operation* operation) {
  if (const std::string_view name = OwnName(code, operation); !name.empty()) {
    return {kDynamoDb, name};
  }
  switch (code) {
    case ErrorCode::kValidation:
    case ErrorCode::kTooLarge:
    case ErrorCode::kIndexNotFound:
      return {kValidate, "ValidationException"};
    case ErrorCode::kSerialization:
      return {kFront, "SerializationException", 400, "Message"};
    case ErrorCode::kUnknownOperation:
      return {kFront, "UnknownOperationException", 400, "Message"};
    case ErrorCode::kTableNotFound:
      if (IsAboutBackups(operation)) {
        return {kDynamoDb, "TableNotFoundException"};
      }
      [[fallthrough]];
    case ErrorCode::kResourceNotFound:
      return {kDynamoDb, "ResourceNotFoundException"};
    case ErrorCode::kResourceInUse:
      return {kDynamoDb,
              IsAboutBackups(operation) ? "TableInUseException" : "ResourceInUseException"};
    case ErrorCode::kLimitExceeded:
      return {kDynamoDb, "LimitExceededException"};
    case ErrorCode::kItemCollectionTooLarge:
      return {kDynamoDb, "ItemCollectionSizeLimitExceededException"};
    case ErrorCode::kIdempotentParameterMismatch:
      return {kDynamoDb, "IdempotentParameterMismatchException", 400, "Message"};
    case ErrorCode::kExpiredIterator:
      return {kDynamoDb, "ExpiredIteratorException"};
    case ErrorCode::kTrimmedData:
      return {kDynamoDb, "TrimmedDataAccessException"};
    case ErrorCode::kBackupNotFound:
      return {kDynamoDb, "BackupNotFoundException"};
    case ErrorCode::kBackupInUse:
      return {kDynamoDb, "BackupInUseException"};
    case ErrorCode::kTableAlreadyExists:
      return {kDynamoDb, "TableAlreadyExistsException"};
    case ErrorCode::kRecoveryUnavailable:
      return {kDynamoDb, "PointInTimeRecoveryUnavailableException"};
    case ErrorCode::kInvalidRestoreTime:
      return {kDynamoDb, "InvalidRestoreTimeException"};
    case ErrorCode::kPolicyNotFound:
      return {kDynamoDb, "PolicyNotFoundException"};
    case ErrorCode::kConditionFailed:
      return {kDynamoDb, "ConditionalCheckFailedException"};
    case ErrorCode::kTransactionCanceled:
      return {kDynamoDb, "TransactionCanceledException", 400, "Message"};
    case ErrorCode::kDuplicateItem:
      return {kDynamoDb, "DuplicateItemException"};
    case ErrorCode::kTransactionConflict:
      return {kDynamoDb, "TransactionConflictException"};
    case ErrorCode::kTransactionInProgress:
      return {kDynamoDb, "TransactionInProgressException", 400, "Message"};
    case ErrorCode::kAccessDenied:
      return {kFront, "AccessDeniedException", 400, "Message"};
    case ErrorCode::kUnrecognizedClient:
      return {kFront, "UnrecognizedClientException"};
    case ErrorCode::kInvalidSignature:
      return {kFront, "InvalidSignatureException"};
    case ErrorCode::kIncompleteSignature:
      return {kFront, "IncompleteSignatureException"};
    case ErrorCode::kMissingAuthenticationToken:
      return {kFront, "MissingAuthenticationTokenException"};
    case ErrorCode::kExpiredToken:
      return {kFront, "ExpiredTokenException"};
    case ErrorCode::kThroughputExceeded:
      return {kDynamoDb, "ProvisionedThroughputExceededException"};
    case ErrorCode::kThrottled:
      return {kAvailability, "ThrottlingException"};
    case ErrorCode::kRequestLimitExceeded:
      return {kDynamoDb, "RequestLimitExceeded"};
    case ErrorCode::kInternal:
      return {kDynamoDb, "InternalServerError", 500};
    case ErrorCode::kUnavailable:
      return {kAvailability, "ServiceUnavailableException", 503};
    case ErrorCode::kNotFound:
    case ErrorCode::kExpired:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict:
    case ErrorCode::kRefused:
    case ErrorCode::kNotUnique:
    case ErrorCode::kNotOwner:
    case ErrorCode::kStale:
    case ErrorCode::kIllegalTransition:
    case ErrorCode::kNotReady:
    case ErrorCode::kLeaseHeld:
    case ErrorCode::kLeaseLost:
    case ErrorCode::kIncomplete:
    case ErrorCode::kFutureVersion:
    case ErrorCode::kMissingMigration:
      // A server of stores would have a protocol of its own.
    case ErrorCode::kTimeout:
    case ErrorCode::kIo:
    case ErrorCode::kCorruption:
    case ErrorCode::kAmbiguous:
      return {kDynamoDb, "InternalServerError", 500};
  }
  std::unreachable();
}

std::string ErrorBody(const Error& error, const api::Operation* operation) {
  const ErrorName name = NameOnWire(error.code, operation);
  std::string body = R"({"__type":")";
  body += name.prefix;
  body += name.name;
  body += '"';
  if (const std::string_view message = PublicMessage(error, name.status); !message.empty()) {
    body += ',';
    AppendMember(name.message_key, message, body);
  }
  if (error.detail != nullptr) {
    AppendDetail(error, body);
  }
  body += '}';
  return body;
}

Answer AnswerFor(const Error& error, const api::Operation* operation) {
  const ErrorName name = NameOnWire(error.code, operation);
  return {.status = name.status,
          .body = ErrorBody(error, operation),
          .operation = operation == nullptr ? std::string_view() : operation->name,
          .error = name.name};
}

}  // namespace stator::wire
