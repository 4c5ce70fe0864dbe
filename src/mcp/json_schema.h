// Whether a value satisfies a JSON Schema (2020-12), for the arguments and results of tools.
//
// Understood: true and false, type, enum, const, allOf, anyOf, oneOf, not, if/then/else, $ref
// within the schema; for objects properties, required, additionalProperties, propertyNames,
// dependentRequired, minProperties, maxProperties; for arrays prefixItems, items, contains,
// minItems, maxItems, uniqueItems; for texts minLength, maxLength (in characters); for numbers
// minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf (as doubles). Everything else is
// passed over: pattern, patternProperties and format are for the tool itself to check.

#pragma once

#include <string>

#include "stator/stores/tasks/json.h"

namespace stator::mcp {

// Empty when it does, else what is wrong with which part, called by `name` and its path:
// "arguments.ms must be an integer".
std::string ProblemWith(const tasks::Json& value, const tasks::Json& schema,
                        const std::string& name);

// Empty when `schema` is one as far as it is understood, else what is wrong with it: a schema that
// is not one admits everything, and its author would not hear of it.
std::string ProblemWithSchema(const tasks::Json& schema, const std::string& name);

}  // namespace stator::mcp
