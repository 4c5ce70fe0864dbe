#include "console/item_history.h"

#include <string>
#include <utility>

#include "base/try.h"
#include "console/json_page.h"
#include "stator/stores/tasks/json.h"
#include "value/dynamodb_json.h"
#include "wire/access.h"

namespace stator::console {
namespace {

constexpr std::string_view kForm =
    "The body is {\"table\": …, \"key\": {…}, \"before\": microseconds}, the last only to go on.";

struct Asked {
  std::string table;
  Item key;
  std::optional<TimePoint> before = std::nullopt;
};

Result<Asked> ParseAsked(std::string_view body) {
  const tasks::Json json = TRY(tasks::Json::Parse(body));
  const tasks::Json* const key = json.Find("key");
  std::optional<std::string> table = json.TextOf("table");
  if (!table || key == nullptr) {
    return Invalid(std::string(kForm));
  }
  Asked asked = {.table = *std::move(table), .key = TRY(value::ParseDynamoDbItem(key->ToText()))};
  if (const tasks::Json* const before = json.Find("before")) {
    const std::optional<std::int64_t> micros = before->ToInt64();
    if (!micros || *micros < 0) {
      return Invalid(std::string(kForm));
    }
    asked.before = TimePoint(Duration(*micros));
  }
  return asked;
}

std::string VersionsText(const ItemVersions& page) {
  std::string text = R"({"versions":[)";
  for (const ItemVersion& version : page.versions) {
    text += text.ends_with('[') ? "" : ",";
    text += R"({"since":)";
    text += version.since ? std::to_string(version.since->time_since_epoch().count()) : "null";
    text += R"(,"item":)";
    text += version.item ? value::ToDynamoDbJson(*version.item) : "null";
    text += '}';
  }
  return text.append(R"(],"more":)").append(page.has_more ? "true}" : "false}");
}

}  // namespace

server::Page ItemHistory(const Sources& sources, Database& database, const wire::Caller& caller,
                         std::string_view body) {
  const Result<Asked> asked = ParseAsked(body);
  if (!asked) {
    return Failure(400, "BadRequest", asked.error().message);
  }
  if (caller.authorizer != nullptr) {
    const Result<void> allowed =
        wire::AccessCheck(caller, api::OperationOf<GetItemInput>::kOperation, database)
            .Check(GetItemInput{.table_name = asked->table, .key = asked->key});
    if (!allowed) {
      return Failure(403, "AccessDenied", allowed.error().message);
    }
  }
  if (sources.item_versions == nullptr) {
    return Failure(404, "NotKept", "This home does not tell the versions of an item.");
  }
  const Result<ItemVersions> found = sources.item_versions(asked->table, asked->key, asked->before);
  if (found) {
    return Json(VersionsText(*found));
  }
  switch (found.error().code) {
    case ErrorCode::kValidation:
      return Failure(400, "BadRequest", found.error().message);
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kTableNotFound:
      return Failure(404, "NotFound", found.error().message);
    default:
      return Failure(503, NameOf(found.error().code), found.error().message);
  }
}

}  // namespace stator::console
