// The program that uses every verb, as one whose access a real server checks (policy_serve_test.py
// starts both):
//
//   entities_verbs policies             prints the policies that the descriptions ask for, as JSON
//   entities_verbs tables ENDPOINT      makes the tables
//   entities_verbs use ENDPOINT ENTITY KEY...
//                                       uses every verb with each of these access keys in turn and
//                                       prints what failed, a line each: "KEY: Verb: reason"
//   entities_verbs cases                prints the policy of each case of verb_cases.h, as JSON
//   entities_verbs try ENDPOINT OWNER CASE=KEY...
//                                       uses each case with its key, on what belongs to that owner,
//                                       and prints a line each: "KEY ok", "KEY denied", or what else
//
// The key "admin" may do everything. The secret of every key is kSecret.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "entities/entities_test.h"
#include "entities/every_verb.h"
#include "entities/verb_cases.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"
#include "stator/provision/policy.h"
#include "stator/schema/snapshot.h"

namespace stator::entities {
namespace {

constexpr std::string_view kSecret = "a secret for all";

std::unique_ptr<Database> Connect(const std::string& endpoint, const std::string& key) {
  OpenOptions options;
  options.client.region = "us-east-1";
  options.client.credentials = ClientCredentials{key, std::string(kSecret)};
  options.client.environment = [](const std::string&) { return std::nullopt; };
  Result<std::unique_ptr<Database>> opened = Open(endpoint, options);
  CHECK_THAT(opened.has_value(), opened.error().message);
  return *std::move(opened);
}

Map PolicyOf(const RepositoryDescription& repository) {
  return provision::MakePolicy({schema::AccessOf(
      repository, provision::TableArn(repository.entity.name, "us-east-1", "000000000000"))});
}

// What a run that was refused something has left.
void Clear(Database& admin, const std::string& table) {
  const Result<ScanOutput> left = admin.Scan({.table_name = table, .consistent_read = true});
  CHECK_THAT(left.has_value(), left.error().message);
  for (const Item& item : left->items.value_or(std::vector<Item>())) {
    Item key = {{"pk", item.at("pk")}};
    if (const AttributeValue* sort_key = item.Find("sk"); sort_key != nullptr) {
      key.Set("sk", *sort_key);
    }
    CHECK(admin.DeleteItem({.table_name = table, .key = key}).has_value());
  }
}

int PrintPolicies() {
  // Those of its verbs that UseUniqueVerbs uses.
  RepositoryDescription users = EveryUniqueVerb::Describe();
  users.verbs = Verbs::kInsert | Verbs::kUpdate | Verbs::kModify | Verbs::kUpsert | Verbs::kRemove |
                Verbs::kRemoveUnchecked;
  std::puts(
      CanonicalJson(Map{{"order", PolicyOf(EveryVerb::Describe())}, {"user", PolicyOf(users)}})
          .c_str());
  return EXIT_SUCCESS;
}

int Use(const std::string& endpoint, const std::string& entity,
        const std::vector<std::string>& keys) {
  const std::unique_ptr<Database> admin = Connect(endpoint, "admin");
  for (const std::string& key : keys) {
    const std::unique_ptr<Database> limited = Connect(endpoint, key);
    const std::vector<std::string> failed =
        entity == "order" ? UseEveryVerb(*limited) : UseUniqueVerbs(*limited);
    for (const std::string& verb : failed) {
      std::printf("%s: %s\n", key.c_str(), verb.c_str());
    }
    Clear(*admin, entity);
  }
  return EXIT_SUCCESS;
}

int PrintCases() {
  Map policies;
  for (const VerbCase& verb : VerbCases()) {
    policies.Set(verb.name, PolicyOf(verb.repository));
  }
  std::puts(CanonicalJson(policies).c_str());
  return EXIT_SUCCESS;
}

int Try(const std::string& endpoint, const std::string& owner,
        const std::vector<std::string>& tries) {
  const std::unique_ptr<Database> admin = Connect(endpoint, "admin");
  for (const std::string& one : tries) {
    const std::string name = one.substr(0, one.find('='));
    const std::string key = one.substr(one.find('=') + 1);
    const auto verb = std::ranges::find(VerbCases(), name, &VerbCase::name);
    CHECK_THAT(verb != VerbCases().end(), name);
    const std::unique_ptr<Database> limited = Connect(endpoint, key);
    const Result<void> used = verb->use(*limited, *admin, owner);
    const bool denied = !used && used.error().code == ErrorCode::kAccessDenied;
    std::printf("%s %s\n", key.c_str(),
                used     ? "ok"
                : denied ? "denied"
                         : TextOf(used.error()).c_str());
    Clear(*admin, verb->repository.entity.name);
  }
  return EXIT_SUCCESS;
}

int Main(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "policies") {
    return PrintPolicies();
  }
  if (command == "tables" && arguments.size() == 2) {
    const std::unique_ptr<Database> admin = Connect(arguments[1], "admin");
    for (const EntityDescription& entity : VerbCaseEntities()) {
      CHECK(admin->CreateTable(MakeTable(entity)).has_value());
    }
    return EXIT_SUCCESS;
  }
  if (command == "cases") {
    return PrintCases();
  }
  if (command == "try" && arguments.size() > 3) {
    return Try(arguments[1], arguments[2], {arguments.begin() + 3, arguments.end()});
  }
  if (command == "use" && arguments.size() > 3) {
    return Use(arguments[1], arguments[2], {arguments.begin() + 3, arguments.end()});
  }
  std::fputs(
      "entities_verbs policies | tables ENDPOINT | use ENDPOINT ENTITY KEY... | cases | "
      "try ENDPOINT OWNER CASE=KEY...\n",
      stderr);
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace stator::entities

int main(int argc, char** argv) {
  return stator::entities::Main({argv + 1, argv + argc});
}
