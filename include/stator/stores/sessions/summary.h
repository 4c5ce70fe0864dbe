// A whole session as one query found it.
//
//   const Result<Summary> summary = session.Load();
//   for (const Typed<PostGroup>& group : *summary->Of<PostGroup>()) { ... }

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/mapping/mapping_error.h"
#include "stator/stores/sessions/record.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

// What a record that its struct does not fit is reported as.
Error UndecodableRecord(const Record& record, const Error& error);

template <class T>
Result<Typed<T>> Decode(Result<Record> record) {
  if (!record) {
    return std::unexpected(std::move(record).error());
  }
  Result<T> value = FromItem<T>(record->value);
  if (!value) {
    return std::unexpected(UndecodableRecord(*record, value.error()));
  }
  return Typed<T>{.value = *std::move(value), .record = *std::move(record)};
}

template <class T>
Result<std::vector<Typed<T>>> DecodeAll(const std::vector<Record>& records) {
  std::vector<Typed<T>> all;
  for (const Record& record : records) {
    Result<Typed<T>> one = Decode<T>(record);
    if (!one) {
      return std::unexpected(std::move(one).error());
    }
    all.push_back(*std::move(one));
  }
  return all;
}

struct Summary {
  Record session;
  std::vector<Record> records = {};  // by sort key
  // Items of keys that the workflow does not know: kept, not understood.
  std::vector<Item> unknown = {};
  // Invisible: of former epochs, of former sessions, expired, or parts that nothing refers to.
  std::size_t hidden = 0;

  [[nodiscard]] std::vector<Record> OfKind(std::string_view kind) const {
    std::vector<Record> found;
    std::copy_if(records.begin(), records.end(), std::back_inserter(found),
                 [&](const Record& record) { return record.kind == kind; });
    return found;
  }

  template <class T>
  [[nodiscard]] Result<std::vector<Typed<T>>> Of() const {
    return DecodeAll<T>(OfKind(KindOf<T>::kName));
  }
};

}  // namespace stator::sessions
