// The items of the media workflow, byte for byte as the system that wrote such tables first has
// them (its attribute names, what it leaves out), and keys.

#include "stores/sessions/record_codec.h"

#include <gtest/gtest.h>

#include "stator/stores/sessions/media/records.h"
#include "stator/stores/sessions/media/workflow.h"
#include "value/dynamodb_json.h"

namespace stator::sessions {
namespace {

const KindSpec& Kind(std::string_view name) {
  return *MediaWorkflow().FindKind(name);
}

// Both ways: the struct gives exactly this item, the item exactly this struct.
template <class T>
void ExpectItem(const T& value, const std::string& json) {
  const Result<Item> expected = value::ParseDynamoDbItem(json);
  ASSERT_TRUE(expected) << expected.error().message;
  const Result<Item> item = ToItem(value);
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(value::ToDynamoDbJson(*item), value::ToDynamoDbJson(*expected));
  const Result<T> back = FromItem<T>(*expected);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, value);
}

TEST(MediaRecords, Session) {
  ExpectItem(MediaSession{.status = "active",
                          .owner_sub = "u-1",
                          .trip_context = "Norway",
                          .uploaded_keys = {"s/a.jpg"},
                          .created_at = 1770000000},
             R"({"status":{"S":"active"},"ownerSub":{"S":"u-1"},"tripContext":{"S":"Norway"},
                 "uploadedKeys":{"L":[{"S":"s/a.jpg"}]},"createdAt":{"N":"1770000000"}})");
  ExpectItem(MediaSession{}, R"({"status":{"S":""},"createdAt":{"N":"0"}})");
}

TEST(MediaRecords, Triage) {
  const TriageItem item{.media = 2,
                        .filename = "a.jpg",
                        .key = "s/a.jpg",
                        .processed_key = "s/p/a.jpg",
                        .saveable = true,
                        .reason = "sharp",
                        .thumbnail_url = "https://t/a"};
  ExpectItem(TriageJob{.status = "complete",
                       .phase = "done",
                       .model = "m",
                       .total_files = 3,
                       .uploaded_files = 4,
                       .expected_file_count = 5,
                       .processed_count = 6,
                       .keep = {item},
                       .discard = {TriageItem{}},
                       .error = "e",
                       .retry_count = 7,
                       .triage_batch = 8,
                       .triage_batch_total = 9},
             R"({"status":{"S":"complete"},"phase":{"S":"done"},"model":{"S":"m"},
                 "totalFiles":{"N":"3"},"uploadedFiles":{"N":"4"},"expectedFileCount":{"N":"5"},
                 "processedCount":{"N":"6"},"keep":{"L":[{"M":{"media":{"N":"2"},
                 "filename":{"S":"a.jpg"},"key":{"S":"s/a.jpg"},"processedKey":{"S":"s/p/a.jpg"},
                 "saveable":{"BOOL":true},"reason":{"S":"sharp"},"thumbnailUrl":{"S":"https://t/a"}}}]},
                 "discard":{"L":[{"M":{"media":{"N":"0"},"filename":{"S":""},"key":{"S":""},
                 "saveable":{"BOOL":false},"reason":{"S":""},"thumbnailUrl":{"S":""}}}]},
                 "error":{"S":"e"},"retryCount":{"N":"7"},"triageBatch":{"N":"8"},
                 "triageBatchTotal":{"N":"9"}})");
  ExpectItem(TriageJob{.status = "pending"}, R"({"status":{"S":"pending"}})");
}

