// Which operations may be sent again after an attempt whose answer was lost, when that attempt may
// have been carried out.
//
//   reads                                   always
//   TransactWriteItems                      always: its token makes the repetition harmless
//   PutItem, DeleteItem, BatchWriteItem     yes: done twice is done once. Not when the old item is
//                                           to be returned: the repetition would return its own
//   operations on tables, tags              yes, likewise
//   UpdateItem                              no: "ADD hits 1" would count twice, and only the
//                                           expression knows
//
// After such a repetition only a success tells the outcome (and, of a transaction, a refusal): a
// condition may have failed because of the first attempt. Everything else is kAmbiguous.

#pragma once

#include <cstdint>

#include "stator/api/database.h"

namespace stator::client {

enum class Repetition : std::uint8_t {
  kReads,       // changes nothing
  kTokened,     // the endpoint recognises a repetition
  kIdempotent,  // a repetition changes nothing more
  kOnce,        // must not be carried out twice
};

template <class Input>
Repetition RepetitionOf(const Input& /*input*/) {
  return Repetition::kReads;
}

inline Repetition RepetitionOf(const PutItemInput& input) {
  return input.return_values == ReturnValues::kNone ? Repetition::kIdempotent : Repetition::kOnce;
}
inline Repetition RepetitionOf(const DeleteItemInput& input) {
  return input.return_values == ReturnValues::kNone ? Repetition::kIdempotent : Repetition::kOnce;
}
inline Repetition RepetitionOf(const UpdateItemInput& /*input*/) {
  return Repetition::kOnce;
}
inline Repetition RepetitionOf(const BatchWriteItemInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const TransactWriteItemsInput& /*input*/) {
  return Repetition::kTokened;
}
inline Repetition RepetitionOf(const CreateTableInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const UpdateTableInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const DeleteTableInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const UpdateTimeToLiveInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const UpdateContinuousBackupsInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const TagResourceInput& /*input*/) {
  return Repetition::kIdempotent;
}
inline Repetition RepetitionOf(const UntagResourceInput& /*input*/) {
  return Repetition::kIdempotent;
}

}  // namespace stator::client
