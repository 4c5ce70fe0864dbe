#include "cli/tables_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <set>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/provisioning.h"
#include "cli/shared_options.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/policy.h"
#include "stator/provision/table_keys.h"
#include "stator/schema/folder.h"
#include "stator/schema/snapshot.h"
#include "stator/stores/entities/shared_table.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/tables.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/sessions/session_table.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::cli {
namespace {

using entities::Verbs;
using provision::EnsureMode;
using provision::TableAccess;
using provision::TableSpec;

constexpr const char* kEntity = "entity";

struct NamedVerb {
  const char* name;
  Verbs verb;
};
constexpr std::array<NamedVerb, 16> kVerbs = {{
    {"read", Verbs::kRead},
    {"read-many", Verbs::kReadMany},
    {"read-together", Verbs::kReadTogether},
    {"query", Verbs::kQuery},
    {"insert", Verbs::kInsert},
    {"update", Verbs::kUpdate},
    {"modify", Verbs::kModify},
    {"patch", Verbs::kPatch},
    {"upsert", Verbs::kUpsert},
    {"remove", Verbs::kRemove},
    {"remove-unchecked", Verbs::kRemoveUnchecked},
    {"expire", Verbs::kExpire},
    {"touch", Verbs::kTouch},
    {"transact", Verbs::kTransact},
    {"require", Verbs::kRequire},
    {"maintain", Verbs::kMaintain},
}};

tasks::TaskStoreOptions TaskOptions(const TablesArguments& arguments) {
  tasks::TaskStoreOptions options;
  if (!arguments.table.empty()) {
    options.table = arguments.table;
  }
  return options;
}

sessions::SessionStoreOptions SessionOptions(const TablesArguments& arguments) {
  sessions::SessionStoreOptions options;
  if (!arguments.table.empty()) {
    options.table = arguments.table;
  }
  return options;
}

Result<Map> ReadSnapshot(const TablesArguments& arguments) {
  return schema::ReadSnapshot(schema::SnapshotPath(arguments.folder, arguments.store.back()));
}

Result<std::vector<TableSpec>> ReadSpecs(const TablesArguments& arguments) {
  const std::string& store = arguments.store.front();
  if (store == "tasks") {
    return tasks::TaskStore::Tables(TaskOptions(arguments));
  }
  if (store == "sessions") {
    return sessions::SessionStore::Tables(SessionOptions(arguments));
  }
  if (store == "events") {
    return events::EventStore::Tables(arguments.events);
  }
  const Map snapshot = TRY(ReadSnapshot(arguments));
  TableSpec spec = TRY(schema::TableSpecOf(snapshot));
  if (!arguments.table.empty()) {
    spec.name = arguments.table;
  }
  return std::vector<TableSpec>{std::move(spec)};
}

struct RepositoryArguments {
  std::string entity;
  std::vector<std::string> verbs;
  std::vector<std::string> indexes;
  bool writes_on_read = false;
};

Result<TableAccess> AccessOfEntity(const TablesArguments& arguments,
                                   const RepositoryArguments& asked) {
  const Map snapshot =
      TRY(schema::ReadSnapshot(schema::SnapshotPath(arguments.folder, asked.entity)));
  entities::RepositoryDescription repository{.entity = TRY(schema::DescriptionOf(snapshot)),
                                             .indexes = asked.indexes,
                                             .writes_on_read = asked.writes_on_read};
  for (const std::string& name : asked.verbs) {
    const auto known = std::find_if(kVerbs.begin(), kVerbs.end(),
                                    [&](const NamedVerb& verb) { return name == verb.name; });
    if (known == kVerbs.end()) {
      return Invalid("'" + name + "' is no verb of a repository");
    }
    repository.verbs = repository.verbs | known->verb;
  }
  const std::string table = arguments.table.empty() ? repository.entity.name : arguments.table;
  TableAccess access = schema::AccessOf(
      repository, provision::TableArn(table, arguments.common.region, arguments.common.account));
  for (const std::string& name : asked.indexes) {
    const auto& indexes = repository.entity.indexes;
    if (std::none_of(indexes.begin(), indexes.end(),
                     [&](const auto& index) { return index.name == name; })) {
      return Invalid("entity " + asked.entity + " has no index " + name);
    }
    if (!access.queried_indexes.contains(name)) {
      return Invalid(repository.entity.owner_partitioned
                         ? "the partitions of index " + name +
                               " do not tell owners apart, so no policy can"
                         : "index " + name + " is queried, but --verbs has no query");
    }
  }
  return access;
}

std::vector<std::string> Split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// NAME:VERBS[:INDEXES], with commas.
Result<RepositoryArguments> ParseRepository(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) {
    return Invalid("--repository is NAME:VERBS or NAME:VERBS:INDEXES, not " + text);
  }
  return RepositoryArguments{
      .entity = parts[0],
      .verbs = Split(parts[1], ','),
      .indexes = parts.size() == 3 ? Split(parts[2], ',') : std::vector<std::string>()};
}

