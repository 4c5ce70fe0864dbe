#include "stator/stores/events/options_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/try.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

using std::chrono::milliseconds;

// How text becomes the value of a field.
using Setter = std::function<bool(EventStoreOptions&, std::string_view)>;

bool Read(std::string_view text, std::string& value) {
  value = text;
  return true;
}

bool Read(std::string_view text, bool& value) {
  value = text == "true";
  return text == "true" || text == "false";
}

template <class T>
  requires std::is_arithmetic_v<T>
bool Read(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end && !text.empty();
}

template <class Rep, class Period>
bool Read(std::string_view text, std::chrono::duration<Rep, Period>& value) {
  double seconds = 0;
  // A thousand years, so that nothing overflows.
  if (!Read(text, seconds) || !(seconds >= 0 && seconds < 3.2e10)) {
    return false;
  }
  value = std::chrono::duration_cast<std::chrono::duration<Rep, Period>>(
      std::chrono::duration<double>(seconds));
  return true;
}

bool Read(std::string_view text, TagRule& value) {
  value = text == "strict" ? TagRule::kStrict : TagRule::kOpen;
  return text == "strict" || text == "open";
}

template <class T>
bool Read(std::string_view text, std::optional<T>& value) {
  return Read(text, value.emplace());
}

template <class T>
Setter Field(T EventStoreOptions::* field) {
  return [field](EventStoreOptions& options, std::string_view text) {
    return Read(text, options.*field);
  };
}

template <class T>
Setter RetryField(T patterns::RetryOptions::* field) {
  return [field](EventStoreOptions& options, std::string_view text) {
    return Read(text, options.retry.*field);
  };
}

struct Option {
  Setter set;
  const char* kind;  // what a value is, for those who gave another
};

Option Text(std::string EventStoreOptions::* field) {
  return {Field(field), "a text"};
}
template <class T>
Option Flag(T EventStoreOptions::* field) {
  return {Field(field), "true or false"};
}
template <class T>
Option Whole(T EventStoreOptions::* field) {
  return {Field(field), "a whole number"};
}
Option Seconds(Setter set) {
  return {std::move(set), "a number of seconds"};
}

const std::map<std::string, Option, std::less<>>& Options() {
  using O = EventStoreOptions;
  using R = patterns::RetryOptions;
  static const std::map<std::string, Option, std::less<>> options = {
      {"service_id", Text(&O::service_id)},
      {"events_table_name", Text(&O::events_table_name)},
      {"tags_table_name", Text(&O::tags_table_name)},
      {"projection_states_table_name", Text(&O::projection_states_table_name)},
      {"auto_create_tables", Flag(&O::auto_create_tables)},
      {"read_only", Flag(&O::read_only)},
      {"stream_events", Flag(&O::stream_events)},
      {"seed_rows", Flag(&O::seed_rows)},
      {"background", Flag(&O::background)},
      {"chunk_slots", Whole(&O::chunk_slots)},
      {"write_shard_count", Whole(&O::write_shard_count)},
      {"tag_rule", {Field(&O::tag_rule), "open or strict"}},
      {"use_consistent_reads", Flag(&O::use_consistent_reads)},
      {"query_page_size", Whole(&O::query_page_size)},
      {"concurrent_reads_max", Whole(&O::concurrent_reads_max)},
      {"batch_get_items_max", Whole(&O::batch_get_items_max)},
      {"batch_write_items_max", Whole(&O::batch_write_items_max)},
      {"retry_budget", Seconds(RetryField(&R::budget))},
      {"retry_wait_first", Seconds(RetryField(&R::wait_first))},
      {"retry_wait_max", Seconds(RetryField(&R::wait_max))},
      {"offload_threshold_bytes", Whole(&O::offload_threshold_bytes)},
      {"subject_keys_kept", Seconds(Field(&O::subject_keys_kept))},
      {"view_ttl", Seconds(Field(&O::view_ttl))},
  };
  return options;
}

Result<void> Set(EventStoreOptions& options, const std::string& name, const std::string& called,
                 std::string_view text) {
  const auto found = Options().find(name);
  if (found == Options().end()) {
    std::string names;
    for (const std::string& known : ListOptionNames()) {
      names += (names.empty() ? "" : ", ") + known;
    }
    return Invalid("there is no option " + called + " of an event store; there are " + names);
  }
  if (!found->second.set(options, text)) {
    return Invalid("the option " + called + " is " + found->second.kind + ", not " +
                   std::string(text));
  }
  return {};
}

}  // namespace

std::vector<std::string> ListOptionNames() {
  std::vector<std::string> names;
  for (const auto& [name, option] : Options()) {
    names.push_back(name);
  }
  return names;
}

Result<EventStoreOptions> ParseOptions(std::string_view json, EventStoreOptions base) {
  const Result<AttributeValue> value = value::ValueFromPlainJson(json);
  const Map* map = value ? value->If<Map>() : nullptr;
  if (map == nullptr) {
    return Invalid("the options of an event store are no JSON object" +
                   (value ? std::string() : ": " + value.error().message));
  }
  for (const auto& [name, member] : *map) {
    if (const auto* text = member.If<std::string>()) {
      TRY_VOID(Set(base, name, name, *text));
    } else if (const bool* flag = member.If<bool>()) {
      TRY_VOID(Set(base, name, name, *flag ? "true" : "false"));
    } else if (const Number* number = member.If<Number>()) {
      TRY_VOID(Set(base, name, name, number->ToString()));
    } else {
      return Invalid("the option " + name + " is neither text nor number nor true or false");
    }
  }
  TRY_VOID(CheckOptions(base));
  return base;
}

Result<EventStoreOptions> ApplyVariables(const std::map<std::string, std::string>& variables,
                                         EventStoreOptions base, std::string_view prefix,
                                         const std::vector<std::string>& others) {
  for (const auto& [called, text] : variables) {
    if (!called.starts_with(prefix) ||
        std::find(others.begin(), others.end(), called) != others.end()) {
      continue;
    }
    std::string name = called.substr(prefix.size());
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    TRY_VOID(Set(base, name, called, text));
  }
  TRY_VOID(CheckOptions(base));
  return base;
}

}  // namespace stator::events
