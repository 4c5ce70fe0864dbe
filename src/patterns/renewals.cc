#include "stator/patterns/renewals.h"

#include <optional>
#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

Result<std::unique_ptr<Renewals>> Renewals::Make(Database& database, TableLayout layout,
                                                 RenewalOptions options, Environment environment) {
  constexpr int kIntervalsMin = 10;
  if (!layout.expiry_attribute) {
    return Invalid("items of table " + layout.table_name + " do not expire");
  }
  if (options.interval <= Duration::zero() || options.runway < options.interval * kIntervalsMin) {
    return Invalid("a runway shorter than ten intervals: a few lost renewals would end a life");
  }
  return std::unique_ptr<Renewals>(
      new Renewals(database, std::move(layout), std::move(options), environment));
}

Renewals::Renewals(Database& database, TableLayout layout, RenewalOptions options,
                   Environment environment)
    : database_(&database),
      layout_(std::move(layout)),
      attribute_(layout_.expiry_attribute.value_or("")),
      runway_(options.runway),
      environment_(environment),
      queue_(std::move(options.queue), environment) {}

bool Renewals::Touch(const Item& item) {
  const Result<Item> key = KeyOf(layout_, item);
  const std::optional<Expiry> expiry = Expiry::Of(item, attribute_);
  if (!key || !expiry) {
    return false;
  }
  const TimePoint now = environment_.clock->Now();
  const Duration left = expiry->moment() - now;
  if (left <= Duration::zero() || left >= runway_ / 2) {
    return false;
  }
  queue_.Submit(KeyText(*key), "renewal", [this, key = *key]() -> Result<void> {
    const AttributeValue until = Expiry::After(*environment_.clock, runway_).ToValue();
    const Attribute attribute(attribute_);
    const Condition alive_and_shorter =
        Present(layout_, environment_.clock->Now()) && attribute < until;
    const Result<UpdateItemOutput> done = database_->UpdateItem(
        MakeUpdate(layout_.table_name, key, Update().Set(attribute, until), alive_and_shorter));
    // Gone, expired or renewed by somebody else: nothing is left to do.
    if (!done && done.error().code != ErrorCode::kConditionFailed) {
      return std::unexpected(done.error());
    }
    return {};
  });
  return true;
}

}  // namespace stator::patterns
