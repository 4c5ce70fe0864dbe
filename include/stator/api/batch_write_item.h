// BatchWriteItem: up to 25 puts and deletes, each on its own atomic, all of them not.

#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct PutRequest {
  Item item;
};

struct DeleteRequest {
  Item key;
};

using WriteRequest = std::variant<PutRequest, DeleteRequest>;

struct BatchWriteItemInput {
  std::map<std::string, std::vector<WriteRequest>> request_items;  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct BatchWriteItemOutput {
  std::map<std::string, std::vector<WriteRequest>> unprocessed_items = {};  // send these again
  std::map<std::string, std::vector<ItemCollectionMetrics>> item_collection_metrics = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace stator
