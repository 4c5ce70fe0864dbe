// The records of the media workflow (media/workflow.h), one struct per kind. The id of a record and
// of its session are in its key and nowhere else.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/stores/sessions/media/items.h"
#include "stator/stores/sessions/record.h"

namespace stator::sessions {

// The session itself; status: active.
struct MediaSession {
  std::string status = {};
  std::string owner_sub = {};
  std::string trip_context = {};
  std::vector<std::string> uploaded_keys = {};
  std::int64_t created_at = 0;

  friend bool operator==(const MediaSession&, const MediaSession&) = default;
};
BOOST_DESCRIBE_STRUCT(MediaSession, (),
                      (status, owner_sub, trip_context, uploaded_keys, created_at))

struct TriageJob {
  std::string status = {};
  std::string phase = {};
  std::string model = {};
  std::int64_t total_files = 0;
  std::int64_t uploaded_files = 0;
  std::int64_t expected_file_count = 0;
  std::int64_t processed_count = 0;
  std::vector<TriageItem> keep = {};
  std::vector<TriageItem> discard = {};
  std::string error = {};
  std::int64_t retry_count = 0;
  std::int64_t triage_batch = 0;
  std::int64_t triage_batch_total = 0;

  friend bool operator==(const TriageJob&, const TriageJob&) = default;
};
BOOST_DESCRIBE_STRUCT(TriageJob, (),
                      (status, phase, model, total_files, uploaded_files, expected_file_count,
                       processed_count, keep, discard, error, retry_count, triage_batch,
                       triage_batch_total))

struct SelectionJob {
  std::string status = {};
  std::vector<SelectedItem> selected = {};
  std::vector<ExcludedItem> excluded = {};
  std::vector<SceneGroup> scene_groups = {};
  std::string error = {};

  friend bool operator==(const SelectionJob&, const SelectionJob&) = default;
};
BOOST_DESCRIBE_STRUCT(SelectionJob, (), (status, selected, excluded, scene_groups, error))

struct EnhancementJob {
  std::string status = {};
  std::vector<EnhancementItem> items = {};
  std::int64_t total_count = 0;
  std::int64_t completed_count = 0;
  std::string error = {};

  friend bool operator==(const EnhancementJob&, const EnhancementJob&) = default;
};
BOOST_DESCRIBE_STRUCT(EnhancementJob, (), (status, items, total_count, completed_count, error))

struct DownloadJob {
  std::string status = {};
  std::vector<DownloadBundle> bundles = {};
  std::string error = {};

  friend bool operator==(const DownloadJob&, const DownloadJob&) = default;
};
BOOST_DESCRIBE_STRUCT(DownloadJob, (), (status, bundles, error))

// raw_response is never sent to clients.
struct DescriptionJob {
  std::string status = {};
  std::string group_label = {};
  std::string trip_context = {};
  std::vector<std::string> media_keys = {};
  std::string caption = {};
  std::vector<std::string> hashtags = {};
  std::string location_tag = {};
  std::string raw_response = {};
  std::vector<DescriptionRound> history = {};
  std::string error = {};

  friend bool operator==(const DescriptionJob&, const DescriptionJob&) = default;
};
BOOST_DESCRIBE_STRUCT(DescriptionJob, (),
                      (status, group_label, trip_context, media_keys, caption, hashtags,
                       location_tag, raw_response, history, error))

struct PostGroup {
  std::string name = {};
  std::vector<std::string> media_keys = {};
  std::string caption = {};
  std::string publish_status = {};
  std::string instagram_post_id = {};

  friend bool operator==(const PostGroup&, const PostGroup&) = default;
};
BOOST_DESCRIBE_STRUCT(PostGroup, (), (name, media_keys, caption, publish_status, instagram_post_id))

// status also: creating_containers, publishing, published.
struct PublishJob {
  std::string group_id = {};
  std::string status = {};
  std::string phase = {};
  std::int64_t total_items = 0;
  std::int64_t completed_items = 0;
  std::string instagram_post_id = {};
  std::vector<std::string> container_ids = {};
  std::string error = {};

