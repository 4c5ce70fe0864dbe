// What is checked of a request before any table is looked at, in the service's order: one list for
// each operation on items, in the files beside this one.
//
// The engine begins with it and gets the expressions, made ready to use. The wire comes here when it
// could not read something, and hears what the service would say first: values that could not be
// read are faults noted in `noticed`, which the list comes across at their places.
//
// Everything here borrows from the request.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "api/violations.h"
#include "expression/condition.h"
#include "expression/expression_cache.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "request/expressions.h"
#include "stator/api/database.h"
#include "stator/base/result.h"

namespace stator::request {

struct Context {
  expression::ExpressionCache& expressions;
  api::Violations& noticed;
};

struct WriteExpressions {
  std::optional<expression::Condition> condition;
  std::optional<expression::Update> update;
};

struct ReadExpressions {
  BoundKeyCondition keys;  // of a Query
  std::optional<expression::Condition> filter;
  std::optional<expression::Projection> projection;
};

using Projections = std::vector<std::optional<expression::Projection>>;

Result<WriteExpressions> Check(const PutItemInput& input, const Context& context);
Result<WriteExpressions> Check(const UpdateItemInput& input, const Context& context);
Result<WriteExpressions> Check(const DeleteItemInput& input, const Context& context);

Result<ReadExpressions> Check(const GetItemInput& input, const Context& context);
Result<ReadExpressions> Check(const QueryInput& input, const Context& context);
Result<ReadExpressions> Check(const ScanInput& input, const Context& context);

// One projection for each table, in the order of the map; the bytes of all items.
Result<Projections> Check(const BatchGetItemInput& input, const Context& context);
Result<std::size_t> Check(const BatchWriteItemInput& input, const Context& context);

// In the order of the actions.
Result<Projections> Check(const TransactGetItemsInput& input, const Context& context);
Result<std::vector<WriteExpressions>> Check(const TransactWriteItemsInput& input,
                                            const Context& context);

// For a request in which nothing was noticed so far.
template <class Input>
auto Check(const Input& input, expression::ExpressionCache& expressions) {
  api::Violations noticed;
  return Check(input, Context{expressions, noticed});
}

// An item of so many bytes (value/size.h) may be stored: it is within 400 KB.
Result<void> CheckItemSize(std::size_t item_bytes);

}  // namespace stator::request
