#include "copy/copy_state.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/value/number.h"
#include "value/dynamodb_json.h"

namespace stator::copy {
namespace {

Result<void> NotAState() {
  return Fail(ErrorCode::kValidation,
              "this is no record of a copy's progress; give another --progress file");
}

template <class T>
Result<T> Field(const Map& map, const char* name) {
  const AttributeValue* const value = map.Find(name);
  const T* const field = value == nullptr ? nullptr : value->If<T>();
  if (field == nullptr) {
    return std::unexpected(NotAState().error());
  }
  return *field;
}

Result<std::int64_t> WholeNumber(const Map& map, const char* name) {
  const Number number = TRY(Field<Number>(map, name));
  const Result<std::int64_t> whole = number.ToInt64();
  if (!whole || *whole < 0) {
    return std::unexpected(NotAState().error());
  }
  return *whole;
}

}  // namespace

bool CopyState::is_done() const {
  return !segments.empty() && std::all_of(segments.begin(), segments.end(),
                                          [](const auto& segment) { return segment.is_done; });
}

std::uint64_t CopyState::items() const {
  std::uint64_t sum = 0;
  for (const SegmentState& segment : segments) {
    sum += segment.items;
  }
  return sum;
}

std::string ToJson(const CopyState& state) {
  List segments;
  for (const SegmentState& segment : state.segments) {
    Map map{{"isDone", segment.is_done}, {"items", segment.items}};
    if (segment.behind) {
      map.Set("behind", *segment.behind);
    }
    segments.emplace_back(std::move(map));
  }
  return value::ToDynamoDbJson(Map{{"subject", state.subject},
                                   {"begun", state.begun.time_since_epoch().count()},
                                   {"segments", std::move(segments)}});
}

Result<CopyState> ParseCopyState(std::string_view text) {
  const Result<Item> parsed = value::ParseDynamoDbItem(text);
  if (!parsed) {
    return std::unexpected(NotAState().error());
  }
  CopyState state{.subject = TRY(Field<std::string>(*parsed, "subject")), .segments = {}};
  state.begun = TimePoint(TimePoint::duration(TRY(WholeNumber(*parsed, "begun"))));
  for (const AttributeValue& each : TRY(Field<List>(*parsed, "segments"))) {
    const Map* const map = each.If<Map>();
    if (map == nullptr) {
      return std::unexpected(NotAState().error());
    }
    SegmentState segment{.is_done = TRY(Field<bool>(*map, "isDone")),
                         .items = static_cast<std::uint64_t>(TRY(WholeNumber(*map, "items")))};
    if (map->contains("behind")) {
      segment.behind = TRY(Field<Map>(*map, "behind"));
    }
    state.segments.push_back(std::move(segment));
  }
  if (state.segments.empty()) {
    return std::unexpected(NotAState().error());
  }
  return state;
}

}  // namespace stator::copy