  friend bool operator==(const PublishJob&, const PublishJob&) = default;
};
BOOST_DESCRIBE_STRUCT(PublishJob, (),
                      (group_id, status, phase, total_items, completed_items, instagram_post_id,
                       container_ids, error))

struct FacebookPrepJob {
  std::string status = {};
  bool economy_mode = false;
  std::vector<std::string> media_keys = {};
  std::vector<FacebookItem> items = {};
  std::string batch_job_id = {};
  std::vector<std::string> batch_job_ids = {};
  std::vector<std::string> gcs_paths_for_cleanup = {};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::map<std::string, std::string> pre_enrich_locations = {};
  std::string created_at = {};
  std::string updated_at = {};
  std::string error = {};

  friend bool operator==(const FacebookPrepJob&, const FacebookPrepJob&) = default;
};
BOOST_DESCRIBE_STRUCT(FacebookPrepJob, (),
                      (status, economy_mode, media_keys, items, batch_job_id, batch_job_ids,
                       gcs_paths_for_cleanup, input_tokens, output_tokens, pre_enrich_locations,
                       created_at, updated_at, error))

// What became of one uploaded file; status: valid, invalid, error.
struct FileResult {
  std::string status = {};
  std::string original_key = {};
  std::string processed_key = {};
  std::string thumbnail_key = {};
  std::string file_type = {};
  std::string mime_type = {};
  std::int64_t file_size = 0;
  bool converted = false;
  std::string fingerprint = {};
  std::map<std::string, std::string> metadata = {};
  std::string error = {};

  friend bool operator==(const FileResult&, const FileResult&) = default;
};
BOOST_DESCRIBE_STRUCT(FileResult, (),
                      (status, original_key, processed_key, thumbnail_key, file_type, mime_type,
                       file_size, converted, fingerprint, metadata, error))

// Who processes the file with this content; made once per digest.
struct FingerprintClaim {
  std::string filename = {};
  std::string job_id = {};

  friend bool operator==(const FingerprintClaim&, const FingerprintClaim&) = default;
};
BOOST_DESCRIBE_STRUCT(FingerprintClaim, (), (filename, job_id))

template <>
struct KindOf<TriageJob> {
  static constexpr const char* kName = "triage";
};
template <>
struct KindOf<SelectionJob> {
  static constexpr const char* kName = "selection";
};
template <>
struct KindOf<EnhancementJob> {
  static constexpr const char* kName = "enhancement";
};
template <>
struct KindOf<DownloadJob> {
  static constexpr const char* kName = "download";
};
template <>
struct KindOf<DescriptionJob> {
  static constexpr const char* kName = "description";
};
template <>
struct KindOf<PostGroup> {
  static constexpr const char* kName = "group";
};
template <>
struct KindOf<PublishJob> {
  static constexpr const char* kName = "publish";
};
template <>
struct KindOf<FacebookPrepJob> {
  static constexpr const char* kName = "fbprep";
};
template <>
struct KindOf<FileResult> {
  static constexpr const char* kName = "file";
};
template <>
struct KindOf<FingerprintClaim> {
  static constexpr const char* kName = "fingerprint";
};

}  // namespace stator::sessions