// Entities that share a table must be told apart by their keys.
Result<void> CheckOneTable(const TablesArguments& arguments,
                           const std::set<std::string>& entities) {
  std::vector<entities::EntityDescription> descriptions;
  for (const std::string& entity : entities) {
    const Map snapshot = TRY(schema::ReadSnapshot(schema::SnapshotPath(arguments.folder, entity)));
    descriptions.push_back(TRY(schema::DescriptionOf(snapshot)));
  }
  return entities::CheckShared(descriptions);
}

Result<std::vector<TableAccess>> AccessesOfEntities(const TablesArguments& arguments) {
  std::vector<TableAccess> accesses;
  if (arguments.store.size() == 2) {
    accesses.push_back(
        TRY(AccessOfEntity(arguments, {.entity = arguments.store.back(),
                                       .verbs = arguments.verbs,
                                       .indexes = arguments.indexes,
                                       .writes_on_read = arguments.writes_on_read})));
  }
  std::set<std::string> entities;
  for (const std::string& repository : arguments.repositories) {
    const RepositoryArguments asked = TRY(ParseRepository(repository));
    entities.insert(asked.entity);
    accesses.push_back(TRY(AccessOfEntity(arguments, asked)));
  }
  if (!arguments.table.empty()) {
    TRY_VOID(CheckOneTable(arguments, entities));
  }
  return accesses;
}

Result<std::vector<TableAccess>> AccessesOf(const TablesArguments& arguments) {
  const std::string& store = arguments.store.front();
  const ProvisioningArguments& common = arguments.common;
  if (store == "tasks") {
    return tasks::AccessOf(TaskOptions(arguments), common.region, common.account);
  }
  if (store == "sessions") {
    return sessions::AccessOf(SessionOptions(arguments), common.region, common.account);
  }
  if (store == "events") {
    return events::AccessOf(arguments.events, common.region, common.account);
  }
  return AccessesOfEntities(arguments);
}

// s3://BUCKET/PREFIX
Result<provision::BlobAccess> BlobsAt(std::string_view location) {
  constexpr std::string_view kS3 = "s3://";
  if (!location.starts_with(kS3)) {
    return Invalid("only blobs in S3 need a policy: give s3://BUCKET/PREFIX");
  }
  location.remove_prefix(kS3.size());
  location = location.substr(0, location.find('?'));
  provision::BlobAccess access{.bucket = std::string(location.substr(0, location.find('/')))};
  if (const std::size_t slash = location.find('/'); slash != std::string_view::npos) {
    access.prefix = location.substr(slash + 1);
  }
  if (access.bucket.empty()) {
    return Invalid("the location of the blobs has no bucket");
  }
  return access;
}

Result<int> PrintPolicy(const TablesArguments& arguments) {
  provision::PolicyInput input;
  const std::string& key = arguments.common.kms_key;
  if (arguments.provisioning) {
    input.tables = ProvisioningAccesses(AdjustedAll(TRY(ReadSpecs(arguments)), arguments.common),
                                        arguments.common);
  } else {
    input.tables = TRY(AccessesOf(arguments));
    if (!arguments.blobs.empty()) {
      input.blobs = TRY(BlobsAt(arguments.blobs));
    }
    input.kms_key_arn = key;
  }
  Map policy = provision::MakePolicy(input);
  if (arguments.provisioning && !key.empty()) {
    provision::AllowKey(key, provision::KeyUse::kTables, policy);
  }
  if (!arguments.keys_of.empty()) {
    const std::unique_ptr<Database> database =
        TRY(Open(arguments.keys_of, {.create_if_missing = false}));
    for (const std::string& found : TRY(provision::FindTableKeys(*database, input.tables))) {
      if (found != key) {
        provision::AllowKey(found, provision::KeyUse::kItems, policy);
      }
    }
  }
  std::fputs(CanonicalJson(policy).c_str(), stdout);
  return kSuccess;
}

Result<int> Run(const TablesArguments& arguments) {
  if (arguments.action == TablesAction::kPolicy) {
    return PrintPolicy(arguments);
  }
  const std::vector<TableSpec> specs = AdjustedAll(TRY(ReadSpecs(arguments)), arguments.common);
  switch (arguments.action) {
    case TablesAction::kPrint:
    case TablesAction::kPolicy:
      break;
    case TablesAction::kVerify:
      return EnsureTables(specs, EnsureMode::kVerify, arguments.common);
    case TablesAction::kCreate:
      return EnsureTables(specs, EnsureMode::kCreate, arguments.common);
    case TablesAction::kApply:
      return EnsureTables(specs, EnsureMode::kApplySafe, arguments.common);
  }
  PrintTemplate(specs, arguments.common);
  return kSuccess;
}

