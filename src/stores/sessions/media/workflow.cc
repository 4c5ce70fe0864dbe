#include "stator/stores/sessions/media/workflow.h"

#include <algorithm>

#include "base/check.h"

namespace stator::sessions {
namespace {

bool IsLetterOrDigit(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

// pending > processing > complete, or error; what has ended may be worked on again.
StateMachine JobStates() {
  return {.initial = {"pending", "processing"},
          .changes = {{"pending", "processing"},
                      {"pending", "error"},
                      {"processing", "complete"},
                      {"processing", "error"},
                      {"complete", "processing"},
                      {"error", "processing"},
                      {"error", "pending"}},
          .working = "processing",
          .done = "complete",
          .failed = "error"};
}

StateMachine PublishStates() {
  return {.initial = {"pending", "processing"},
          .changes = {{"pending", "processing"},
                      {"pending", "creating_containers"},
                      {"pending", "error"},
                      {"processing", "creating_containers"},
                      {"processing", "error"},
                      {"creating_containers", "publishing"},
                      {"creating_containers", "error"},
                      {"publishing", "published"},
                      {"publishing", "error"},
                      {"error", "pending"},
                      {"error", "creating_containers"}},
          .working = "publishing",
          .done = "published",
          .failed = "error"};
}

std::vector<KindSpec> Kinds() {
  using std::chrono::hours;
  const StateMachine jobs = JobStates();
  return {
      {.name = "triage",
       .prefix = "TRIAGE#",
       .step = "triage",
       .id_prefix = "triage-",
       .machine = jobs,
       .spill_lists = {"keep", "discard"}},
      {.name = "selection",
       .prefix = "SELECTION#",
       .step = "selection",
       .id_prefix = "sel-",
       .machine = jobs,
       .spill_lists = {"selected", "excluded", "sceneGroups"}},
      {.name = "enhancement",
       .prefix = "ENHANCE#",
       .step = "enhancement",
       .id_prefix = "enh-",
       .machine = jobs,
       .items = {.list = "items"}},
      {.name = "group", .prefix = "GROUP#", .step = "grouping", .reusable_ids = true},
      {.name = "download",
       .prefix = "DOWNLOAD#",
       .step = "download",
       .id_prefix = "dl-",
       .machine = jobs,
       .spill_lists = {"bundles"}},
      {.name = "description",
       .prefix = "DESC#",
       .step = "description",
       .id_prefix = "desc-",
       .machine = jobs,
       .spill_lists = {"history"}},
      {.name = "publish",
       .prefix = "PUBLISH#",
       .step = "publish",
       .id_prefix = "pub-",
       .machine = PublishStates()},
      {.name = "fbprep",
       .prefix = "FBPREP#",
       .id_prefix = "fb-",
       .machine = jobs,
       .spill_lists = {"items"}},
      {.name = "file", .prefix = "FILE#", .ttl = TtlPolicy::Fixed(hours(4)), .reusable_ids = true},
      {.name = "fingerprint",
       .prefix = "FP#",
       .ttl = TtlPolicy::Fixed(hours(4)),
       .reusable_ids = true},
  };
}

}  // namespace

WorkflowSpec MediaWorkflowSpec() {
  return {.name = "media",
          .steps = {{.name = "triage"},
                    {.name = "selection", .after = {"triage"}},
                    {.name = "enhancement",
                     .after = {"selection"},
                     .blob_folders = {"enhanced", "thumbnails"}},
                    {.name = "grouping", .after = {"enhancement"}},
                    {.name = "download", .after = {"grouping"}},
                    {.name = "description", .after = {"download"}},
                    {.name = "publish", .after = {"description"}}},
          .kinds = Kinds(),
          .uuid_sessions = true};
}

const Workflow& MediaWorkflow() {
  static const Workflow kWorkflow = [] {
    Result<Workflow> workflow = Workflow::Make(MediaWorkflowSpec());
    CHECK_THAT(workflow.has_value(), workflow.error().message);
    return *std::move(workflow);
  }();
  return kWorkflow;
}

Result<std::string> MakeFileId(std::string_view job, std::string_view filename) {
  const bool plain = std::all_of(filename.begin(), filename.end(), [](char character) {
    return IsLetterOrDigit(character) || std::string_view("._ ()-").contains(character);
  });
  if (filename.empty() || filename.size() > 255 || !IsLetterOrDigit(filename.front()) || !plain ||
      filename.contains("..")) {
    return Invalid("this is no name of an uploaded file");
  }
  return std::string(job) + "/" + std::string(filename);
}

}  // namespace stator::sessions