namespace stator {

template <>
struct Mapping<sessions::MediaSession> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::MediaSession::owner_sub>(),
      sessions::Omitted<&sessions::MediaSession::trip_context>(),
      sessions::Omitted<&sessions::MediaSession::uploaded_keys>(),
  };
};
template <>
struct Mapping<sessions::TriageJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::TriageJob::phase>(),
      sessions::Omitted<&sessions::TriageJob::model>(),
      sessions::Omitted<&sessions::TriageJob::total_files>(),
      sessions::Omitted<&sessions::TriageJob::uploaded_files>(),
      sessions::Omitted<&sessions::TriageJob::expected_file_count>(),
      sessions::Omitted<&sessions::TriageJob::processed_count>(),
      sessions::Omitted<&sessions::TriageJob::keep>(),
      sessions::Omitted<&sessions::TriageJob::discard>(),
      sessions::Omitted<&sessions::TriageJob::error>(),
      sessions::Omitted<&sessions::TriageJob::retry_count>(),
      sessions::Omitted<&sessions::TriageJob::triage_batch>(),
      sessions::Omitted<&sessions::TriageJob::triage_batch_total>(),
  };
};
template <>
struct Mapping<sessions::SelectionJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::SelectionJob::selected>(),
      sessions::Omitted<&sessions::SelectionJob::excluded>(),
      sessions::Omitted<&sessions::SelectionJob::scene_groups>(),
      sessions::Omitted<&sessions::SelectionJob::error>(),
  };
};
template <>
struct Mapping<sessions::EnhancementJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::EnhancementJob::items>(),
      sessions::Omitted<&sessions::EnhancementJob::error>(),
  };
};
template <>
struct Mapping<sessions::DownloadJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::DownloadJob::bundles>(),
      sessions::Omitted<&sessions::DownloadJob::error>(),
  };
};
template <>
struct Mapping<sessions::DescriptionJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::DescriptionJob::group_label>(),
      sessions::Omitted<&sessions::DescriptionJob::trip_context>(),
      sessions::Omitted<&sessions::DescriptionJob::media_keys>(),
      sessions::Omitted<&sessions::DescriptionJob::caption>(),
      sessions::Omitted<&sessions::DescriptionJob::hashtags>(),
      sessions::Omitted<&sessions::DescriptionJob::location_tag>(),
      sessions::Omitted<&sessions::DescriptionJob::raw_response>(),
      sessions::Omitted<&sessions::DescriptionJob::history>(),
      sessions::Omitted<&sessions::DescriptionJob::error>(),
  };
};
template <>
struct Mapping<sessions::PostGroup> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::PostGroup::name>(),
      sessions::Omitted<&sessions::PostGroup::media_keys>(),
      sessions::Omitted<&sessions::PostGroup::caption>(),
      sessions::Omitted<&sessions::PostGroup::publish_status>(),
      sessions::Omitted<&sessions::PostGroup::instagram_post_id>(),
  };
};
template <>
struct Mapping<sessions::PublishJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::PublishJob::instagram_post_id>(),
      sessions::Omitted<&sessions::PublishJob::container_ids>(),
      sessions::Omitted<&sessions::PublishJob::error>(),
  };
};
template <>
struct Mapping<sessions::FacebookPrepJob> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::FacebookPrepJob::economy_mode>(),
      sessions::Omitted<&sessions::FacebookPrepJob::media_keys>(),
      sessions::Omitted<&sessions::FacebookPrepJob::items>(),
      sessions::Omitted<&sessions::FacebookPrepJob::batch_job_id>(),
      sessions::Omitted<&sessions::FacebookPrepJob::batch_job_ids>(),
      sessions::Omitted<&sessions::FacebookPrepJob::gcs_paths_for_cleanup>(),
      sessions::Omitted<&sessions::FacebookPrepJob::input_tokens>(),
      sessions::Omitted<&sessions::FacebookPrepJob::output_tokens>(),
      sessions::Omitted<&sessions::FacebookPrepJob::pre_enrich_locations>(),
      sessions::Omitted<&sessions::FacebookPrepJob::error>(),
  };
};
template <>
struct Mapping<sessions::FileResult> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::FileResult::processed_key>(),
      sessions::Omitted<&sessions::FileResult::thumbnail_key>(),
      sessions::Omitted<&sessions::FileResult::fingerprint>(),
      sessions::Omitted<&sessions::FileResult::metadata>(),
      sessions::Omitted<&sessions::FileResult::error>(),
  };
};
template <>
struct Mapping<sessions::FingerprintClaim> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
};

}  // namespace stator
