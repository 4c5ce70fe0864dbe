#include "stores/events/unicode_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "stores/events/unicode_tables.h"

namespace stator::events {
namespace {

using Code = std::uint32_t;
using Codes = std::vector<Code>;

// Syllables of Hangul are computed from their letters (chapter 3.12 of the Unicode standard).
constexpr Code kSyllableBase = 0xAC00;
constexpr Code kLeadBase = 0x1100;
constexpr Code kVowelBase = 0x1161;
constexpr Code kTailBase = 0x11A7;
constexpr Code kLeads = 19;
constexpr Code kVowels = 21;
constexpr Code kTails = 28;
constexpr Code kSyllables = kLeads * kVowels * kTails;

Codes Decode(std::string_view text) {
  Codes codes;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    Code code = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t index = 1; index < size && at + index < text.size(); ++index) {
      code = (code << 6U) | (static_cast<unsigned char>(text[at + index]) & 0x3FU);
    }
    codes.push_back(code);
    at += size;
  }
  return codes;
}

void Encode(Code code, std::string& out) {
  const auto put = [&](Code byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
    return;
  }
  const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  put((0xFF00U >> (more + 1) & 0xFFU) | code >> 6U * more);
  for (unsigned left = more; left > 0; --left) {
    put(0x80U | (code >> 6U * (left - 1) & 0x3FU));
  }
}

int ClassOf(Code code) {
  const std::span<const UnicodeClass> classes = UnicodeClasses();
  const auto run =
      std::lower_bound(classes.begin(), classes.end(), code,
                       [](const UnicodeClass& entry, Code wanted) { return entry.last < wanted; });
  return run != classes.end() && run->first <= code ? run->combining_class : 0;
}

void Decompose(Code code, Codes& out) {
  if (code >= kSyllableBase && code < kSyllableBase + kSyllables) {
    const Code index = code - kSyllableBase;
    out.push_back(kLeadBase + index / (kVowels * kTails));
    out.push_back(kVowelBase + index / kTails % kVowels);
    if (index % kTails != 0) {
      out.push_back(kTailBase + index % kTails);
    }
    return;
  }
  const std::span<const UnicodeDecomposition> all = UnicodeDecompositions();
  const auto found = std::lower_bound(
      all.begin(), all.end(), code,
      [](const UnicodeDecomposition& entry, Code wanted) { return entry.code < wanted; });
  if (found == all.end() || found->code != code) {
    out.push_back(code);
    return;
  }
  // No deeper than three steps, by the data.
  Decompose(found->first, out);
  if (found->second != 0) {
    Decompose(found->second, out);
  }
}

// What two become, 0 when they stay two.
Code Compose(Code first, Code second) {
  if (first - kLeadBase < kLeads && second - kVowelBase < kVowels) {
    return kSyllableBase + ((first - kLeadBase) * kVowels + second - kVowelBase) * kTails;
  }
  const Code index = first - kSyllableBase;
  if (index < kSyllables && index % kTails == 0 && second - kTailBase - 1 < kTails - 1) {
    return first + second - kTailBase;
  }
  static const std::map<std::pair<Code, Code>, Code> kPairs = [] {
    std::map<std::pair<Code, Code>, Code> pairs;
    for (const UnicodeDecomposition& entry : UnicodeDecompositions()) {
      if (entry.composes) {
        pairs.emplace(std::pair(entry.first, entry.second), entry.code);
      }
    }
    return pairs;
  }();
  const auto found = kPairs.find({first, second});
  return found == kPairs.end() ? 0 : found->second;
}

// Marks behind one letter in the order of their classes, those of one class as they were.
void Order(Codes& codes) {
  for (auto at = codes.begin(); at != codes.end();) {
    at = std::find_if(at, codes.end(), [](Code code) { return ClassOf(code) != 0; });
    const auto end = std::find_if(at, codes.end(), [](Code code) { return ClassOf(code) == 0; });
    std::stable_sort(at, end, [](Code left, Code right) { return ClassOf(left) < ClassOf(right); });
    at = end;
  }
}

// Each with the last letter before it, unless something that stayed stands between.
Codes ComposeAll(const Codes& codes) {
  Codes out;
  std::size_t letter = 0;
  bool has_letter = false;
  int last_class = 0;
  for (const Code code : codes) {
    const int this_class = ClassOf(code);
    const bool is_next = has_letter && letter + 1 == out.size();
    const Code both = has_letter && (is_next || (last_class != 0 && last_class < this_class))
                          ? Compose(out[letter], code)
                          : 0;
    if (both != 0) {
      out[letter] = both;
      continue;
    }
    if (this_class == 0) {
      letter = out.size();
      has_letter = true;
    }
    last_class = this_class;
    out.push_back(code);
  }
  return out;
}

}  // namespace

std::string ToFormC(std::string_view text) {
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return std::string(text);
  }
  Codes decomposed;
  for (const Code code : Decode(text)) {
    Decompose(code, decomposed);
  }
  Order(decomposed);
  std::string out;
  for (const Code code : ComposeAll(decomposed)) {
    Encode(code, out);
  }
  return out;
}

}  // namespace stator::events
