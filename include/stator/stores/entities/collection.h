// The entities of several types in one partition of a table that they share, in one query: a
// customer with its orders and notes, as single-table design wants it.
//
//   using Customers = Collection<Customer, Order, Note>;
//   const auto customers = Customers::Open(database, {.table_name = "shop"});
//   const auto page = customers->QueryPage({"ann"});
//   for (const auto& entity : page->entities) {
//     std::visit(Overloaded{[](const Versioned<Customer>& customer) { ... },
//                           [](const Versioned<Order>& order) { ... },
//                           [](const Versioned<Note>& note) { ... }},
//                entity);
//   }
//
// They come in the order of the sort key, whatever they are. Items that are none of them are left
// out. It reads only: writing is what the repositories are for.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/stores/entities/detail/change_run.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/query.h"
#include "stator/stores/entities/shared_table.h"
#include "stator/stores/entities/verbs.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

struct CollectionQuery {
  // On the sort key's attribute.
  patterns::Condition sort = {};
  std::optional<std::size_t> limit = std::nullopt;  // of the items that one request looks at
  bool forward = true;
  bool consistent_read = false;
  std::optional<std::string> start_after = std::nullopt;  // `next` of a page
};

template <Entity First, Entity... Others>
class Collection {
 public:
  using Value = std::variant<Versioned<First>, Versioned<Others>...>;

  struct Page {
    std::vector<Value> entities = {};
    std::optional<std::string> next = std::nullopt;  // present when there may be more
  };

  // `database` must outlive the collection and its copies. Fails with kValidation when no table is
  // named, or the entities cannot share one (CheckShared) or have partitions of another form.
  static Result<Collection> Open(Database& database, const RepositoryOptions& options,
                                 patterns::Environment environment = {}) {
    const std::vector<EntityDescription> entities = Describe();
    if (options.table_name.empty()) {
      return Invalid("a collection needs the name of the table that its entities share");
    }
    if (Result<void> shared = CheckShared(entities); !shared) {
      return std::unexpected(std::move(shared).error());
    }
    if (Result<void> same = CheckSamePartitions(entities); !same) {
      return std::unexpected(std::move(same).error());
    }
    Cores cores;
    Result<void> made;
    std::size_t place = 0;
    const auto add = [&]<class T>(std::type_identity<T> /*of*/) {
      auto core =
          detail::EntityCore::Make(database, entities::Describe<T>(), detail::MigrationsOf<T>(),
                                   detail::kCodecOf<T>, options, environment);
      if (core) {
        cores[place++] = *std::move(core);
      } else if (made) {
        made = std::unexpected(std::move(core).error());
      }
    };
    add(std::type_identity<First>());
    (add(std::type_identity<Others>()), ...);
    if (!made) {
      return std::unexpected(std::move(made).error());
    }
    return Collection(std::move(cores));
  }

  static std::vector<EntityDescription> Describe() {
    return {entities::Describe<First>(), entities::Describe<Others>()...};
  }

  [[nodiscard]] const patterns::TableLayout& table() const { return cores_.front()->table(); }

  // What one request brings, and where to go on.
  [[nodiscard]] Result<Page> QueryPage(const Partition<First>& partition,
                                       const CollectionQuery& query = {}) const {
    const auto asked = cores_.front()->MakeQuery("", partition.value(), query.sort, std::nullopt,
                                                 {.partition = {},
                                                  .limit = query.limit,
                                                  .forward = query.forward,
                                                  .consistent_read = query.consistent_read},
                                                 query.start_after);
    if (!asked) {
      return std::unexpected(asked.error());
    }
    auto found = cores_.front()->QueryAll("", *asked);
    if (!found) {
      return std::unexpected(std::move(found).error());
    }
    Page page;
    if (found->next) {
      page.next = cores_.front()->CursorOf("", asked->partition, *found->next);
    }
    for (Item& item : found->items) {
      if (Result<void> taken = Take<0, First, Others...>(std::move(item), page.entities); !taken) {
        return std::unexpected(std::move(taken).error());
      }
    }
    return page;
  }

  // All of them, over as many requests as that takes.
  [[nodiscard]] Result<std::vector<Value>> Query(const Partition<First>& partition,
                                                 CollectionQuery query = {}) const {
    std::vector<Value> all;
    do {
      Result<Page> page = QueryPage(partition, query);
      if (!page) {
        return std::unexpected(std::move(page).error());
      }
      all.insert(all.end(), std::make_move_iterator(page->entities.begin()),
                 std::make_move_iterator(page->entities.end()));
      query.start_after = std::move(page->next);
    } while (query.start_after);
    return all;
  }

 private:
  using Cores = std::array<std::shared_ptr<const detail::EntityCore>, 1 + sizeof...(Others)>;

  explicit Collection(Cores cores) : cores_(std::move(cores)) {}

  // The item goes to the entity whose key it has.
  template <std::size_t kPlace, class T, class... Rest>
  Result<void> Take(Item&& item, std::vector<Value>& entities) const {
    if (!cores_[kPlace]->IsOurs(item)) {
      if constexpr (sizeof...(Rest) > 0) {
        return Take<kPlace + 1, Rest...>(std::move(item), entities);
      } else {
        return {};
      }
    }
    auto entity = detail::ToVersioned<T>(cores_[kPlace]->StateOf(std::move(item)));
    if (!entity) {
      return std::unexpected(std::move(entity).error());
    }
    entities.emplace_back(*std::move(entity));
    return {};
  }

  Cores cores_;
};

}  // namespace stator::entities
