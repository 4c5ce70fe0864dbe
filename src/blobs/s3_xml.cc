#include "blobs/s3_xml.h"

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

namespace stator::blobs {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

std::string Unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t taken = 1;
    char letter = text.front();
    for (const auto& [entity, meant] : kEntities) {
      if (text.starts_with(entity)) {
        taken = entity.size();
        letter = meant;
      }
    }
    // Written as numbers by some servers.
    for (const auto& [entity, meant] : {std::pair<std::string_view, char>{"&#34;", '"'},
                                        {"&#39;", '\''},
                                        {"&#x22;", '"'},
                                        {"&#x27;", '\''}}) {
      if (text.starts_with(entity)) {
        taken = entity.size();
        letter = meant;
      }
    }
    out.push_back(letter);
    text.remove_prefix(taken);
  }
  return out;
}

bool TakeNumber(std::string_view& text, std::size_t digits, int& number) {
  if (text.size() < digits) {
    return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
  if (error != std::errc() || end != text.data() + digits) {
    return false;
  }
  text.remove_prefix(digits);
  return true;
}

bool Take(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::vector<std::string_view> FindElements(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name);
  const std::string close = "</" + std::string(name) + ">";
  std::vector<std::string_view> found;
  for (std::size_t at = xml.find(open); at != std::string_view::npos; at = xml.find(open, at)) {
    at += open.size();
    const std::size_t end_of_tag = xml.find('>', at);
    if (end_of_tag == std::string_view::npos) {
      break;
    }
    if (xml[at] != '>' && xml[at] != ' ') {
      continue;  // a longer name
    }
    const std::size_t end = xml.find(close, end_of_tag);
    if (end == std::string_view::npos) {
      break;
    }
    found.push_back(xml.substr(end_of_tag + 1, end - end_of_tag - 1));
    at = end;
  }
  return found;
}

std::string FindText(std::string_view xml, std::string_view name) {
  const std::vector<std::string_view> found = FindElements(xml, name);
  return found.empty() ? std::string() : Unescape(found.front());
}

std::string EscapeXml(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    std::string_view written(&letter, 1);
    for (const auto& [entity, meant] : kEntities) {
      written = letter == meant ? entity : written;
    }
    out += written;
  }
  return out;
}

std::optional<TimePoint> ParseTime(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  const bool good = TakeNumber(text, 4, year) && Take(text, '-') && TakeNumber(text, 2, month) &&
                    Take(text, '-') && TakeNumber(text, 2, day) && Take(text, 'T') &&
                    TakeNumber(text, 2, hour) && Take(text, ':') && TakeNumber(text, 2, minute) &&
                    Take(text, ':') && TakeNumber(text, 2, second);
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!good || !date.ok() || !text.ends_with('Z')) {
    return std::nullopt;
  }
  return TimePoint(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
         std::chrono::minutes(minute) + std::chrono::seconds(second);
}

}  // namespace stator::blobs
