// All pages of a Query or a Scan as a range, and all items of all pages as a range. Each page is
// asked for when it is needed, from any Database.
//
//   for (const Result<Item>& item : Items(database, QueryInput{
//            .table_name = "tasks",
//            .key_condition_expression = "#owner = :owner",
//            .expression_attribute_names = AttributeNames{{"#owner", "owner"}},
//            .expression_attribute_values = Map{{":owner", "me"}}})) {
//     if (!item) { return Report(item.error()); }
//     ...
//   }
//
// The range ends behind the last page, or behind the first error, which is its last element: asking
// again from there is a new call with `exclusive_start_key`.
// COST: one call per page; a page of items is in memory at a time. `limit` bounds a page, not the
// range.
// THREADS: a range belongs to one thread; the database must outlive it.

#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "stator/api/database.h"
#include "stator/base/result.h"

namespace stator {

// An input range of Result<Output>; can be walked through once.
template <class Input, class Output>
class PageRange {
 public:
  using Call = Result<Output> (Database::*)(const Input&);

  PageRange(Database& database, Call call, Input input)
      : database_(&database), call_(call), input_(std::move(input)) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Result<Output>;

    Iterator() = default;
    explicit Iterator(PageRange& range) : range_(&range) {}

    Result<Output>& operator*() const { return *range_->page_; }
    Result<Output>* operator->() const { return &*range_->page_; }
    Iterator& operator++() {
      range_->Advance();
      return *this;
    }
    void operator++(int) { range_->Advance(); }
    bool operator==(std::default_sentinel_t /*end*/) const { return !range_->page_.has_value(); }

   private:
    PageRange* range_ = nullptr;
  };

  // Asks for the first page.
  Iterator begin() {
    if (!page_) {
      Fetch();
    }
    return Iterator(*this);
  }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  void Fetch() {
    page_ = (database_->*call_)(input_);
    next_ = *page_ ? (*page_)->last_evaluated_key : std::nullopt;
    if (next_ && next_ == input_.exclusive_start_key) {
      // It would go on for ever.
      page_ = Fail(ErrorCode::kInternal, "a page of the answer leads to itself");
      next_.reset();
    }
  }

  void Advance() {
    if (!next_) {
      page_.reset();
      return;
    }
    input_.exclusive_start_key = std::move(next_);
    Fetch();
  }

  Database* database_;
  Call call_;
  Input input_;
  std::optional<Result<Output>> page_ = std::nullopt;  // absent before the first and after the last
  std::optional<Item> next_ = std::nullopt;
};

// An input range of Result<Item>; can be walked through once.
template <class Input, class Output>
class ItemRange {
 public:
  explicit ItemRange(PageRange<Input, Output> pages) : pages_(std::move(pages)) {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Result<Item>;

    Iterator() = default;
    explicit Iterator(ItemRange& range) : range_(&range) {}

    Result<Item>& operator*() const { return *range_->item_; }
    Result<Item>* operator->() const { return &*range_->item_; }
    Iterator& operator++() {
      range_->Advance();
      return *this;
    }
    void operator++(int) { range_->Advance(); }
    bool operator==(std::default_sentinel_t /*end*/) const { return !range_->item_.has_value(); }

   private:
    ItemRange* range_ = nullptr;
  };

  Iterator begin() {
    if (!item_) {
      page_ = pages_.begin();
      Take();
    }
    return Iterator(*this);
  }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  // The item at position_ of this page, or the first of the next page that has any.
  void Take() {
    item_.reset();
    for (; page_ != pages_.end(); ++page_, position_ = 0) {
      if (!*page_) {
        item_ = std::unexpected(page_->error());
        return;
      }
      std::optional<std::vector<Item>>& items = (*page_)->items;
      if (items && position_ < items->size()) {
        item_ = std::move((*items)[position_]);
        return;
      }
    }
  }

  void Advance() {
    if (!*item_) {
      item_.reset();
      return;
    }
    ++position_;
    Take();
  }

  PageRange<Input, Output> pages_;
  typename PageRange<Input, Output>::Iterator page_ = {};
  std::size_t position_ = 0;
  std::optional<Result<Item>> item_ = std::nullopt;
};

inline PageRange<QueryInput, QueryOutput> Pages(Database& database, QueryInput input) {
  return {database, &Database::Query, std::move(input)};
}
inline PageRange<ScanInput, ScanOutput> Pages(Database& database, ScanInput input) {
  return {database, &Database::Scan, std::move(input)};
}
inline ItemRange<QueryInput, QueryOutput> Items(Database& database, QueryInput input) {
  return ItemRange(Pages(database, std::move(input)));
}
inline ItemRange<ScanInput, ScanOutput> Items(Database& database, ScanInput input) {
  return ItemRange(Pages(database, std::move(input)));
}

}  // namespace stator
