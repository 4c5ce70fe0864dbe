#include "stator/patterns/expiry.h"

#include <algorithm>

#include "base/try.h"
#include "patterns/expiry_check.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/update.h"

namespace stator::patterns {

namespace {

// Of milliseconds this is 1973-03-03, of seconds the year 5138.
constexpr std::int64_t kSecondsEnd = 100'000'000'000;

}  // namespace

Result<Expiry> Expiry::At(std::chrono::sys_seconds moment) {
  return FromSeconds(moment.time_since_epoch().count());
}

Result<Expiry> Expiry::FromSeconds(std::int64_t seconds) {
  if (seconds <= 0) {
    return Invalid("an expiry of " + std::to_string(seconds) +
                   " would never be swept; to expire an item now, write the current time");
  }
  if (seconds >= kSecondsEnd) {
    return Invalid("an expiry of " + std::to_string(seconds) +
                   " is no count of seconds; were these milliseconds?");
  }
  return Expiry(seconds);
}

Expiry Expiry::After(const Clock& clock, Duration span) {
  const auto moment = std::chrono::ceil<std::chrono::seconds>(clock.Now() + span);
  return Expiry(std::clamp<std::int64_t>(moment.time_since_epoch().count(), 1, kSecondsEnd - 1));
}

Expiry Expiry::Now(const Clock& clock) {
  return Expiry(std::clamp<std::int64_t>(EpochSeconds(clock.Now()), 1, kSecondsEnd - 1));
}

std::optional<Expiry> Expiry::Of(const Item& item, std::string_view attribute) {
  const AttributeValue* value = item.Find(attribute);
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  if (number == nullptr) {
    return std::nullopt;
  }
  const Result<std::int64_t> seconds = number->ToInt64();
  const Result<Expiry> expiry = seconds ? FromSeconds(*seconds) : std::unexpected(seconds.error());
  return expiry ? std::optional(*expiry) : std::nullopt;
}

Result<void> CheckExpiry(const TableLayout& layout, const Item& item) {
  const AttributeValue* const value =
      layout.expiry_attribute ? item.Find(*layout.expiry_attribute) : nullptr;
  if (value == nullptr) {
    return {};
  }
  const Number* const number = value->If<Number>();
  const Result<std::int64_t> seconds = number == nullptr ? Invalid("") : number->ToInt64();
  if (!seconds) {
    return Invalid("the expiry in " + *layout.expiry_attribute +
                   " is no whole number of seconds, so the item would never expire");
  }
  TRY_VOID(Expiry::FromSeconds(*seconds));
  return {};
}

bool IsExpired(const Item& item, std::string_view attribute, TimePoint now) {
  const AttributeValue* value = item.Find(attribute);
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  return number != nullptr && *number <= Number(EpochSeconds(now));
}

bool IsExpired(const Item& item, const TableLayout& layout, TimePoint now) {
  return layout.expiry_attribute && IsExpired(item, *layout.expiry_attribute, now);
}

Condition Expired(const Attribute& attribute, TimePoint now) {
  return attribute <= EpochSeconds(now);
}

Condition NotExpired(const Attribute& attribute, TimePoint now) {
  // Not the same as > when the attribute is missing or of another type: such items live.
  return !Expired(attribute, now);
}

Condition NotExpired(const TableLayout& layout, TimePoint now) {
  return layout.expiry_attribute ? NotExpired(*layout.expiry_attribute, now) : Condition();
}

Condition Absent(const TableLayout& layout, TimePoint now) {
  const Condition none = ItemNotExists(layout);
  return layout.expiry_attribute ? none || Expired(*layout.expiry_attribute, now) : none;
}

Condition Present(const TableLayout& layout, TimePoint now) {
  return ItemExists(layout) && NotExpired(layout, now);
}

Result<bool> ExpireNow(Database& database, const TableLayout& layout, const Item& key,
                       const Environment& environment) {
  if (!layout.expiry_attribute) {
    return Invalid("items of table " + layout.table_name + " do not expire");
  }
  const auto done = database.UpdateItem(
      MakeUpdate(layout.table_name, key,
                 Update().Set(*layout.expiry_attribute, Expiry::Now(*environment.clock).ToValue()),
                 Present(layout, environment.clock->Now())));
  if (!done && done.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(done.error());
  }
  return done.has_value();
}

}  // namespace stator::patterns
