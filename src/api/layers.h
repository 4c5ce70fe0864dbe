// The service has validated requests in a new way since 2026, operation by operation: with other
// words, and reporting less at once. Which operations it has reached is said here, one line each.

#pragma once

#include <cstdint>

#include "stator/api/database.h"
#include "value/words.h"

namespace stator::api {

enum class Layer : std::uint8_t {
  kOlder,      // everything that breaks a constraint in one message; values in the older words
  kCurrent,    // the new words
  kEnveloped,  // the new words, and "1 validation error detected: " before whatever is found
               // without a look at the table
};

template <class Input>
inline constexpr Layer kLayerOf = Layer::kOlder;

template <>
inline constexpr Layer kLayerOf<PutItemInput> = Layer::kEnveloped;
template <>
inline constexpr Layer kLayerOf<UpdateItemInput> = Layer::kEnveloped;
template <>
inline constexpr Layer kLayerOf<DeleteItemInput> = Layer::kEnveloped;
template <>
inline constexpr Layer kLayerOf<GetItemInput> = Layer::kCurrent;
template <>
inline constexpr Layer kLayerOf<BatchGetItemInput> = Layer::kCurrent;
template <>
inline constexpr Layer kLayerOf<QueryInput> = Layer::kCurrent;

constexpr value::Words WordsOf(Layer layer) {
  return layer == Layer::kOlder ? value::Words::kOlder : value::Words::kCurrent;
}

}  // namespace stator::api
