// For tests of entities on every home: their tables, a clock and chance that the test holds in its
// hands, and a network that can be broken.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "entities/entities.h"
#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/patterns/environment.h"
#include "support/faulty_database.h"
#include "support/printing.h"

namespace stator::entities {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using patterns::Attribute;
using patterns::Expiry;
using patterns::Update;
using support::Fault;

// 2026-11-15T00:00:00Z
inline constexpr std::int64_t kNow = 1'794'700'800;

inline std::string TextOf(const Error& error) {
  return std::string(stator::NameOf(error.code)) + ": " + error.message;
}
inline std::string TextOf(const patterns::TransactionFailure& failure) {
  return failure.Describe();
}
template <class... Alternatives>
std::string TextOf(const std::variant<NotFound, Alternatives...>& error) {
  return detail::Describe(static_cast<detail::FailureKind>(error.index()),
                          std::visit(detail::MoreAbout(), error));
}

template <class V, class E>
testing::AssertionResult Succeeds(const std::expected<V, E>& result) {
  if (result) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

// Whether the result is a failure of that kind: FailsWith<NotFound>(accounts.Remove(account)).
template <class Kind, class V, class... Alternatives>
testing::AssertionResult FailsWith(
    const std::expected<V, std::variant<NotFound, Alternatives...>>& result) {
  if (result) {
    return testing::AssertionFailure() << "it succeeded";
  }
  if (std::holds_alternative<Kind>(result.error())) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

template <class T, class E>
T Must(std::expected<T, E> result) {
  if (!result) {
    ADD_FAILURE() << TextOf(result.error());
    return T();
  }
  return *std::move(result);
}

// What is there, and has to be.
template <class T, class E>
T MustFind(std::expected<std::optional<T>, E> result) {
  std::optional<T> found = Must(std::move(result));
  if (!found) {
    ADD_FAILURE() << "there is none";
    return T();
  }
  return *std::move(found);
}

CreateTableInput MakeTable(const EntityDescription& entity);

class EntitiesTest : public testing::Test {
 protected:
  EntitiesTest();

  // Without faults; for setting up, for the other writer, for looking at what there is.
  [[nodiscard]] Database& db() { return home_->database(); }
  [[nodiscard]] homes::TestDatabase& home() { return *home_; }
  // What the repositories under test talk to.
  [[nodiscard]] support::FaultyDatabase& faulty() { return *faulty_; }
  [[nodiscard]] patterns::Environment environment() {
    return {.clock = &clock_, .random = &random_};
  }

  // Makes the entity's table and a repository.
  template <class Repo>
  Repo Open(RepositoryOptions options = {}) {
    MakeTableOnce(Repo::Describe().entity, options.table_name);
    return *Repo::Make(faulty(), std::move(options), environment());
  }
  // Another program, without faults.
  template <class Repo>
  Repo Others(RepositoryOptions options = {}) {
    MakeTableOnce(Repo::Describe().entity, options.table_name);
    return *Repo::Make(db(), std::move(options), environment());
  }

  void Put(const std::string& table, const Item& item);
  [[nodiscard]] std::optional<Item> Get(const std::string& table, const Item& key);
  void Delete(const std::string& table, const Item& key);
  // All items, by whatever road; for looking only.
  [[nodiscard]] std::vector<Item> All(const std::string& table);

  ManualClock clock_{TimePoint(std::chrono::seconds(kNow))};
  SeededRandom random_{7};

 private:
  void MakeTableOnce(const EntityDescription& entity, const std::string& name);

  std::unique_ptr<homes::TestDatabase> home_;
  std::unique_ptr<support::FaultyDatabase> faulty_;
  std::vector<std::string> tables_;
};

}  // namespace stator::entities
