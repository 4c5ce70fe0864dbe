#include "stator/api/checkpoints.h"

#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<CheckpointDescription> {
  static constexpr std::string_view kName = "CheckpointDescription";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointName", message.checkpoint_name);
    visit.Required("CreationDateTime", message.creation_date_time);
    visit.Required("TableCount", message.table_count);
  }
};

template <>
struct Shape<CreateCheckpointInput> {
  static constexpr std::string_view kName = "CreateCheckpointInput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointName", message.checkpoint_name);
    visit.Defaulted("Replace", message.replace, false);
  }
};

template <>
struct Shape<CreateCheckpointOutput> {
  static constexpr std::string_view kName = "CreateCheckpointOutput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointDescription", message.checkpoint_description);
  }
};

template <>
struct Shape<RestoreCheckpointInput> {
  static constexpr std::string_view kName = "RestoreCheckpointInput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointName", message.checkpoint_name);
  }
};

template <>
struct Shape<RestoreCheckpointOutput> {
  static constexpr std::string_view kName = "RestoreCheckpointOutput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointDescription", message.checkpoint_description);
    visit.Required("ItemsChanged", message.items_changed);
    visit.Required("TablesRemoved", message.tables_removed);
    visit.Required("TablesReturned", message.tables_returned);
  }
};

template <>
struct Shape<DeleteCheckpointInput> {
  static constexpr std::string_view kName = "DeleteCheckpointInput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointName", message.checkpoint_name);
  }
};

template <>
struct Shape<DeleteCheckpointOutput> {
  static constexpr std::string_view kName = "DeleteCheckpointOutput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("CheckpointDescription", message.checkpoint_description);
  }
};

template <>
struct Shape<ListCheckpointsInput> {
  static constexpr std::string_view kName = "ListCheckpointsInput";
  static void Visit(auto& /*visit*/, auto& /*message*/) {}
};

template <>
struct Shape<ListCheckpointsOutput> {
  static constexpr std::string_view kName = "ListCheckpointsOutput";
  static void Visit(auto& visit, auto& message) {
    visit.Required("Checkpoints", message.checkpoints);
  }
};

template struct Body<CreateCheckpointInput>;
template struct Body<CreateCheckpointOutput>;
template struct Body<RestoreCheckpointInput>;
template struct Body<RestoreCheckpointOutput>;
template struct Body<DeleteCheckpointInput>;
template struct Body<DeleteCheckpointOutput>;
template struct Body<ListCheckpointsInput>;
template struct Body<ListCheckpointsOutput>;

}  // namespace stator::wire
