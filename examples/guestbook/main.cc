// A guest book that does not know where its data are. The same program, unchanged, on:
//
//   guestbook memory: Ada hello                   gone afterwards
//   guestbook ./guests Ada hello                  in a directory
//   guestbook http://127.0.0.1:8000 Ada hello     in a server
//   guestbook aws:eu-central-1 Ada hello          in Amazon DynamoDB
//
// Without a location it takes STATOR_DATABASE, else a directory. Each entry and the count of its
// guest are written together or not at all.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "stator/stator.h"

namespace {

using stator::AttributeNames;
using stator::Database;
using stator::ErrorCode;
using stator::Item;
using stator::Map;
using stator::Result;

constexpr const char* kTable = "guestbook";
constexpr int kAttempts = 100;

// Makes the table when there is none, and waits until it can be used.
Result<void> MakeTable(Database& database) {
  const auto made = database.CreateTable({
      .table_name = kTable,
      .attribute_definitions = {{"guest", stator::ScalarAttributeType::kString},
                                {"entry", stator::ScalarAttributeType::kNumber}},
      .key_schema = {{"guest", stator::KeyType::kHash}, {"entry", stator::KeyType::kRange}},
      .billing_mode = stator::BillingMode::kPayPerRequest,
  });
  if (!made && made.error().code != ErrorCode::kResourceInUse) {
    return std::unexpected(made.error());
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto described = database.DescribeTable({.table_name = kTable});
    if (described && described->table.table_status == stator::TableStatus::kActive) {
      return {};
    }
    stator::SystemClock().SleepFor(std::chrono::milliseconds(100));
  }
  return stator::Fail(ErrorCode::kTimeout, "the table does not become active");
}

// How many entries the guest has written; entry 0 counts them.
Result<std::int64_t> CountOf(Database& database, const std::string& guest) {
  const auto read = database.GetItem(
      {.table_name = kTable, .key = {{"guest", guest}, {"entry", 0}}, .consistent_read = true});
  if (!read) {
    return std::unexpected(read.error());
  }
  if (!read->item) {
    return 0;
  }
  const auto* const count = read->item->at("count").If<stator::Number>();
  return count == nullptr ? 0 : count->ToInt64();
}

// Two guests of one name may write at once: then one of the transactions is canceled and tried
// again with the next number.
Result<void> Write(Database& database, const std::string& guest, const std::string& message) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Result<std::int64_t> count = CountOf(database, guest);
    if (!count) {
      return std::unexpected(count.error());
    }
    const auto written = database.TransactWriteItems({
        .transact_items =
            {stator::TransactPut{
                 .table_name = kTable,
                 .item = {{"guest", guest}, {"entry", *count + 1}, {"message", message}},
                 .condition_expression = "attribute_not_exists(#guest)",
                 .expression_attribute_names = AttributeNames{{"#guest", "guest"}}},
             stator::TransactUpdate{
                 .table_name = kTable,
                 .key = {{"guest", guest}, {"entry", 0}},
                 .update_expression = "ADD #count :one",
                 .expression_attribute_names = AttributeNames{{"#count", "count"}},
                 .expression_attribute_values = Map{{":one", 1}}}},
    });
    if (written) {
      return {};
    }
    if (written.error().code != ErrorCode::kTransactionCanceled) {
      return std::unexpected(written.error());
    }
  }
  return stator::Fail(ErrorCode::kTransactionConflict, "too many guests of that name");
}

Result<int> Print(Database& database, const std::string& guest) {
  int printed = 0;
  for (const Result<Item>& item : stator::Items(
           database,
           stator::QueryInput{.table_name = kTable,
                              .key_condition_expression = "#guest = :guest AND #entry > :zero",
                              .expression_attribute_names =
                                  AttributeNames{{"#guest", "guest"}, {"#entry", "entry"}},
                              .expression_attribute_values = Map{{":guest", guest}, {":zero", 0}},
                              .consistent_read = true})) {
    if (!item) {
      return std::unexpected(item.error());
    }
    const auto* const message = item->at("message").If<std::string>();
    std::printf("%s wrote: %s\n", guest.c_str(), message == nullptr ? "?" : message->c_str());
    ++printed;
  }
  return printed;
}

Result<int> Run(const std::string& location, const std::string& guest, const std::string& message) {
  const auto database = stator::Open(location);
  if (!database) {
    return std::unexpected(database.error());
  }
  if (const Result<void> made = MakeTable(**database); !made) {
    return std::unexpected(made.error());
  }
  if (const Result<void> written = Write(**database, guest, message); !written) {
    return std::unexpected(written.error());
  }
  return Print(**database, guest);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const configured = std::getenv("STATOR_DATABASE");
  const std::string location = argc > 1                ? argv[1]
                               : configured != nullptr ? configured
                                                       : "guestbook.stator";
  const Result<int> printed =
      Run(location, argc > 2 ? argv[2] : "somebody", argc > 3 ? argv[3] : "hello");
  if (!printed) {
    std::fprintf(stderr, "guestbook: %s\n", printed.error().message.c_str());
    return 1;
  }
  return 0;
}
