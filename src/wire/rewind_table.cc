#include "stator/api/rewind_table.h"

#include "wire/exact_moment.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<RewindTableInput> {
  static constexpr std::string_view kName = "RewindTableInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    Exact moment(input.rewind_date_time);
    visit.Required("RewindDateTime", moment);
  }
};

template <>
struct Shape<RewindTableOutput> {
  static constexpr std::string_view kName = "RewindTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
    Exact moment(output.rewind_date_time);
    visit.Required("RewindDateTime", moment);
    Exact undo(output.undo_date_time);
    visit.Required("UndoDateTime", undo);
    visit.Required("ItemsChanged", output.items_changed);
    visit.Required("RewindInProgress", output.rewind_in_progress);
  }
};

template struct Body<RewindTableInput>;
template struct Body<RewindTableOutput>;

}  // namespace stator::wire