// CLI11 takes a store and, of an entity, its name as the values of one option, and cannot say that
// one of them wants more. Empty when all is well.
std::string ProblemWith(const TablesArguments& arguments) {
  const std::string& store = arguments.store.front();
  if (store == kEntity) {
    if (arguments.store.size() != 2) {
      return arguments.action == TablesAction::kPolicy && !arguments.repositories.empty()
                 ? ""
                 : "--for entity needs the name of the entity";
    }
    const bool says_who = arguments.provisioning || !arguments.verbs.empty();
    return arguments.action == TablesAction::kPolicy && !says_who
               ? "say what the repository does (--verbs), or --provisioning"
               : "";
  }
  if (store != "tasks" && store != "sessions" && store != "events") {
    return "'" + store + "' is none of tasks, sessions, events, entity NAME";
  }
  return arguments.store.size() == 1 ? "" : "only entities have names: --for " + store;
}

CLI::App* AddAction(CLI::App& parent, TablesArguments& arguments, TablesAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("--for", arguments.store, "tasks, sessions, events, or entity NAME")
      ->expected(1, 2)
      ->required();
  command->add_option("--folder", arguments.folder, "Where the snapshots of entities are")
      ->capture_default_str();
  command->add_option("--table", arguments.table, "Name of the table of tasks, sessions, entity");
  AddTableNames(*command, arguments.events);
  command->add_flag("--stream", arguments.events.stream_events,
                    "The events have a stream that wakes followers");
  command->callback([&arguments, action] {
    arguments.action = action;
    if (const std::string problem = ProblemWith(arguments); !problem.empty()) {
      throw CLI::ValidationError(problem);
    }
  });
  return command;
}

void AddPolicyFlags(CLI::App& policy, TablesArguments& arguments) {
  std::vector<std::string> names;
  names.reserve(kVerbs.size());
  for (const NamedVerb& verb : kVerbs) {
    names.emplace_back(verb.name);
  }
  AddPolicyOptions(policy, arguments.common);
  CLI::Option* provisioning = policy.add_flag("--provisioning", arguments.provisioning,
                                              "Of who makes and checks the tables");
  policy.add_option("--verbs", arguments.verbs, "What an entity's repository does, with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names))
      ->excludes(provisioning);
  policy.add_option("--index", arguments.indexes, "An index that it queries; may be repeated")
      ->allow_extra_args(false);
  policy.add_flag("--writes-on-read", arguments.writes_on_read,
                  "The repository stores what it reads in an old shape (WriteBack::kOnRead)");
  policy
      .add_option("--repository", arguments.repositories,
                  "Of a program with several: --for entity --repository NAME:VERBS[:INDEXES] ...")
      ->allow_extra_args(false)
      ->excludes(provisioning);
  policy.add_flag("--read-only", arguments.events.read_only, "Of who only reads events");
  policy.add_flag("--auto-create", arguments.events.auto_create_tables,
                  "Of a program that makes the tables of its events");
  policy.add_option("--blobs", arguments.blobs, "Large values are at s3://BUCKET/PREFIX, too");
  policy
      .add_option("--data", arguments.keys_of,
                  "Where the tables are, to ask them which key encrypts them")
      ->excludes(provisioning);
}

}  // namespace

void AddTableNames(CLI::App& command, events::EventStoreOptions& store) {
  const auto add = [&](const char* option, std::string& value, const char* what) {
    command.add_option(option, value, what)->capture_default_str()->group("Tables");
  };
  add("--events-table", store.events_table_name, "Table of the events");
  add("--tags-table", store.tags_table_name, "Table of the tags");
  add("--states-table", store.projection_states_table_name, "Table of the projections");
}

void AddTables(CLI::App& app, TablesArguments& arguments) {
  DefaultToEnvironment(arguments.common.data);
  CLI::App* parent = app.add_subcommand("tables", "Provision the tables of a store or an entity");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator tables print --for tasks --as cloudformation > tasks.json\n"
      "  stator tables print --for entity account --as terraform > account.tf.json\n"
      "  stator tables verify --for events --data aws:eu-central-1\n"
      "  stator tables policy --for entity account --verbs read,insert,modify\n"
      "  stator tables policy --for entity --repository account:read --repository "
      "order:read,query:by_day\n"
      "  stator tables policy --for sessions --blobs s3://files/sessions\n\n"
      "Exit code 1 when a table differs from what is asked for.");
  const auto add = [&](TablesAction action, const char* name, const char* help) {
    return AddAction(*parent, arguments, action, name, help);
  };
  AddPrintOptions(*add(TablesAction::kPrint, "print", "Print requests or a template"),
                  arguments.common);
  AddPolicyFlags(*add(TablesAction::kPolicy, "policy", "Print the least IAM policy"), arguments);
  AddEnsureOptions(*add(TablesAction::kVerify, "verify", "Say how the tables differ"),
                   arguments.common);
  AddEnsureOptions(*add(TablesAction::kCreate, "create", "Make the tables that are missing"),
                   arguments.common);
  AddEnsureOptions(*add(TablesAction::kApply, "apply",
                        "Make the tables, add indexes, turn expiry and recovery on"),
                   arguments.common);
}

int RunTables(const TablesArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
