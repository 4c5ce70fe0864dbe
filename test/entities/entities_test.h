// For tests of entities on every home: their tables, a clock and chance that the test holds in its
// hands, and a network that can be broken.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

template <class V>
testing::AssertionResult Succeeds(const Result<V>& result) {
  if (result) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

template <class V>
testing::AssertionResult FailsWith(const Result<V>& result, ErrorCode code) {
  if (result) {
    return testing::AssertionFailure() << "it succeeded";
  }
  if (result.error().code == code) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

template <class T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << TextOf(result.error());
    return T();
  }
  return *std::move(result);
}

// What is there, and has to be.
template <class T>
T MustFind(Result<std::optional<T>> result) {
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
    return *Repo::Open(faulty(), std::move(options), environment());
  }
  // Another program, without faults.
  template <class Repo>
  Repo Others(RepositoryOptions options = {}) {
    MakeTableOnce(Repo::Describe().entity, options.table_name);
    return *Repo::Open(db(), std::move(options), environment());
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
