#include "expression/substring.h"

#include <algorithm>
#include <cstring>

namespace stator::expression {
namespace {

struct NoCount {
  void Add(std::size_t) {}
};

struct Count {
  std::size_t& bytes;
  void Add(std::size_t more) { bytes += more; }
};

// The "two-way" search of Crochemore and Perrin (1991). The part is cut into a left and a right
// half such that a mismatch in the right half lets the search move on by as much as was compared
// there, and a mismatch in the left half by the part's period.
template <class Counter>
class Search {
 public:
  Search(std::string_view text, std::string_view part, Counter counter)
      : text_(text), part_(part), counter_(counter) {}

  bool Run() {
    if (part_.size() > text_.size()) {
      return false;
    }
    if (part_.size() <= 1) {
      return part_.empty() || SkipTo(0, 0) <= text_.size() - 1;
    }
    Cut();
    counter_.Add(cut_);
    const bool periodic =
        cut_ + period_ <= part_.size() && part_.substr(0, cut_) == part_.substr(period_, cut_);
    if (!periodic) {
      period_ = std::max(cut_, part_.size() - cut_) + 1;
    }
    return Walk(periodic);
  }

 private:
  struct Suffix {
    std::size_t begin;
    std::size_t period;
  };

  // The largest suffix by one of the two orders of bytes, and its period.
  template <class Less>
  Suffix LargestSuffix(Less less) {
    std::size_t begin = 0;
    std::size_t candidate = 1;
    std::size_t matched = 0;
    std::size_t period = 1;
    while (candidate + matched < part_.size()) {
      counter_.Add(1);
      const auto a = static_cast<unsigned char>(part_[candidate + matched]);
      const auto b = static_cast<unsigned char>(part_[begin + matched]);
      if (a == b) {
        if (++matched == period) {
          candidate += period;
          matched = 0;
        }
      } else if (less(a, b)) {
        candidate += matched + 1;
        matched = 0;
        period = candidate - begin;
      } else {
        begin = candidate++;
        matched = 0;
        period = 1;
      }
    }
    return {.begin = begin, .period = period};
  }

  void Cut() {
    const Suffix one = LargestSuffix([](auto a, auto b) { return a < b; });
    const Suffix two = LargestSuffix([](auto a, auto b) { return a > b; });
    const Suffix& chosen = one.begin > two.begin ? one : two;
    cut_ = chosen.begin;
    period_ = chosen.period;
  }

  // The first place at or behind `at` where byte `offset` of the part fits; behind the last place
  // where the part could stand when there is none.
  std::size_t SkipTo(std::size_t at, std::size_t offset) {
    const std::size_t places = text_.size() - part_.size() + 1;
    const char* const from = text_.data() + at + offset;
    const void* const found = std::memchr(from, part_[offset], places - at);
    const std::size_t skipped =
        found == nullptr ? places - at
                         : static_cast<std::size_t>(static_cast<const char*>(found) - from);
    counter_.Add(skipped);
    return at + skipped;
  }

  bool Walk(bool periodic) {
    const std::size_t places = text_.size() - part_.size() + 1;
    std::size_t at = 0;
    std::size_t known = 0;  // bytes of the part that are known to fit at `at`
    while (at < places) {
      if (known == 0) {
        at = SkipTo(at, cut_);
        if (at == places) {
          return false;
        }
      }
      std::size_t right = std::max(cut_, known);
      while (right < part_.size() && part_[right] == text_[at + right]) {
        ++right;
      }
      counter_.Add(right - std::max(cut_, known) + 1);
      if (right < part_.size()) {
        at += right - cut_ + 1;
        known = 0;
        continue;
      }
      std::size_t left = cut_;
      while (left > known && part_[left - 1] == text_[at + left - 1]) {
        --left;
      }
      counter_.Add(cut_ - std::min(cut_, left) + 1);
      if (left <= known) {
        return true;
      }
      at += period_;
      known = periodic ? part_.size() - period_ : 0;
    }
    return false;
  }

  const std::string_view text_;
  const std::string_view part_;
  Counter counter_;
  std::size_t cut_ = 0;
  std::size_t period_ = 1;
};

}  // namespace

bool HasSubstring(std::string_view text, std::string_view part) {
  return Search(text, part, NoCount{}).Run();
}

bool HasSubstring(std::string_view text, std::string_view part, std::size_t& bytes_looked_at) {
  return Search(text, part, Count{bytes_looked_at}).Run();
}

}  // namespace stator::expression
