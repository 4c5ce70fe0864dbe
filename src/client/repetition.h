// Whether a call may be sent again after an attempt whose answer was lost, when that attempt may
// have been carried out. The list of operations says so (stator/api/operations.inc):
//
//   reads                                   always
//   TransactWriteItems                      always: its token makes the repetition harmless
//   PutItem, DeleteItem, BatchWriteItem     yes: done twice is done once. Not when the old item is
//                                           to be returned: the repetition would return its own
//   operations on tables, tags              yes, likewise
//   UpdateItem                              no: "ADD hits 1" would count twice, and only the
//                                           expression knows
//   ExecuteStatement, a batch               only when nothing but SELECT is in it
//   ExecuteTransaction                      always, by its token
//
// After such a repetition only a success tells the outcome (and, of a transaction, a refusal): a
// condition may have failed because of the first attempt. Everything else is kAmbiguous.

#pragma once

#include "api/operations.h"
#include "api/statement_text.h"

namespace stator::client {

using api::Repetition;

template <class Input>
Repetition RepetitionOf(const Input& input) {
  if constexpr (requires { input.return_values; }) {
    if (input.return_values != ReturnValues::kNone) {
      return Repetition::kOnce;
    }
  }
  if constexpr (requires { api::IsSelect(input); }) {
    if (api::IsSelect(input)) {
      return Repetition::kReads;
    }
  }
  return api::OperationOf<Input>::kOperation.repetition;
}

}  // namespace stator::client
