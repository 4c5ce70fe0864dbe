#include "server/metrics.h"

#include <algorithm>
#include <cstdio>

namespace stator::server {
namespace {

std::string NumberText(double value) {
  std::array<char, 40> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.10g", value);
  return {text.data(), static_cast<std::size_t>(length)};
}

void AppendLabelValue(std::string_view value, std::string& out) {
  for (const char character : value) {
    if (character == '\\' || character == '"') {
      out.push_back('\\');
      out.push_back(character);
    } else if (character == '\n') {
      out.append("\\n");
    } else {
      out.push_back(character);
    }
  }
}

}  // namespace

Histogram::Snapshot& Histogram::Snapshot::operator+=(const Snapshot& other) {
  for (std::size_t at = 0; at < buckets.size(); ++at) {
    buckets[at] += other.buckets[at];
  }
  sum_micros += other.sum_micros;
  return *this;
}

void Histogram::Observe(Duration duration) {
  const auto micros = static_cast<std::uint64_t>(std::max<Duration::rep>(duration.count(), 0));
  const auto* const bound = std::ranges::lower_bound(kBoundsMicros, micros);
  buckets_[static_cast<std::size_t>(bound - kBoundsMicros.begin())].Add();
  sum_micros_.Add(micros);
}

Histogram::Snapshot Histogram::Read() const {
  Snapshot snapshot;
  for (std::size_t at = 0; at < buckets_.size(); ++at) {
    snapshot.buckets[at] = buckets_[at].value();
  }
  snapshot.sum_micros = sum_micros_.value();
  return snapshot;
}

void MetricsText::Begin(std::string_view name, std::string_view type, std::string_view help) {
  family_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricsText::Add(double value, Labels labels) {
  AppendSample("", labels, "", NumberText(value));
}

void MetricsText::Add(std::uint64_t value, Labels labels) {
  AppendSample("", labels, "", std::to_string(value));
}

void MetricsText::Add(const Histogram::Snapshot& snapshot, Labels labels) {
  constexpr double kMicrosPerSecond = 1e6;
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < Histogram::kBoundsMicros.size(); ++at) {
    count += snapshot.buckets[at];
    const double bound = static_cast<double>(Histogram::kBoundsMicros[at]) / kMicrosPerSecond;
    AppendSample("_bucket", labels, NumberText(bound), std::to_string(count));
  }
  count += snapshot.buckets.back();
  AppendSample("_bucket", labels, "+Inf", std::to_string(count));
  AppendSample("_sum", labels, "",
               NumberText(static_cast<double>(snapshot.sum_micros) / kMicrosPerSecond));
  AppendSample("_count", labels, "", std::to_string(count));
}

void MetricsText::AppendSample(std::string_view suffix, Labels labels,
                               std::string_view bucket_bound, std::string_view value) {
  text_.append(family_).append(suffix);
  char separator = '{';
  for (const auto& [name, label_value] : labels) {
    text_.push_back(std::exchange(separator, ','));
    text_.append(name).append("=\"");
    AppendLabelValue(label_value, text_);
    text_.push_back('"');
  }
  if (!bucket_bound.empty()) {
    text_.push_back(std::exchange(separator, ','));
    text_.append("le=\"").append(bucket_bound).append("\"");
  }
  if (separator == ',') {
    text_.push_back('}');
  }
  text_.append(" ").append(value).append("\n");
}

}  // namespace stator::server
