// DynamoDB's limits, each with its source. The sources are pages of AWS's developer guide:
//   [quotas]   "Quotas in Amazon DynamoDB" / "Service, account, and table quotas"
//   [naming]   "Supported data types and naming rules in Amazon DynamoDB"
//   [expr]     "Quotas", section "Expression parameters"
//   [model]    the published Smithy model of the API (constraints of its shapes)
//   [multikey] "Multi-attribute keys pattern" of global secondary indexes
//   [ttl]      "Using time to live (TTL) in DynamoDB"
//   [streams]  "Change data capture for DynamoDB Streams"

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stator::limits {

inline constexpr std::size_t kKilobyte = 1024;
inline constexpr std::size_t kMegabyte = 1024 * kKilobyte;

// Items and keys.
inline constexpr std::size_t kItemBytesMax = 400 * kKilobyte;  // [quotas] names and values count
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;     // [quotas]
inline constexpr std::size_t kSortKeyBytesMax = 1024;          // [quotas]
inline constexpr std::size_t kAttributeNameBytesMax = 64 * kKilobyte - 1;  // [naming]
inline constexpr std::size_t kKeyAttributeNameBytesMax = 255;  // [naming] keys, index projections
inline constexpr std::size_t kNestingDepthMax = 32;            // [quotas] documents

// Numbers. [naming]
inline constexpr int kNumberDigitsMax = 38;
inline constexpr int kNumberExponentMin = -130;  // of the leading digit: 1E-130
inline constexpr int kNumberExponentMax = 125;   // of the leading digit: 9.99...E+125

// Tables and indexes.
inline constexpr std::size_t kTableNameLengthMin = 3;             // [naming]
inline constexpr std::size_t kTableNameLengthMax = 255;           // [naming]
inline constexpr std::size_t kGlobalIndexesMax = 20;              // [quotas]
inline constexpr std::size_t kLocalIndexesMax = 5;                // [quotas]
inline constexpr std::size_t kProjectedAttributesMax = 100;       // [quotas] over all indexes
inline constexpr std::size_t kIndexKeyAttributesMax = 4;          // [multikey] partition, and sort
inline constexpr std::size_t kTagsMax = 50;                       // [quotas]
inline constexpr std::int64_t kTableCapacityUnitsMax = 40'000;    // [quotas] per table, default
inline constexpr std::int64_t kAccountCapacityUnitsMax = 80'000;  // [quotas] per account, default
inline constexpr std::uint64_t kItemCollectionBytesMax = kMegabyte * 1024 * 10;  // [quotas]

// Requests.
inline constexpr std::size_t kPageBytesMax = kMegabyte;              // [quotas] Query, Scan
inline constexpr std::size_t kBatchWriteRequestsMax = 25;            // [quotas]
inline constexpr std::size_t kBatchGetKeysMax = 100;                 // [quotas]
inline constexpr std::size_t kBatchBytesMax = 16 * kMegabyte;        // [quotas]
inline constexpr std::size_t kTransactionActionsMax = 100;           // [quotas]
inline constexpr std::size_t kTransactionBytesMax = 4 * kMegabyte;   // [quotas]
inline constexpr std::size_t kRequestBodyBytesMax = 16 * kMegabyte;  // [quotas] BatchWriteItem's
inline constexpr std::int32_t kScanSegmentsMax = 1'000'000;          // [model]
inline constexpr std::int32_t kListTablesLimitMax = 100;             // [model]

// Policies that are attached to tables and streams, white space included: PutResourcePolicy, API
// reference.
inline constexpr std::size_t kResourcePolicyBytesMax = 20 * 1024;

// Idempotency tokens. [model]: 1 to 36 characters; the API reference of TransactWriteItems: a token
// is valid for 10 minutes after the first request that uses it was finished.
inline constexpr std::size_t kClientRequestTokenLengthMax = 36;
inline constexpr std::chrono::minutes kClientRequestTokenValidity{10};

// Expressions. [expr]
inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kExpressionSubstitutionBytesMax = 2 * kMegabyte;
inline constexpr std::size_t kExpressionOperandsOfInMax = 100;

// Statements of PartiQL. [model]; pages of a read that names several partitions with IN: "Use of
// the IN operator", Operators of PartiQL.
inline constexpr std::size_t kStatementLengthMax = 8192;
inline constexpr std::size_t kNextTokenLengthMax = 32768;
inline constexpr std::size_t kBatchStatementsMax = 25;
inline constexpr std::int32_t kPartitionInPageMax = 10;

// Expiry. [ttl]: values five years or more in the past are ignored.
inline constexpr std::int64_t kTtlIgnoredBeforeSeconds = 5LL * 365 * 24 * 3600;

// Streams.
inline constexpr std::chrono::hours kStreamRetention{24};      // [streams]
inline constexpr std::int32_t kGetRecordsLimitMax = 1000;      // [model]
inline constexpr std::size_t kGetRecordsBytesMax = kMegabyte;  // GetRecords, API reference
inline constexpr std::chrono::minutes kShardIteratorValidity{
    15};  // GetShardIterator, API reference

}  // namespace stator::limits
