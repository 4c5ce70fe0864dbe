// What a workflow is, as data: the kinds of its records, the steps and how they depend on each
// other, the states that a record goes through, how long everything lives. The store knows nothing
// else about an application.
//
//   const Result<Workflow> workflow = Workflow::Make({
//       .name = "print",
//       .steps = {{.name = "layout"}, {.name = "proof", .after = {"layout"}}},
//       .kinds = {{.name = "layout", .prefix = "LAYOUT#", .step = "layout", .machine = kJobStates},
//                 {.name = "proof", .prefix = "PROOF#", .step = "proof"}},
//   });
//
// media/workflow.h has a large one. ParseWorkflow reads one from JSON, with the names of the fields
// below.
//
// INVARIANTS of a Workflow, checked when it is made
//
//   (1) Names of steps, names of kinds and prefixes are distinct; no prefix begins with another one
//       or is the key of the session, so the key of a record tells its kind.
//   (2) Steps depend on steps that exist, and never on themselves, however far around.
//   (3) Every state of a machine can be reached from where records begin.
//   (4) No kind promises to live longer than the session.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"

namespace stator::sessions {

enum class TtlRule : std::uint8_t {
  kUntilParent,  // as long as the session, renewed together with it
  kFixed,        // from creation, never renewed
  kSliding,      // from the last write
};
BOOST_DESCRIBE_ENUM(TtlRule, kUntilParent, kFixed, kSliding)

// How long a record lives; a session is renewed when less than a part of its life is left.
struct TtlPolicy {
  TtlRule rule = TtlRule::kUntilParent;
  std::chrono::seconds life{0};
  int renew_below_percent = 50;

  static TtlPolicy UntilParent() { return {}; }
  static TtlPolicy Fixed(std::chrono::seconds life) { return {TtlRule::kFixed, life}; }
  static TtlPolicy Sliding(std::chrono::seconds life, int renew_below_percent = 50) {
    return {TtlRule::kSliding, life, renew_below_percent};
  }

  friend bool operator==(const TtlPolicy&, const TtlPolicy&) = default;
};
BOOST_DESCRIBE_STRUCT(TtlPolicy, (), (rule, life, renew_below_percent))

struct StateChange {
  std::string from;
  std::string to;

  friend bool operator==(const StateChange&, const StateChange&) = default;
};
BOOST_DESCRIBE_STRUCT(StateChange, (), (from, to))

// The states of a record. Without `initial` there are none, and its attribute is like any other.
struct StateMachine {
  std::string attribute = "status";
  std::vector<std::string> initial = {};  // the first is the default
  std::vector<StateChange> changes = {};
  std::string working = {};  // in which results of items are taken
  std::string done = {};     // where the last result leads
  std::string failed = {};   // where FailRecord leads

  [[nodiscard]] bool empty() const { return initial.empty(); }
  [[nodiscard]] bool Allows(std::string_view from, std::string_view to) const;
  // From where `to` can be reached at once.
  [[nodiscard]] std::vector<std::string> Before(std::string_view to) const;

  friend bool operator==(const StateMachine&, const StateMachine&) = default;
};
BOOST_DESCRIBE_STRUCT(StateMachine, (), (attribute, initial, changes, working, done, failed))

// A record with items that are worked on in parallel.
struct ItemsSpec {
  std::string list = {};  // the list that has the results in the end; empty: no such items
  std::string id_attribute = "key";  // of a result: whose it is
  std::string phase_attribute = "phase";
  std::string failed_phase = "error";
  std::string total_attribute = "totalCount";
  std::string done_attribute = "completedCount";

  friend bool operator==(const ItemsSpec&, const ItemsSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(ItemsSpec, (),
                      (list, id_attribute, phase_attribute, failed_phase, total_attribute,
                       done_attribute))

struct StepSpec {
  std::string name;
  std::vector<std::string> after = {};  // steps whose outcome this one uses
  // Folders of the session in the blob store that are emptied when the step is invalidated.
  std::vector<std::string> blob_folders = {};

  friend bool operator==(const StepSpec&, const StepSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(StepSpec, (), (name, after, blob_folders))

struct KindSpec {
  std::string name;
  std::string prefix;          // of the sort key; the id follows
  std::string step = {};       // empty: no invalidation touches it
  std::string id_prefix = {};  // of ids that the store makes
  StateMachine machine = {};
  std::string error_attribute = "error";
  TtlPolicy ttl = {};
  ItemsSpec items = {};
  // Lists that may be kept in items of their own when the record gets too large.
  std::vector<std::string> spill_lists = {};
  // Ids are chosen by the caller and may come again, as those of post groups. Ids of jobs are used
  // once, which makes cleaning up cheaper.
  bool reusable_ids = false;

  friend bool operator==(const KindSpec&, const KindSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(KindSpec, (),
                      (name, prefix, step, id_prefix, machine, error_attribute, ttl, items,
                       spill_lists, reusable_ids))

struct WorkflowSpec {
  std::string name;
  std::string partition_prefix = "SESSION#";
  TtlPolicy ttl = TtlPolicy::Sliding(std::chrono::hours(24));
  StateMachine machine = {.initial = {"active"}};  // of the session itself
  std::vector<StepSpec> steps = {};
  std::vector<KindSpec> kinds = {};
  bool uuid_sessions = false;  // ids of sessions are UUIDs of version 4 in lower case

  friend bool operator==(const WorkflowSpec&, const WorkflowSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkflowSpec, (),
                      (name, partition_prefix, ttl, machine, steps, kinds, uuid_sessions))

class Workflow {
 public:
  // One without records: a session has its own attributes only.
  Workflow() = default;
  // Fails with kValidation and says which of the invariants is broken.
  static Result<Workflow> Make(WorkflowSpec spec);

  [[nodiscard]] const WorkflowSpec& spec() const { return spec_; }

  // Null when there is none.
  [[nodiscard]] const KindSpec* FindKind(std::string_view name) const;
  [[nodiscard]] const KindSpec* FindKindOfKey(std::string_view sort_key) const;
  [[nodiscard]] const StepSpec* FindStep(std::string_view name) const;

  // The step and all that depend on it, in the order of the spec; without the step itself. Fail
  // with kValidation and name the steps that there are.
  [[nodiscard]] Result<std::vector<std::string>> StepsFrom(std::string_view step) const;
  [[nodiscard]] Result<std::vector<std::string>> StepsAfter(std::string_view step) const;

 private:
  explicit Workflow(WorkflowSpec spec) : spec_(std::move(spec)) {}

  WorkflowSpec spec_;
};

// A spec as JSON; members that are missing have their defaults.
Result<Workflow> ParseWorkflow(std::string_view json);
std::string ToJson(const WorkflowSpec& spec);

}  // namespace stator::sessions

template <>
struct stator::Mapping<stator::sessions::TtlRule> {
  static constexpr auto kNameStyle = stator::NameStyle::kSnakeCase;
};
template <>
struct stator::Mapping<stator::sessions::TtlPolicy> {
  static constexpr bool kRequired = false;
};
template <>
struct stator::Mapping<stator::sessions::StateMachine> {
  static constexpr bool kRequired = false;
};
template <>
struct stator::Mapping<stator::sessions::ItemsSpec> {
  static constexpr bool kRequired = false;
};
template <>
struct stator::Mapping<stator::sessions::StepSpec> {
  static constexpr bool kRequired = false;
};
template <>
struct stator::Mapping<stator::sessions::KindSpec> {
  static constexpr bool kRequired = false;
};
template <>
struct stator::Mapping<stator::sessions::WorkflowSpec> {
  static constexpr bool kRequired = false;
};
