// The parts that records of the media workflow are made of. Names and omissions are those of the
// system that wrote such tables first; its items can be read, and it can read these.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "stator/mapping/mapping.h"
#include "stator/value/number.h"

namespace stator::sessions {

// A field that is not stored while it is empty, zero or false.
template <auto kMember>
constexpr Field<kMember> Omitted() {
  return Field<kMember>({.omit_default = true});
}

struct TriageItem {
  std::int64_t media = 0;
  std::string filename = {};
  std::string key = {};
  std::string processed_key = {};
  bool saveable = false;
  std::string reason = {};
  std::string thumbnail_url = {};

  friend bool operator==(const TriageItem&, const TriageItem&) = default;
};
BOOST_DESCRIBE_STRUCT(TriageItem, (),
                      (media, filename, key, processed_key, saveable, reason, thumbnail_url))

struct SelectedItem {
  std::int64_t rank = 0;
  std::int64_t media = 0;
  std::string filename = {};
  std::string key = {};
  std::string type = {};
  std::string scene = {};
  std::string justification = {};
  std::string comparison_note = {};
  std::string thumbnail_url = {};

  friend bool operator==(const SelectedItem&, const SelectedItem&) = default;
};
BOOST_DESCRIBE_STRUCT(SelectedItem, (),
                      (rank, media, filename, key, type, scene, justification, comparison_note,
                       thumbnail_url))

struct ExcludedItem {
  std::int64_t media = 0;
  std::string filename = {};
  std::string key = {};
  std::string reason = {};
  std::string category = {};
  std::string duplicate_of = {};
  std::string thumbnail_url = {};

  friend bool operator==(const ExcludedItem&, const ExcludedItem&) = default;
};
BOOST_DESCRIBE_STRUCT(ExcludedItem, (),
                      (media, filename, key, reason, category, duplicate_of, thumbnail_url))

struct SceneItem {
  std::int64_t media = 0;
  std::string filename = {};
  std::string key = {};
  std::string type = {};
  bool selected = false;
  std::string description = {};
  std::string thumbnail_url = {};

  friend bool operator==(const SceneItem&, const SceneItem&) = default;
};
BOOST_DESCRIBE_STRUCT(SceneItem, (),
                      (media, filename, key, type, selected, description, thumbnail_url))

struct SceneGroup {
  std::string name = {};
  std::string gps = {};
  std::string time_range = {};
  std::vector<SceneItem> items = {};

  friend bool operator==(const SceneGroup&, const SceneGroup&) = default;
};
BOOST_DESCRIBE_STRUCT(SceneGroup, (), (name, gps, time_range, items))

struct Improvement {
  std::string type = {};
  std::string description = {};
  std::string region = {};
  std::string impact = {};
  bool imagen_suitable = false;
  std::string edit_instruction = {};

  friend bool operator==(const Improvement&, const Improvement&) = default;
};
BOOST_DESCRIBE_STRUCT(Improvement, (),
                      (type, description, region, impact, imagen_suitable, edit_instruction))

// Scores are fractions, so they are kept as they were written.
struct Analysis {
  std::string overall_assessment = {};
  std::vector<Improvement> remaining_improvements = {};
  Number professional_score = {};
  Number target_score = {};
  bool no_further_edits_needed = false;

  friend bool operator==(const Analysis&, const Analysis&) = default;
};
BOOST_DESCRIBE_STRUCT(Analysis, (),
                      (overall_assessment, remaining_improvements, professional_score, target_score,
                       no_further_edits_needed))

struct FeedbackRound {
  std::string user_feedback = {};
  std::string model_response = {};
  std::string method = {};
  bool success = false;

  friend bool operator==(const FeedbackRound&, const FeedbackRound&) = default;
};
BOOST_DESCRIBE_STRUCT(FeedbackRound, (), (user_feedback, model_response, method, success))

// phase: initial, phase1, phase2, phase3, feedback, complete, error; pending at first.
struct EnhancementItem {
  std::string key = {};
  std::string filename = {};
  std::string phase = {};
  std::string original_key = {};
  std::string enhanced_key = {};
  std::string original_thumb_key = {};
  std::string enhanced_thumb_key = {};
  std::string phase1_text = {};
  std::optional<Analysis> analysis = std::nullopt;
  std::int64_t imagen_edits = 0;
  std::vector<FeedbackRound> feedback_history = {};
  std::string error = {};

