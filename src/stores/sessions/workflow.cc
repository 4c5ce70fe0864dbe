#include "stator/stores/sessions/workflow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "stator/mapping/schema.h"
#include "stores/sessions/names.h"
#include "value/plain_json.h"

namespace stator::sessions {
namespace {

bool Contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

template <class Spec>
std::vector<std::string> NamesOf(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const Spec& spec : specs) {
    names.push_back(spec.name);
  }
  return names;
}

Result<void> CheckDistinct(const std::vector<std::string>& names, const std::string& what) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty() || !seen.insert(name).second) {
      return Invalid("a workflow needs distinct names of " + what + ", and none empty: '" + name +
                     "'");
    }
  }
  return {};
}

// What can be reached along `next`, the beginning included.
template <class Next>
std::set<std::string> Reach(const std::vector<std::string>& from, const Next& next) {
  std::set<std::string> reached;
  std::vector<std::string> waiting = from;
  while (!waiting.empty()) {
    const std::string name = std::move(waiting.back());
    waiting.pop_back();
    if (reached.insert(name).second) {
      for (const std::string& other : next(name)) {
        waiting.push_back(other);
      }
    }
  }
  return reached;
}

std::vector<std::string> Dependents(const std::vector<StepSpec>& steps, std::string_view name) {
  std::vector<std::string> names;
  for (const StepSpec& step : steps) {
    if (Contains(step.after, name)) {
      names.push_back(step.name);
    }
  }
  return names;
}

Result<void> CheckSteps(const std::vector<StepSpec>& steps) {
  const std::vector<std::string> names = NamesOf(steps);
  TRY_VOID(CheckDistinct(names, "steps"));
  const auto next = [&steps](const std::string& name) { return Dependents(steps, name); };
  for (const StepSpec& step : steps) {
    if (step.name == kSessionEpoch) {
      return Invalid("no step may be called '" + step.name + "'");
    }
    for (const std::string& before : step.after) {
      if (!Contains(names, before)) {
        return Invalid("step '" + step.name + "' depends on '" + before + "', which is no step");
      }
    }
    if (Reach(next(step.name), next).contains(step.name)) {
      return Invalid("step '" + step.name + "' depends on itself");
    }
  }
  return {};
}

Result<void> CheckMachine(const StateMachine& machine, const std::string& of) {
  if (machine.empty()) {
    return machine.changes.empty() && machine.working.empty() && machine.done.empty() &&
                   machine.failed.empty()
               ? Result<void>()
               : Invalid(of + " has states but none to begin with");
  }
  const std::set<std::string> reached = Reach(machine.initial, [&](const std::string& state) {
    std::vector<std::string> next;
    for (const StateChange& change : machine.changes) {
      if (change.from == state) {
        next.push_back(change.to);
      }
    }
    return next;
  });
  std::vector<std::string> named = {machine.working, machine.done, machine.failed};
  for (const StateChange& change : machine.changes) {
    named.push_back(change.from);
  }
  for (const std::string& state : named) {
    if (!state.empty() && !reached.contains(state)) {
      return Invalid("state '" + state + "' of " + of + " cannot be reached");
    }
  }
  return {};
}

Result<void> CheckKind(const KindSpec& kind, const WorkflowSpec& workflow) {
  const std::string of = "kind '" + kind.name + "'";
  if (kind.prefix.empty() || kind.prefix.back() != '#' ||
      std::string_view(kMetaKey).starts_with(kind.prefix)) {
    return Invalid("the prefix of " + of + " must end with # and not be that of the session");
  }
  for (const KindSpec& other : workflow.kinds) {
    if (&other != &kind && other.prefix.starts_with(kind.prefix)) {
      return Invalid("the prefix of kind '" + other.name + "' begins with that of " + of);
    }
  }
  if (!kind.step.empty() && !Contains(NamesOf(workflow.steps), kind.step)) {
    return Invalid(of + " belongs to '" + kind.step + "', which is no step");
  }
  if (kind.ttl.rule != TtlRule::kUntilParent &&
      (kind.ttl.life <= std::chrono::seconds(0) || kind.ttl.life > workflow.ttl.life)) {
    return Invalid(of + " must live for some time, and no longer than its session");
  }
  if (!kind.items.list.empty() && (kind.machine.working.empty() || kind.machine.done.empty() ||
                                   !kind.machine.Allows(kind.machine.working, kind.machine.done))) {
    return Invalid(of + " has items, so its states need a way from working to done");
  }
  if (Contains(kind.spill_lists, kind.items.list)) {
    return Invalid(of + " has items in the list '" + kind.items.list +
                   "', which may not be spilled");
  }
  return CheckMachine(kind.machine, of);
}

const Map& PartOf(const Map& schema, std::string_view keyword) {
  static const Map none;
  const AttributeValue* const part = schema.Find(keyword);
  const Map* const map = part == nullptr ? nullptr : part->If<Map>();
  return map == nullptr ? none : *map;
}

