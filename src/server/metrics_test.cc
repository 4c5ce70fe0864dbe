// The text that Prometheus reads, and the sums over several threads' counts.

#include "server/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "server/request_metrics.h"

namespace stator::server {
namespace {

using std::chrono::microseconds;
using testing::HasSubstr;
using testing::Not;

TEST(MetricsText, WritesFamiliesAndSamples) {
  MetricsText text;
  text.Begin("a_total", "counter", "Some help.");
  text.Add(std::uint64_t{3});
  text.Add(2.5, {{"kind", "say \"x\"\\\n"}, {"other", ""}});
  EXPECT_EQ(text.text(),
            "# HELP a_total Some help.\n"
            "# TYPE a_total counter\n"
            "a_total 3\n"
            "a_total{kind=\"say \\\"x\\\"\\\\\\n\",other=\"\"} 2.5\n");
}

TEST(MetricsText, HistogramsAreCumulative) {
  Histogram histogram;
  histogram.Observe(microseconds(0));
  histogram.Observe(microseconds(50));  // a bound belongs to its bucket
  histogram.Observe(microseconds(51));
  histogram.Observe(microseconds(-5));  // a clock that errs must not break the server
  histogram.Observe(std::chrono::hours(1));
  MetricsText text;
  text.Begin("t", "histogram", "h");
  text.Add(histogram.Read(), {{"o", "x"}});
  EXPECT_THAT(text.text(), HasSubstr("t_bucket{o=\"x\",le=\"5e-05\"} 3\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_bucket{o=\"x\",le=\"0.0001\"} 4\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_bucket{o=\"x\",le=\"10\"} 4\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_bucket{o=\"x\",le=\"+Inf\"} 5\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_sum{o=\"x\"} 3600.000101\n"));
  EXPECT_THAT(text.text(), HasSubstr("t_count{o=\"x\"} 5\n"));
}

TEST(RequestMetrics, AddsUpWhatSeveralThreadsCounted) {
  RequestMetrics first;
  RequestMetrics second;
  first.Record(
      {.operation = "GetItem", .outcome = "ok", .duration = microseconds(10), .read_units = 0.5});
  first.Record({.operation = "GetItem", .outcome = "ValidationException"});
  second.Record(
      {.operation = "GetItem", .outcome = "ok", .duration = microseconds(10), .read_units = 1});
  second.Record({.operation = "PutItem", .outcome = "ok", .write_units = 2});
  second.bytes_received.Add(7);
  MetricsText text;
  const RequestMetrics* const both[] = {&first, &second};
  RequestMetrics::Report(both, text);
  EXPECT_THAT(text.text(),
              HasSubstr("stator_requests_total{operation=\"GetItem\",outcome=\"ok\"} 2\n"));
  EXPECT_THAT(text.text(),
              HasSubstr("{operation=\"GetItem\",outcome=\"ValidationException\"} 1\n"));
  EXPECT_THAT(text.text(),
              HasSubstr("stator_request_duration_seconds_count{operation=\"GetItem\"} 3\n"));
  EXPECT_THAT(text.text(), HasSubstr("{operation=\"GetItem\",kind=\"read\"} 1.5\n"));
  EXPECT_THAT(text.text(), HasSubstr("{operation=\"PutItem\",kind=\"write\"} 2\n"));
  EXPECT_THAT(text.text(), Not(HasSubstr("{operation=\"PutItem\",kind=\"read\"}")));
  EXPECT_THAT(text.text(), HasSubstr("stator_received_bytes_total 7\n"));
}

}  // namespace
}  // namespace stator::server