  friend bool operator==(const EnhancementItem&, const EnhancementItem&) = default;
};
BOOST_DESCRIBE_STRUCT(EnhancementItem, (),
                      (key, filename, phase, original_key, enhanced_key, original_thumb_key,
                       enhanced_thumb_key, phase1_text, analysis, imagen_edits, feedback_history,
                       error))

struct DownloadBundle {
  std::string type = {};
  std::string name = {};
  std::string zip_key = {};
  std::string download_url = {};
  std::int64_t file_count = 0;
  std::int64_t total_size = 0;
  std::int64_t zip_size = 0;
  std::string status = {};
  std::string error = {};

  friend bool operator==(const DownloadBundle&, const DownloadBundle&) = default;
};
BOOST_DESCRIBE_STRUCT(DownloadBundle, (),
                      (type, name, zip_key, download_url, file_count, total_size, zip_size, status,
                       error))

struct DescriptionRound {
  std::string user_feedback = {};
  std::string model_response = {};

  friend bool operator==(const DescriptionRound&, const DescriptionRound&) = default;
};
BOOST_DESCRIBE_STRUCT(DescriptionRound, (), (user_feedback, model_response))

struct FacebookItem {
  std::int64_t item_index = 0;
  std::string s3_key = {};
  std::string key = {};
  std::string caption = {};
  std::string location_tag = {};
  std::string date_timestamp = {};
  std::string location_confidence = {};
  std::string error = {};

  friend bool operator==(const FacebookItem&, const FacebookItem&) = default;
};
BOOST_DESCRIBE_STRUCT(FacebookItem, (),
                      (item_index, s3_key, key, caption, location_tag, date_timestamp,
                       location_confidence, error))

}  // namespace stator::sessions

namespace stator {

template <>
struct Mapping<sessions::TriageItem> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::TriageItem::processed_key>(),
  };
};
template <>
struct Mapping<sessions::SelectedItem> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::SelectedItem::comparison_note>(),
  };
};
template <>
struct Mapping<sessions::ExcludedItem> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::ExcludedItem::duplicate_of>(),
  };
};
template <>
struct Mapping<sessions::SceneItem> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
};
template <>
struct Mapping<sessions::SceneGroup> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::SceneGroup::gps>(),
      sessions::Omitted<&sessions::SceneGroup::time_range>(),
  };
};
template <>
struct Mapping<sessions::Improvement> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
};
template <>
struct Mapping<sessions::Analysis> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::Analysis::remaining_improvements>(),
  };
};
template <>
struct Mapping<sessions::FeedbackRound> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
};
template <>
struct Mapping<sessions::EnhancementItem> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::EnhancementItem::enhanced_key>(),
      sessions::Omitted<&sessions::EnhancementItem::original_thumb_key>(),
      sessions::Omitted<&sessions::EnhancementItem::enhanced_thumb_key>(),
      sessions::Omitted<&sessions::EnhancementItem::phase1_text>(),
      sessions::Omitted<&sessions::EnhancementItem::feedback_history>(),
      sessions::Omitted<&sessions::EnhancementItem::error>(),
  };
};
template <>
struct Mapping<sessions::DownloadBundle> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::DownloadBundle::zip_key>(),
      sessions::Omitted<&sessions::DownloadBundle::download_url>(),
      sessions::Omitted<&sessions::DownloadBundle::zip_size>(),
      Field<&sessions::DownloadBundle::error>({.name = "bundleError", .omit_default = true}),
      Field<&sessions::DownloadBundle::status>({.name = "bundleStatus"}),
  };
};
template <>
struct Mapping<sessions::DescriptionRound> {
  static constexpr auto kNameStyle = NameStyle::kCamelCase;
  static constexpr bool kRequired = false;
};
template <>
struct Mapping<sessions::FacebookItem> {
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      sessions::Omitted<&sessions::FacebookItem::key>(),
      sessions::Omitted<&sessions::FacebookItem::error>(),
  };
};

}  // namespace stator
