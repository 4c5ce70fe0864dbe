// Queries of entities: the items of one partition of the table or of an index, page by page.
//
//   for (const auto& order : orders.Query({"ann"}, {.sort = SortKey<Order>::From(17),
//                                                   .filter = Where<&Order::state>() == "open"})) {
//     if (!order) { return Report(order.error()); }
//     Use(order->data);
//   }
//
// A range asks for a page when it is needed, and ends behind the last item or behind the first
// error, which is its last element. What has expired is left out by the database, and again here.
//
// THREADS: a range belongs to one thread.

#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/patterns/expression.h"
#include "stator/patterns/live_items.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/fields.h"
#include "stator/stores/entities/index_name.h"
#include "stator/stores/entities/sort_key.h"
#include "stator/stores/entities/versioned.h"
#include "stator/value/attribute_value.h"

namespace stator::entities {

template <Entity T, IndexName kIndex = "">
struct EntityQuery {
  // By the fields of the sort key (sort_key.h).
  SortRange<T, kIndex> sort = {};
  // On fields (fields.h). What it leaves out has been read, and is paid for.
  FieldCondition<T> filter = {};
  std::optional<std::size_t> limit = std::nullopt;  // of what is returned
  bool forward = true;
  // Not on global indexes, which lag behind the table.
  bool consistent_read = false;
  bool include_expired = false;
  std::optional<std::string> start_after = std::nullopt;  // `next` of a page
};

// The partition of a query: the fields that the template of the partition key names.
template <Entity T, IndexName kIndex = "">
class Partition {
  static constexpr bool kOfTable = kIndex.view().empty();
  static_assert(kOfTable || detail::HasIndex<T>(kIndex.view()),
                "stator: the entity has no such index");
  static constexpr KeyTemplate kKey = detail::PartitionKeyOf<T, kIndex>();
  static constexpr auto kFields = detail::MakePartitionFields<T>(kKey.text);

 public:
  // NOLINTBEGIN(google-explicit-constructor): {"ann"} is a partition.
  template <class... Arguments>
    requires((sizeof...(Arguments) > 0 || kFields.count == 0) &&
             !(std::same_as<std::remove_cvref_t<Arguments>, Partition> || ...))
  Partition(Arguments&&... fields)
      : value_(
            Make(detail::MakeOfFields<T, kFields>(Maker(), std::forward<Arguments>(fields)...))) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Result<AttributeValue>& value() const { return value_; }

 private:
  static const detail::AttributeMaker& Maker() {
    static const detail::AttributeMaker maker(
        detail::DescribeKey<T>(kKey, kOfTable ? "pk" : detail::FieldAlone(kKey.text)));
    return maker;
  }

  static Result<AttributeValue> Make(Result<std::optional<AttributeValue>> made) {
    if (!made) {
      return std::unexpected(std::move(made).error());
    }
    return std::move(**made);
  }

  Result<AttributeValue> value_;
};

template <Entity T>
struct EntityPage {
  std::vector<Versioned<T>> entities = {};
  // Present when there may be more: `start_after` of the same query. Letters, digits, '-' and '_',
  // to be given to clients and taken back; of another query it is refused with kValidation.
  std::optional<std::string> next = std::nullopt;
};

namespace detail {

template <class T, IndexName kIndex>
Result<patterns::LiveQuery> ToLiveQuery(const EntityCore& core, const Partition<T, kIndex>& of,
                                        const EntityQuery<T, kIndex>& query) {
  return core.MakeQuery(kIndex.view(), of.value(), query.sort.condition(), query.filter.error(),
                        {.partition = {},
                         .filter = query.filter.condition(),
                         .limit = query.limit,
                         .forward = query.forward,
                         .consistent_read = query.consistent_read,
                         .include_expired = query.include_expired},
                        query.start_after);
}

}  // namespace detail

// An input range of Result<Versioned<T>>; can be walked through once.
template <Entity T>
class EntityRange {
 public:
  using Element = Result<Versioned<T>>;

  EntityRange(std::shared_ptr<const detail::EntityCore> core, std::string_view index,
              Result<patterns::LiveQuery> query, bool completes = false)
      : core_(std::move(core)), index_(index), completes_(completes) {
    if (query) {
      query_ = *std::move(query);
      left_ = query_.limit.value_or(static_cast<std::size_t>(-1));
    } else {
      element_ = std::unexpected(std::move(query).error());
      ended_ = true;
    }
  }

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Element;

    Iterator() = default;
    explicit Iterator(EntityRange& range) : range_(&range) {}

    Element& operator*() const { return *range_->element_; }
    Element* operator->() const { return &*range_->element_; }
    Iterator& operator++() {
      range_->Advance();
      return *this;
    }
    void operator++(int) { range_->Advance(); }
    bool operator==(std::default_sentinel_t /*end*/) const { return !range_->element_; }

   private:
    EntityRange* range_ = nullptr;
  };

  Iterator begin() {
    if (!element_ && !ended_) {
      Advance();
    }
    return Iterator(*this);
  }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  void Advance() {
    element_.reset();
    ended_ = ended_ || left_ == 0;
    while (!ended_ && position_ >= page_.items.size()) {
      Fetch();
      if (element_) {
        return;
      }
    }
    if (ended_) {
      return;
    }
    --left_;
    element_ = detail::ToVersioned<T>(core_->StateOf(std::move(page_.items[position_++])));
    if (!*element_) {
      ended_ = true;
      page_.items.clear();
    }
  }

  void Fetch() {
    if (asked_ && !page_.next) {
      ended_ = true;
      return;
    }
    if (asked_) {
      query_.start_after = std::move(page_.next);
    }
    asked_ = true;
    position_ = 0;
    Result<patterns::LivePage> page = core_->QueryOnce(index_, query_, completes_);
    if (!page) {
      page_ = {};
      ended_ = true;
      element_ = std::unexpected(std::move(page).error());
      return;
    }
    page_ = *std::move(page);
  }

  std::shared_ptr<const detail::EntityCore> core_;
  std::string index_;
  bool completes_;
  patterns::LiveQuery query_ = {.partition = {}};
  patterns::LivePage page_ = {};
  std::size_t position_ = 0;
  std::size_t left_ = 0;
  bool asked_ = false;
  bool ended_ = false;
  std::optional<Element> element_ = std::nullopt;
};

}  // namespace stator::entities
