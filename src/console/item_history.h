// What an item was, for the page.

#pragma once

#include <string_view>

#include "console/sources.h"
#include "server/pages.h"
#include "stator/api/database.h"
#include "wire/exchange.h"

namespace stator::console {

// {"table": …, "key": …, "before": microseconds}: some of the versions of the item, newest first; the
// last is left out for the first of them. For whom may read the item as it is.
server::Page ItemHistory(const Sources& sources, Database& database, const wire::Caller& caller,
                         std::string_view body);

}  // namespace stator::console
