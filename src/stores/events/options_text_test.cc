// Options of a store from a file and the environment: every one can be set, and a typo is an error.

#include "stator/stores/events/options_text.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace stator::events {
namespace {

TEST(OptionsText, AFileSetsEveryOption) {
  const auto options = ParseOptions(R"({
    "service_id": "school", "events_table_name": "E", "tags_table_name": "T",
    "projection_states_table_name": "P", "auto_create_tables": false, "read_only": true,
    "stream_events": true, "seed_rows": false, "background": false, "chunk_slots": 7,
    "write_shard_count": 4, "tag_rule": "strict", "use_consistent_reads": false,
    "query_page_size": 11, "concurrent_reads_max": 2, "batch_get_items_max": 50,
    "batch_write_items_max": 10, "retry_budget": 1.5, "retry_wait_first": 0.003,
    "retry_wait_max": 2, "offload_threshold_bytes": 1000, "subject_keys_kept": 5,
    "view_ttl": 86400})");
  ASSERT_TRUE(options.has_value()) << options.error().message;
  EXPECT_EQ(options->service_id, "school");
  EXPECT_EQ(options->events_table_name, "E");
  EXPECT_EQ(options->tags_table_name, "T");
  EXPECT_EQ(options->projection_states_table_name, "P");
  EXPECT_FALSE(options->auto_create_tables);
  EXPECT_TRUE(options->read_only);
  EXPECT_TRUE(options->stream_events);
  EXPECT_EQ(options->seed_rows, false);
  EXPECT_FALSE(options->background);
  EXPECT_EQ(options->chunk_slots, 7);
  EXPECT_EQ(options->write_shard_count, 4);
  EXPECT_EQ(options->tag_rule, TagRule::kStrict);
  EXPECT_FALSE(options->use_consistent_reads);
  EXPECT_EQ(options->query_page_size, 11);
  EXPECT_EQ(options->concurrent_reads_max, 2);
  EXPECT_EQ(options->batch_get_items_max, 50);
  EXPECT_EQ(options->batch_write_items_max, 10);
  EXPECT_EQ(options->retry.budget, std::chrono::milliseconds(1500));
  EXPECT_EQ(options->retry.wait_first, std::chrono::milliseconds(3));
  EXPECT_EQ(options->retry.wait_max, std::chrono::seconds(2));
  EXPECT_EQ(options->offload_threshold_bytes, 1000U);
  EXPECT_EQ(options->subject_keys_kept, std::chrono::seconds(5));
  EXPECT_EQ(options->view_ttl, std::chrono::days(1));
  EXPECT_EQ(ListOptionNames().size(), 23U) << "a new option is to be set above";
}

TEST(OptionsText, WhatIsNotSaidStays) {
  const auto options = ParseOptions(R"({"chunk_slots": 7})", {.service_id = "school"});
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->service_id, "school");
  EXPECT_EQ(options->query_page_size, EventStoreOptions().query_page_size);
  EXPECT_EQ(options->seed_rows, std::nullopt);
}

TEST(OptionsText, TyposAndNonsenseAreErrors) {
  for (const char* text :
       {"", "[]", "{", R"({"chunk_slot": 7})", R"({"chunk_slots": "many"})",
        R"({"chunk_slots": 7.5})", R"({"chunk_slots": 0})", R"({"read_only": 1})",
        R"({"tag_rule": "loose"})", R"({"view_ttl": -1})", R"({"view_ttl": 1e300})",
        R"({"service_id": null})", R"({"service_id": []})", R"({"blobs": "x"})",
        R"({"subject_keys_kept": 1000000})"}) {
    const auto options = ParseOptions(text);
    ASSERT_FALSE(options.has_value()) << text;
    EXPECT_EQ(options.error().code, ErrorCode::kValidation) << text;
  }
  const std::string message = ParseOptions(R"({"chunk_slot": 7})").error().message;
  EXPECT_TRUE(message.contains("no option chunk_slot") && message.contains("chunk_slots, "))
      << message;
}

TEST(OptionsText, VariablesSetSingleOptions) {
  const auto options =
      ApplyVariables({{"STATOR_EVENTS_SERVICE_ID", "school"},
                      {"STATOR_EVENTS_READ_ONLY", "true"},
                      {"STATOR_EVENTS_RETRY_BUDGET", "0.25"},
                      {"STATOR_EVENTS_OPTIONS", "file"},
                      {"HOME", "elsewhere"}},
                     {.chunk_slots = 7}, "STATOR_EVENTS_", {"STATOR_EVENTS_OPTIONS"});
  ASSERT_TRUE(options.has_value()) << options.error().message;
  EXPECT_EQ(options->service_id, "school");
  EXPECT_TRUE(options->read_only);
  EXPECT_EQ(options->retry.budget, std::chrono::milliseconds(250));
  EXPECT_EQ(options->chunk_slots, 7);
  const auto typo = ApplyVariables({{"STATOR_EVENTS_SERVICE", "school"}});
  ASSERT_FALSE(typo.has_value());
  EXPECT_TRUE(typo.error().message.contains("STATOR_EVENTS_SERVICE ")) << typo.error().message;
}

}  // namespace
}  // namespace stator::events
