#include "liveness/held_disk.h"

#include <thread>

#include "base/check.h"

namespace stator::liveness {

HeldDisk::HeldDisk() {
  Open();
  MakeTable("things");
}

HeldDisk::~HeldDisk() {
  disk_->Heal();  // nothing stands any more
}

void HeldDisk::Open(std::size_t queue_bytes_max, const engine::GoingBackLimits& going_back) {
  engine_.reset();
  engine::EngineOptions options;
  options.store.path = "/db";
  options.store.disk = disk_;
  options.store.queue_bytes_max = queue_bytes_max;
  options.clock = &clock_;
  options.random = &random_;
  options.housekeeping_interval = {};
  options.going_back = going_back;
  Result<std::unique_ptr<engine::Engine>> opened = engine::Engine::Open(options);
  CHECK_THAT(opened.has_value(), opened.error().message);
  engine_ = *std::move(opened);
}

void HeldDisk::LosePower() {
  disk_->CutPower();
  engine_.reset();
  disk_->RestorePower();
  disk_->Heal();
  Open();
}

void HeldDisk::AwaitQuiet() {
  while (!db().IsQuiet()) {
    std::this_thread::yield();
  }
}

void HeldDisk::MakeTable(const std::string& name, bool with_stream) {
  CreateTableInput input{
      .table_name = name,
      .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
      .key_schema = {{"pk", KeyType::kHash}},
      .billing_mode = BillingMode::kPayPerRequest,
  };
  if (with_stream) {
    input.stream_specification = StreamSpecification{
        .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages};
  }
  ASSERT_TRUE(db().CreateTable(input).has_value());
  db().AwaitBackgroundJobs();  // Their syncs are not those that a test lets pass.
}

void HeldDisk::Put(const Item& item) {
  ASSERT_TRUE(db().PutItem({.table_name = "things", .item = item}).has_value());
}

std::optional<Item> HeldDisk::Get(const std::string& pk) {
  return db()
      .GetItem({.table_name = "things", .key = {{"pk", pk}}, .consistent_read = true})
      .value()
      .item;
}

Answer<PutItemOutput> HeldDisk::StartPut(const Item& item, const std::string& condition) {
  Answer<PutItemOutput> answer;
  PutItemInput input{.table_name = "things", .item = item};
  if (!condition.empty()) {
    input.condition_expression = condition;
  }
  db().StartPutItem(input, answer.Expect());
  return answer;
}

Answer<UpdateItemOutput> HeldDisk::StartCount(const std::string& pk) {
  Answer<UpdateItemOutput> answer;
  db().StartUpdateItem({.table_name = "things",
                        .key = {{"pk", pk}},
                        .update_expression = "ADD n :one",
                        .expression_attribute_values = Map{{":one", 1}},
                        .return_values = ReturnValues::kUpdatedNew},
                       answer.Expect());
  return answer;
}

TransactWriteItemsInput HeldDisk::TransactionOn(const std::string& pk, const std::string& token) {
  return {.transact_items = {TransactPut{.table_name = "things",
                                         .item = {{"pk", pk}, {"by", "transaction"}}}},
          .client_request_token = token};
}

std::int64_t NumberIn(const Item& item, const std::string& name) {
  return item.at(name).If<Number>()->ToInt64().value_or(-1);
}

}  // namespace stator::liveness
