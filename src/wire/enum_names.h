// The names of enumerators on the wire.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "stator/api/database.h"
#include "wire/codec.h"

namespace stator::wire {

// kNames are in the order of the enumerators; kSet is the list as AWS's messages print it, which
// has an order of its own. Enumerators of answers have none: nobody refuses them by that message.
template <class Enum>
struct EnumNames;

template <>
struct EnumNames<ReturnValues> {
  static constexpr std::array<std::string_view, 5> kNames = {"NONE", "ALL_OLD", "UPDATED_OLD",
                                                             "ALL_NEW", "UPDATED_NEW"};
  static constexpr std::string_view kSet = "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW";
};

template <>
struct EnumNames<ReturnValuesOnConditionCheckFailure> {
  static constexpr std::array<std::string_view, 2> kNames = {"NONE", "ALL_OLD"};
  static constexpr std::string_view kSet = "ALL_OLD, NONE";
};

template <>
struct EnumNames<ReturnConsumedCapacity> {
  static constexpr std::array<std::string_view, 3> kNames = {"NONE", "TOTAL", "INDEXES"};
  static constexpr std::string_view kSet = "INDEXES, TOTAL, NONE";
};

template <>
struct EnumNames<ReturnItemCollectionMetrics> {
  static constexpr std::array<std::string_view, 2> kNames = {"NONE", "SIZE"};
  static constexpr std::string_view kSet = "SIZE, NONE";
};

template <>
struct EnumNames<Select> {
  static constexpr std::array<std::string_view, 4> kNames = {
      "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"};
  static constexpr std::string_view kSet =
      "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES";
};

template <>
struct EnumNames<ComparisonOperator> {
  static constexpr std::array<std::string_view, 13> kNames = {
      "EQ",      "NE",       "IN",   "LE",       "LT",           "GE",         "GT",
      "BETWEEN", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"};
  static constexpr std::string_view kSet =
      "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS";
};

template <>
struct EnumNames<ConditionalOperator> {
  static constexpr std::array<std::string_view, 2> kNames = {"AND", "OR"};
  static constexpr std::string_view kSet = "OR, AND";
};

template <>
struct EnumNames<AttributeAction> {
  static constexpr std::array<std::string_view, 3> kNames = {"PUT", "ADD", "DELETE"};
  static constexpr std::string_view kSet = "ADD, DELETE, PUT";
};

template <>
struct EnumNames<ScalarAttributeType> {
  static constexpr std::array<std::string_view, 3> kNames = {"S", "N", "B"};
  static constexpr std::string_view kSet = "B, N, S";
};

template <>
struct EnumNames<KeyType> {
  static constexpr std::array<std::string_view, 2> kNames = {"HASH", "RANGE"};
  static constexpr std::string_view kSet = "HASH, RANGE";
};

template <>
struct EnumNames<ProjectionType> {
  static constexpr std::array<std::string_view, 3> kNames = {"ALL", "KEYS_ONLY", "INCLUDE"};
  static constexpr std::string_view kSet = "ALL, INCLUDE, KEYS_ONLY";
};

template <>
struct EnumNames<BillingMode> {
  static constexpr std::array<std::string_view, 2> kNames = {"PROVISIONED", "PAY_PER_REQUEST"};
  static constexpr std::string_view kSet = "PROVISIONED, PAY_PER_REQUEST";
};

template <>
struct EnumNames<TableClass> {
  static constexpr std::array<std::string_view, 2> kNames = {"STANDARD",
                                                             "STANDARD_INFREQUENT_ACCESS"};
  static constexpr std::string_view kSet = "STANDARD, STANDARD_INFREQUENT_ACCESS";
};

template <>
struct EnumNames<TableStatus> {
  static constexpr std::array<std::string_view, 8> kNames = {"CREATING",
                                                             "UPDATING",
                                                             "DELETING",
                                                             "ACTIVE",
                                                             "INACCESSIBLE_ENCRYPTION_CREDENTIALS",
                                                             "ARCHIVING",
                                                             "ARCHIVED",
                                                             "REPLICATION_NOT_AUTHORIZED"};
};

template <>
struct EnumNames<IndexStatus> {
  static constexpr std::array<std::string_view, 4> kNames = {"CREATING", "UPDATING", "DELETING",
                                                             "ACTIVE"};
};

template <>
struct EnumNames<StreamViewType> {
  static constexpr std::array<std::string_view, 4> kNames = {"NEW_IMAGE", "OLD_IMAGE",
                                                             "NEW_AND_OLD_IMAGES", "KEYS_ONLY"};
  static constexpr std::string_view kSet = "NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY";
};

template <>
struct EnumNames<SseType> {
  static constexpr std::array<std::string_view, 2> kNames = {"AES256", "KMS"};
  static constexpr std::string_view kSet = "AES256, KMS";
};

template <>
struct EnumNames<BackupStatus> {
  static constexpr std::array<std::string_view, 3> kNames = {"CREATING", "DELETED", "AVAILABLE"};
};

template <>
struct EnumNames<BackupType> {
  static constexpr std::array<std::string_view, 3> kNames = {"USER", "SYSTEM", "AWS_BACKUP"};
};

template <>
struct EnumNames<BackupTypeFilter> {
  static constexpr std::array<std::string_view, 4> kNames = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
  static constexpr std::string_view kSet = "SYSTEM, AWS_BACKUP, ALL, USER";
};

template <>
struct EnumNames<ExportStatus> {
  static constexpr std::array<std::string_view, 3> kNames = {"IN_PROGRESS", "COMPLETED", "FAILED"};
};

template <>
struct EnumNames<ExportType> {
  static constexpr std::array<std::string_view, 2> kNames = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
  static constexpr std::string_view kSet = "INCREMENTAL_EXPORT, FULL_EXPORT";
};

template <>
struct EnumNames<ExportFormat> {
  static constexpr std::array<std::string_view, 2> kNames = {"DYNAMODB_JSON", "ION"};
  static constexpr std::string_view kSet = "ION, DYNAMODB_JSON";
};

template <>
struct EnumNames<ExportViewType> {
  static constexpr std::array<std::string_view, 2> kNames = {"NEW_IMAGE", "NEW_AND_OLD_IMAGES"};
  static constexpr std::string_view kSet = "NEW_IMAGE, NEW_AND_OLD_IMAGES";
};

template <>
struct EnumNames<S3SseAlgorithm> {
  static constexpr std::array<std::string_view, 2> kNames = {"AES256", "KMS"};
  static constexpr std::string_view kSet = "KMS, AES256";
};

template <>
struct EnumNames<ImportStatus> {
  static constexpr std::array<std::string_view, 5> kNames = {"IN_PROGRESS", "COMPLETED",
                                                             "CANCELLING", "CANCELLED", "FAILED"};
};

template <>
struct EnumNames<InputFormat> {
  static constexpr std::array<std::string_view, 3> kNames = {"DYNAMODB_JSON", "ION", "CSV"};
  static constexpr std::string_view kSet = "CSV, ION, DYNAMODB_JSON";
};

template <>
struct EnumNames<InputCompressionType> {
  static constexpr std::array<std::string_view, 3> kNames = {"GZIP", "ZSTD", "NONE"};
  static constexpr std::string_view kSet = "ZSTD, NONE, GZIP";
};

template <>
struct EnumNames<TimeToLiveStatus> {
  static constexpr std::array<std::string_view, 4> kNames = {"ENABLING", "DISABLING", "ENABLED",
                                                             "DISABLED"};
};

template <>
struct EnumNames<StreamStatus> {
  static constexpr std::array<std::string_view, 4> kNames = {"ENABLING", "ENABLED", "DISABLING",
                                                             "DISABLED"};
};

template <>
struct EnumNames<ShardIteratorType> {
  static constexpr std::array<std::string_view, 4> kNames = {
      "TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"};
  static constexpr std::string_view kSet =
      "TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER";
};

template <>
struct EnumNames<StreamEventName> {
  static constexpr std::array<std::string_view, 3> kNames = {"INSERT", "MODIFY", "REMOVE"};
};

template <>
struct EnumNames<ContributorInsightsAction> {
  static constexpr std::array<std::string_view, 2> kNames = {"ENABLE", "DISABLE"};
  static constexpr std::string_view kSet = "ENABLE, DISABLE";
};

template <>
struct EnumNames<ContributorInsightsMode> {
  static constexpr std::array<std::string_view, 2> kNames = {"ACCESSED_AND_THROTTLED_KEYS",
                                                             "THROTTLED_KEYS"};
  static constexpr std::string_view kSet = "ACCESSED_AND_THROTTLED_KEYS, THROTTLED_KEYS";
};

template <>
struct EnumNames<ContributorInsightsStatus> {
  static constexpr std::array<std::string_view, 5> kNames = {"ENABLING", "ENABLED", "DISABLING",
                                                             "DISABLED", "FAILED"};
};

template <>
struct EnumNames<DestinationStatus> {
  static constexpr std::array<std::string_view, 6> kNames = {
      "ENABLING", "ACTIVE", "DISABLING", "DISABLED", "ENABLE_FAILED", "UPDATING"};
};

template <>
struct EnumNames<CreationTimePrecision> {
  static constexpr std::array<std::string_view, 2> kNames = {"MILLISECOND", "MICROSECOND"};
  static constexpr std::string_view kSet = "MILLISECOND, MICROSECOND";
};

template <class Enum>
std::string_view WireName(Enum value) {
  return EnumNames<Enum>::kNames[static_cast<std::size_t>(value)];
}

template <class Enum>
  requires std::is_enum_v<Enum>
struct Codec<Enum> {
  static void Read(JsonElement json, const MemberPath& path, Decoding& decoding, Enum& value) {
    if (!json.is_string()) {
      (void)TextFrom(json, decoding);
      return;
    }
    const std::string_view text = json.get_string().value_unsafe();
    constexpr const auto& kNames = EnumNames<Enum>::kNames;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (kNames[i] == text) {
        value = static_cast<Enum>(i);
        return;
      }
    }
    if constexpr (requires { EnumNames<Enum>::kSet; }) {
      decoding.NoteUnknown(path, text, EnumNames<Enum>::kSet);
    } else {
      decoding.NoteUnknown(path, text, "");
    }
  }
  static void Append(Enum value, std::string& out) {
    out += '"';
    out += WireName(value);
    out += '"';
  }
};

}  // namespace stator::wire
