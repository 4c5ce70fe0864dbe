// For tests: the database that the model is compared with, and what the commands share.

#pragma once

#include <rapidcheck/state.h>

#include <memory>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/model.h"

namespace stator::model {

struct Sut {
  std::unique_ptr<engine::Engine> database;
  std::size_t commands = 0;  // run so far, over all cases
};

using Command = rc::state::Command<Model, Sut>;

// An engine in memory with the tables of the model.
std::unique_ptr<engine::Engine> OpenEmpty();

// The key attributes, as the database takes them.
Item KeyItem(const Table& table, const Key& key);

// The value; a failed case with the error's words when there is none.
template <class T>
T Must(Result<T> result) {
  if (!result) {
    RC_FAIL(std::string(NameOf(result.error().code)) + ": " + result.error().message);
  }
  return *std::move(result);
}

// What a write ended with; a failed case when it is none of the three.
template <class T>
Outcome OutcomeOf(const Result<T>& result) {
  if (result) {
    return Outcome::kDone;
  }
  switch (result.error().code) {
    case ErrorCode::kConditionFailed:
      return Outcome::kConditionFailed;
    case ErrorCode::kValidation:
      return Outcome::kInvalid;
    default:
      RC_FAIL(std::string(NameOf(result.error().code)) + ": " + result.error().message);
  }
}

std::string ShowItems(const std::vector<Item>& items);

}  // namespace stator::model