TEST(MediaRecords, Selection) {
  ExpectItem(
      SelectionJob{.status = "complete",
                   .selected = {{.rank = 1,
                                 .media = 2,
                                 .filename = "a",
                                 .key = "k",
                                 .type = "Photo",
                                 .scene = "sea",
                                 .justification = "best",
                                 .comparison_note = "c",
                                 .thumbnail_url = "t"}},
                   .excluded = {{.media = 3,
                                 .filename = "b",
                                 .key = "k2",
                                 .reason = "blurred",
                                 .category = "quality",
                                 .duplicate_of = "a",
                                 .thumbnail_url = "t2"}},
                   .scene_groups = {{.name = "sea",
                                     .gps = "59,10",
                                     .time_range = "noon",
                                     .items = {{.media = 2,
                                                .filename = "a",
                                                .key = "k",
                                                .type = "Photo",
                                                .selected = true,
                                                .description = "waves",
                                                .thumbnail_url = "t"}}}},
                   .error = ""},
      R"({"status":{"S":"complete"},"selected":{"L":[{"M":{"rank":{"N":"1"},"media":{"N":"2"},
          "filename":{"S":"a"},"key":{"S":"k"},"type":{"S":"Photo"},"scene":{"S":"sea"},
          "justification":{"S":"best"},"comparisonNote":{"S":"c"},"thumbnailUrl":{"S":"t"}}}]},
          "excluded":{"L":[{"M":{"media":{"N":"3"},"filename":{"S":"b"},"key":{"S":"k2"},
          "reason":{"S":"blurred"},"category":{"S":"quality"},"duplicateOf":{"S":"a"},
          "thumbnailUrl":{"S":"t2"}}}]},"sceneGroups":{"L":[{"M":{"name":{"S":"sea"},
          "gps":{"S":"59,10"},"timeRange":{"S":"noon"},"items":{"L":[{"M":{"media":{"N":"2"},
          "filename":{"S":"a"},"key":{"S":"k"},"type":{"S":"Photo"},"selected":{"BOOL":true},
          "description":{"S":"waves"},"thumbnailUrl":{"S":"t"}}}]}}}]}})");
}

TEST(MediaRecords, Enhancement) {
  ExpectItem(
      EnhancementJob{
          .status = "processing",
          .items = {{.key = "k",
                     .filename = "a.jpg",
                     .phase = "phase2",
                     .original_key = "o",
                     .enhanced_key = "e",
                     .original_thumb_key = "ot",
                     .enhanced_thumb_key = "et",
                     .phase1_text = "brighter",
                     .analysis = Analysis{.overall_assessment = "good",
                                          .remaining_improvements = {{.type = "crop",
                                                                      .description = "d",
                                                                      .region = "left",
                                                                      .impact = "low",
                                                                      .imagen_suitable = true,
                                                                      .edit_instruction = "cut"}},
                                          .professional_score = *Number::Parse("8.5"),
                                          .target_score = 9,
                                          .no_further_edits_needed = true},
                     .imagen_edits = 2,
                     .feedback_history = {{.user_feedback = "more",
                                           .model_response = "done",
                                           .method = "imagen",
                                           .success = true}},
                     .error = "none"}},
          .total_count = 1,
          .completed_count = 0},
      R"({"status":{"S":"processing"},"items":{"L":[{"M":{"key":{"S":"k"},"filename":{"S":"a.jpg"},
          "phase":{"S":"phase2"},"originalKey":{"S":"o"},"enhancedKey":{"S":"e"},
          "originalThumbKey":{"S":"ot"},"enhancedThumbKey":{"S":"et"},"phase1Text":{"S":"brighter"},
          "analysis":{"M":{"overallAssessment":{"S":"good"},"remainingImprovements":{"L":[{"M":{
          "type":{"S":"crop"},"description":{"S":"d"},"region":{"S":"left"},"impact":{"S":"low"},
          "imagenSuitable":{"BOOL":true},"editInstruction":{"S":"cut"}}}]},
          "professionalScore":{"N":"8.5"},"targetScore":{"N":"9"},
          "noFurtherEditsNeeded":{"BOOL":true}}},"imagenEdits":{"N":"2"},
          "feedbackHistory":{"L":[{"M":{"userFeedback":{"S":"more"},"modelResponse":{"S":"done"},
          "method":{"S":"imagen"},"success":{"BOOL":true}}}]},"error":{"S":"none"}}}]},
          "totalCount":{"N":"1"},"completedCount":{"N":"0"}})");
  ExpectItem(EnhancementJob{.status = "pending", .items = {EnhancementItem{}}},
             R"({"status":{"S":"pending"},"items":{"L":[{"M":{"key":{"S":""},"filename":{"S":""},
                 "phase":{"S":""},"originalKey":{"S":""},"imagenEdits":{"N":"0"}}}]},
                 "totalCount":{"N":"0"},"completedCount":{"N":"0"}})");
}

