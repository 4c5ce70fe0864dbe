// For tests: what random commands are made of. The ranges are small, so that commands meet.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.h"

namespace stator::model {

// Each draws from RapidCheck's current randomness; only within a generator.
std::size_t AnyTable();
Key AnyKey(std::size_t table);
Attributes AnyItem(const Table& table, const Key& key);
Condition AnyCondition(bool may_be_none);
Update AnyUpdate();

// A write of any kind but kCheck, or of any kind.
Write AnyWrite(const Model& model, bool may_be_check);
// Up to `count` writes of different items.
std::vector<Write> AnyWrites(const Model& model, std::size_t count, bool for_transaction);

// Different keys, of any table.
std::vector<std::pair<std::size_t, Key>> AnyKeys(std::size_t count);

std::string Show(const Write& write);

}  // namespace stator::model