// A name in the file that no field has is a mistyped one, not one to be passed over.
Result<void> CheckNames(const Map& root, const Map& given, const AttributeValue& value,
                        const std::string& path) {
  constexpr std::string_view kDefinitions = "#/$defs/";
  const AttributeValue* const reference = given.Find("$ref");
  const std::string* const name_of_type =
      reference == nullptr ? nullptr : reference->If<std::string>();
  const Map& schema = name_of_type == nullptr || !name_of_type->starts_with(kDefinitions)
                          ? given
                          : PartOf(PartOf(root, "$defs"),
                                   std::string_view(*name_of_type).substr(kDefinitions.size()));
  if (const List* const list = value.If<List>()) {
    for (std::size_t at = 0; at < list->size(); ++at) {
      TRY_VOID(CheckNames(root, PartOf(schema, "items"), (*list)[at],
                          path + "[" + std::to_string(at) + "]"));
    }
  }
  const Map& properties = PartOf(schema, "properties");
  const Map* const map = value.If<Map>();
  if (map == nullptr || properties.empty()) {
    return {};
  }
  for (const auto& [name, part] : *map) {
    if (!properties.contains(name)) {
      std::vector<std::string> known;
      for (const auto& [field, unused] : properties) {
        known.push_back(field);
      }
      return Invalid((path.empty() ? "" : path + ": ") + "there is no '" + name + "'; there are " +
                     Joined(known));
    }
    TRY_VOID(
        CheckNames(root, PartOf(properties, name), part, path.empty() ? name : path + "." + name));
  }
  return {};
}

}  // namespace

bool StateMachine::Allows(std::string_view from, std::string_view to) const {
  return std::any_of(changes.begin(), changes.end(), [&](const StateChange& change) {
    return change.from == from && change.to == to;
  });
}

std::vector<std::string> StateMachine::Before(std::string_view to) const {
  std::vector<std::string> states;
  for (const StateChange& change : changes) {
    if (change.to == to && !Contains(states, change.from)) {
      states.push_back(change.from);
    }
  }
  return states;
}

Result<Workflow> Workflow::Make(WorkflowSpec spec) {
  if (spec.ttl.rule == TtlRule::kUntilParent || spec.ttl.life <= std::chrono::seconds(0)) {
    return Invalid("a session needs a life of its own: fixed or sliding");
  }
  if (spec.ttl.renew_below_percent < 0 || spec.ttl.renew_below_percent > 100) {
    return Invalid("a session is renewed below a part of its life: 0 to 100 percent");
  }
  TRY_VOID(CheckSteps(spec.steps));
  TRY_VOID(CheckDistinct(NamesOf(spec.kinds), "kinds"));
  TRY_VOID(CheckMachine(spec.machine, "the session"));
  if (spec.machine.empty()) {
    return Invalid("a session needs a state to begin with");
  }
  for (const KindSpec& kind : spec.kinds) {
    TRY_VOID(CheckKind(kind, spec));
  }
  return Workflow(std::move(spec));
}

const KindSpec* Workflow::FindKind(std::string_view name) const {
  const auto found = std::find_if(spec_.kinds.begin(), spec_.kinds.end(),
                                  [&](const KindSpec& kind) { return kind.name == name; });
  return found == spec_.kinds.end() ? nullptr : &*found;
}

const KindSpec* Workflow::FindKindOfKey(std::string_view sort_key) const {
  const auto found =
      std::find_if(spec_.kinds.begin(), spec_.kinds.end(),
                   [&](const KindSpec& kind) { return sort_key.starts_with(kind.prefix); });
  return found == spec_.kinds.end() ? nullptr : &*found;
}

const StepSpec* Workflow::FindStep(std::string_view name) const {
  const auto found = std::find_if(spec_.steps.begin(), spec_.steps.end(),
                                  [&](const StepSpec& step) { return step.name == name; });
  return found == spec_.steps.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> Workflow::StepsFrom(std::string_view step) const {
  if (FindStep(step) == nullptr) {
    return Invalid("there is no step '" + std::string(step) + "'; there are " +
                   Joined(NamesOf(spec_.steps)));
  }
  const std::set<std::string> reached = Reach({std::string(step)}, [this](const std::string& name) {
    return Dependents(spec_.steps, name);
  });
  std::vector<std::string> names;
  for (const StepSpec& other : spec_.steps) {
    if (reached.contains(other.name)) {
      names.push_back(other.name);
    }
  }
  return names;
}

Result<std::vector<std::string>> Workflow::StepsAfter(std::string_view step) const {
  std::vector<std::string> names = TRY(StepsFrom(step));
  std::erase(names, step);
  return names;
}

Result<Workflow> ParseWorkflow(std::string_view json) {
  const AttributeValue value = TRY(value::ValueFromPlainJson(json));
  const Map* object = value.If<Map>();
  if (object == nullptr) {
    return Invalid("a workflow is an object of JSON");
  }
  const Map schema = SchemaOf<WorkflowSpec>();
  TRY_VOID(CheckNames(schema, schema, value, ""));
  return Workflow::Make(TRY(FromItem<WorkflowSpec>(*object)));
}

std::string ToJson(const WorkflowSpec& spec) {
  const Result<Item> item = ToItem(spec);
  return item ? value::ToPlainJson(*item) : std::string();
}

}  // namespace stator::sessions
