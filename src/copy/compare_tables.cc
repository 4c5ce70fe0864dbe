#include "copy/compare_tables.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/retry.h"
#include "value/dynamodb_json.h"

namespace stator::copy {
namespace {

class Comparing {
 public:
  Comparing(const Side& from, const Side& to, const CompareOptions& options)
      : from_(from), to_(to), options_(options) {}

  Result<CompareReport> Run() {
    TRY_VOID(Walk(from_, [this](const std::vector<Item>& items) { return LookFor(items); }));
    TRY_VOID(Walk(to_, [this](const std::vector<Item>& items) { return LookBack(items); }));
    return std::move(report_);
  }

 private:
  template <class Take>
  Result<void> Walk(const Side& side, const Take& take) {
    std::optional<Item> behind;
    do {
      const ScanInput input{.table_name = side.layout.table_name,
                            .exclusive_start_key = behind,
                            .consistent_read = true};
      ScanOutput page = TRY(patterns::RetryTransient(kPatience, options_.environment,
                                                     [&] { return side.database->Scan(input); }));
      TRY_VOID(take(std::move(page.items).value_or(std::vector<Item>())));
      behind = std::move(page.last_evaluated_key);
    } while (behind);
    return {};
  }

  Result<std::vector<std::optional<Item>>> Get(const Side& side, const std::vector<Item>& keys) {
    patterns::BatchReadOutcome outcome =
        patterns::BatchReader(*side.database, {.retry = kPatience}, options_.environment)
            .Read(side.layout, keys);
    if (!outcome.complete()) {
      return std::unexpected(outcome.error.value_or(
          Error{.code = ErrorCode::kUnavailable, .message = "items could not be read"}));
    }
    return std::move(outcome.items);
  }

  [[nodiscard]] bool HasExpired(const Side& side, const Item& item) const {
    return side.ttl_attribute &&
           patterns::IsExpired(item, *side.ttl_attribute, options_.environment.clock->Now());
  }

  Result<void> LookFor(const std::vector<Item>& items) {
    report_.items += items.size();
    const std::vector<Item> suspects = TRY(Suspects(items));
    if (suspects.empty()) {
      return {};
    }
    if (options_.settle) {
      TRY_VOID(options_.settle());
    }
    // What is there now, on both sides.
    std::vector<Item> keys;
    keys.reserve(suspects.size());
    for (const Item& item : suspects) {
      keys.push_back(TRY(KeyOn(from_, item)));
    }
    std::vector<Item> current;
    for (std::optional<Item>& item : TRY(Get(from_, keys))) {
      if (item) {
        current.push_back(*std::move(item));
      }
    }
    for (const Item& item : TRY(Suspects(current))) {
      const Item key = TRY(KeyOn(to_, item));
      const bool is_there = TRY(Get(to_, {key}))[0].has_value();
      ++(is_there ? report_.different : report_.missing);
      Example(is_there ? "different" : "missing", key);
    }
    return {};
  }

  // Those of the first table that the second has not, or otherwise.
  Result<std::vector<Item>> Suspects(const std::vector<Item>& items) {
    std::vector<Item> keys;
    keys.reserve(items.size());
    for (const Item& item : items) {
      keys.push_back(TRY(KeyOn(to_, item)));
    }
    const std::vector<std::optional<Item>> there = TRY(Get(to_, keys));
    std::vector<Item> suspects;
    for (std::size_t index = 0; index < items.size(); ++index) {
      const bool is_same =
          there[index] ? *there[index] == items[index] : HasExpired(from_, items[index]);
      if (!is_same) {
        suspects.push_back(items[index]);
      }
    }
    return suspects;
  }

  Result<void> LookBack(const std::vector<Item>& items) {
    std::vector<Item> suspects;  // keys in the second table
    for (std::size_t index = 0; const bool is_there : TRY(AreInFirst(items))) {
      const Item& item = items[index++];
      if (!is_there && !HasExpired(to_, item)) {
        suspects.push_back(TRY(KeyOn(to_, item)));
      }
    }
    if (suspects.empty()) {
      return {};
    }
    if (options_.settle) {
      TRY_VOID(options_.settle());
    }
    std::vector<Item> still;
    for (std::optional<Item>& item : TRY(Get(to_, suspects))) {
      if (item) {
        still.push_back(*std::move(item));
      }
    }
    for (std::size_t index = 0; const bool is_there : TRY(AreInFirst(still))) {
      const Item& item = still[index++];
      if (!is_there) {
        ++report_.extra;
        Example("extra", TRY(KeyOn(to_, item)));
      }
    }
    return {};
  }

  // Which of the second table's items the first has. One without the first table's key came from
  // elsewhere.
  Result<std::vector<bool>> AreInFirst(const std::vector<Item>& items) {
    std::vector<bool> are_there(items.size(), false);
    std::vector<Item> keys;
    std::vector<std::size_t> indexes;
    for (std::size_t index = 0; index < items.size(); ++index) {
      if (Result<Item> key = KeyOn(from_, items[index])) {
        keys.push_back(*std::move(key));
        indexes.push_back(index);
      }
    }
    const std::vector<std::optional<Item>> found = TRY(Get(from_, keys));
    for (std::size_t each = 0; each < keys.size(); ++each) {
      are_there[indexes[each]] = found[each].has_value();
    }
    return are_there;
  }

  void Example(const char* what, const Item& key) {
    if (report_.examples.size() < options_.examples_max) {
      report_.examples.push_back(std::string(what) + ": " + value::ToDynamoDbJson(key));
    }
  }

  const Side& from_;
  const Side& to_;
  const CompareOptions& options_;
  CompareReport report_;
};

}  // namespace

Result<CompareReport> CompareTables(const Side& from, const Side& to,
                                    const CompareOptions& options) {
  return Comparing(from, to, options).Run();
}

}  // namespace stator::copy