TEST(MediaRecords, DownloadCallsTheStateOfABundleBundleStatus) {
  ExpectItem(DownloadJob{.status = "complete",
                         .bundles = {{.type = "images",
                                      .name = "n",
                                      .zip_key = "z",
                                      .download_url = "u",
                                      .file_count = 2,
                                      .total_size = 30,
                                      .zip_size = 20,
                                      .status = "complete",
                                      .error = "e"}}},
             R"({"status":{"S":"complete"},"bundles":{"L":[{"M":{"type":{"S":"images"},
                 "name":{"S":"n"},"zipKey":{"S":"z"},"downloadUrl":{"S":"u"},"fileCount":{"N":"2"},
                 "totalSize":{"N":"30"},"zipSize":{"N":"20"},"bundleStatus":{"S":"complete"},
                 "bundleError":{"S":"e"}}}]}})");
}

TEST(MediaRecords, Description) {
  ExpectItem(DescriptionJob{.status = "complete",
                            .group_label = "g",
                            .trip_context = "t",
                            .media_keys = {"a"},
                            .caption = "c",
                            .hashtags = {"#x"},
                            .location_tag = "Oslo",
                            .raw_response = "{}",
                            .history = {{"warmer", "ok"}},
                            .error = "e"},
             R"({"status":{"S":"complete"},"groupLabel":{"S":"g"},"tripContext":{"S":"t"},
                 "mediaKeys":{"L":[{"S":"a"}]},"caption":{"S":"c"},"hashtags":{"L":[{"S":"#x"}]},
                 "locationTag":{"S":"Oslo"},"rawResponse":{"S":"{}"},"history":{"L":[{"M":{
                 "userFeedback":{"S":"warmer"},"modelResponse":{"S":"ok"}}}]},"error":{"S":"e"}})");
}

TEST(MediaRecords, GroupAndPublish) {
  ExpectItem(PostGroup{.name = "Beach",
                       .media_keys = {"a"},
                       .caption = "c",
                       .publish_status = "published",
                       .instagram_post_id = "17"},
             R"({"name":{"S":"Beach"},"mediaKeys":{"L":[{"S":"a"}]},"caption":{"S":"c"},
                 "publishStatus":{"S":"published"},"instagramPostId":{"S":"17"}})");
  ExpectItem(PostGroup{}, "{}");
  ExpectItem(PublishJob{.group_id = "g",
                        .status = "publishing",
                        .phase = "p",
                        .total_items = 3,
                        .completed_items = 1,
                        .instagram_post_id = "17",
                        .container_ids = {"c1"},
                        .error = "e"},
             R"({"groupId":{"S":"g"},"status":{"S":"publishing"},"phase":{"S":"p"},
                 "totalItems":{"N":"3"},"completedItems":{"N":"1"},"instagramPostId":{"S":"17"},
                 "containerIds":{"L":[{"S":"c1"}]},"error":{"S":"e"}})");
}

TEST(MediaRecords, FacebookPreparation) {
  ExpectItem(
      FacebookPrepJob{.status = "complete",
                      .economy_mode = true,
                      .media_keys = {"a"},
                      .items = {{.item_index = 1,
                                 .s3_key = "s",
                                 .key = "k",
                                 .caption = "c",
                                 .location_tag = "l",
                                 .date_timestamp = "2026",
                                 .location_confidence = "high",
                                 .error = "e"}},
                      .batch_job_id = "b",
                      .batch_job_ids = {"b"},
                      .gcs_paths_for_cleanup = {"gs://x"},
                      .input_tokens = 10,
                      .output_tokens = 20,
                      .pre_enrich_locations = {{"a", "Oslo"}},
                      .created_at = "2026-02-09",
                      .updated_at = "2026-02-10",
                      .error = "e"},
      R"({"status":{"S":"complete"},"economyMode":{"BOOL":true},"mediaKeys":{"L":[{"S":"a"}]},
                 "items":{"L":[{"M":{"item_index":{"N":"1"},"s3_key":{"S":"s"},"key":{"S":"k"},
                 "caption":{"S":"c"},"location_tag":{"S":"l"},"date_timestamp":{"S":"2026"},
                 "location_confidence":{"S":"high"},"error":{"S":"e"}}}]},"batchJobId":{"S":"b"},
                 "batchJobIds":{"L":[{"S":"b"}]},"gcsPathsForCleanup":{"L":[{"S":"gs://x"}]},
                 "inputTokens":{"N":"10"},"outputTokens":{"N":"20"},
                 "preEnrichLocations":{"M":{"a":{"S":"Oslo"}}},"createdAt":{"S":"2026-02-09"},
                 "updatedAt":{"S":"2026-02-10"},"error":{"S":"e"}})");
}

TEST(MediaRecords, Files) {
  ExpectItem(FileResult{.status = "valid",
                        .original_key = "o",
                        .processed_key = "p",
                        .thumbnail_key = "t",
                        .file_type = "image",
                        .mime_type = "image/heic",
                        .file_size = 12345,
                        .converted = true,
                        .fingerprint = "f",
                        .metadata = {{"camera", "x"}},
                        .error = "e"},
             R"({"status":{"S":"valid"},"originalKey":{"S":"o"},"processedKey":{"S":"p"},
                 "thumbnailKey":{"S":"t"},"fileType":{"S":"image"},"mimeType":{"S":"image/heic"},
                 "fileSize":{"N":"12345"},"converted":{"BOOL":true},"fingerprint":{"S":"f"},
                 "metadata":{"M":{"camera":{"S":"x"}}},"error":{"S":"e"}})");
  ExpectItem(FingerprintClaim{.filename = "a", .job_id = "j"},
             R"({"filename":{"S":"a"},"jobId":{"S":"j"}})");
}

TEST(RecordCodec, KeysAreTakenApartAgain) {
  const KindSpec& kind = Kind("enhancement");
  EXPECT_EQ(SortKeyOf(kind, "enh-1"), "ENHANCE#enh-1");
  EXPECT_EQ(ItemKeyOf(kind, "enh-1", "a#I#b"), "ENHANCE#enh-1#I#a#I#b");
  const RecordKey record = ParseSortKey(kind, "ENHANCE#enh-1");
  EXPECT_EQ(record.id, "enh-1");
  EXPECT_EQ(record.role, KeyRole::kRecord);
  const RecordKey item = ParseSortKey(kind, "ENHANCE#enh-1#I#a#I#b");
  EXPECT_EQ(item.id, "enh-1");
  EXPECT_EQ(item.role, KeyRole::kItem);
  EXPECT_EQ(item.rest, "a#I#b");
  EXPECT_EQ(ParseSortKey(kind, "ENHANCE#enh-1#P#w#00001").role, KeyRole::kPart);
  EXPECT_EQ(ParseSortKey(kind, "ENHANCE#enh-1#").role, KeyRole::kPart);
}

TEST(RecordCodec, BookkeepingIsNoPartOfTheValue) {
  const patterns::VersionedItem stored{.item = {{"PK", "SESSION#s"},
                                                {"SK", "ENHANCE#e"},
                                                {"status", "processing"},
                                                {"expiresAt", 5},
                                                {"epoch", 7},
                                                {"type", "enhancement"},
                                                {"lease_owner", "w"},
                                                {"lease_until", 2000},
                                                {"pending", StringSet{"a"}},
                                                {"results", Map()},
                                                {"totalCount", 3},
                                                {"completedCount", 2}},
                                       .revision = {.number = 4, .write_id = "w"}};
  const Record record = DecodeRecord(Kind("enhancement"), "e", stored);
  EXPECT_EQ(record.value,
            (Item{{"status", "processing"}, {"totalCount", 3}, {"completedCount", 2}}));
  EXPECT_EQ(record.state, "processing");
  EXPECT_EQ(record.epoch, 7);
  EXPECT_EQ(record.expires_at, 5);
  EXPECT_EQ(record.revision(), 4);
  EXPECT_EQ(record.lease, (Lease{"w", TimePoint(std::chrono::seconds(2))}));
  EXPECT_EQ(record.progress, (Progress{.total = 3, .done = 2}));
}

TEST(RecordCodec, NoFieldOfTheMediaWorkflowIsTheStores) {
  const auto check = [](const auto& names) {
    for (const std::string_view name : names) {
      EXPECT_FALSE(IsBookkeeping(name)) << name;
    }
  };
  check(StoredNames<TriageJob>());
  check(StoredNames<SelectionJob>());
  check(StoredNames<EnhancementJob>());
  check(StoredNames<DownloadJob>());
  check(StoredNames<DescriptionJob>());
  check(StoredNames<PostGroup>());
  check(StoredNames<PublishJob>());
  check(StoredNames<FacebookPrepJob>());
  check(StoredNames<FileResult>());
}

}  // namespace
}  // namespace stator::sessions
