#include "server/routes.h"

#include <chrono>
#include <optional>

#include "base/try.h"
#include "value/json_text.h"
#include "wire/exact_moment.h"
#include "wire/moment.h"
#include "wire/uri_text.h"

namespace stator::server {
namespace {

constexpr std::string_view kCheckpoints = "/_stator/checkpoints";
constexpr std::string_view kTables = "/_stator/tables/";
constexpr std::string_view kRestore = "/restore";
constexpr std::string_view kRewind = "/rewind";

std::unexpected<Error> NotThere() {
  return Fail(ErrorCode::kUnknownOperation, "");
}

std::string Named(std::string_view member, std::string_view name) {
  std::string body = "{\"" + std::string(member) + "\":";
  value::AppendJsonString(name, body);
  return body;
}

// What the query must say, and nothing else: the value of the one parameter that there may be.
Result<std::optional<std::string>> OnlyParameter(std::string_view query, std::string_view name) {
  if (query.empty()) {
    return std::nullopt;
  }
  const std::size_t equals = query.find('=');
  if (query.substr(0, equals) != name || equals == std::string_view::npos ||
      query.find('&') != std::string_view::npos) {
    return Invalid("The query \"" + std::string(query) + "\" must be " + std::string(name) + "=…");
  }
  return wire::PercentDecoded(query.substr(equals + 1));
}

Result<void> ExpectNoQuery(std::string_view query) {
  if (!query.empty()) {
    return Invalid("There is no query here: " + std::string(query));
  }
  return {};
}

Result<Route> Create(std::string_view name, std::string_view query) {
  const std::optional<std::string> replace = TRY(OnlyParameter(query, "replace"));
  if (replace && *replace != "true" && *replace != "false") {
    return Invalid("replace must be true or false");
  }
  return Route{
      .target = "Stator_20120810.CreateCheckpoint",
      .body = Named("CheckpointName", name) + (replace == "true" ? R"(,"Replace":true})" : "}")};
}

Result<Route> FindCheckpointRoute(std::string_view method, std::string_view path,
                                  std::string_view query) {
  if (path.empty()) {
    TRY_VOID(ExpectNoQuery(query));
    return method == "GET" ? Result<Route>(Route{"Stator_20120810.ListCheckpoints", "{}"})
                           : NotThere();
  }
  std::string_view name = path.substr(1);
  const bool restores = name.ends_with(kRestore);
  if (restores) {
    name.remove_suffix(kRestore.size());
  }
  if (name.find('/') != std::string_view::npos || name.empty()) {
    return NotThere();
  }
  if (method == "POST" && !restores) {
    return Create(name, query);
  }
  TRY_VOID(ExpectNoQuery(query));
  if (method == "POST") {
    return Route{"Stator_20120810.RestoreCheckpoint", Named("CheckpointName", name) + "}"};
  }
  if (method == "DELETE" && !restores) {
    return Route{"Stator_20120810.DeleteCheckpoint", Named("CheckpointName", name) + "}"};
  }
  return NotThere();
}

Result<Route> FindTableRoute(std::string_view method, std::string_view path,
                             std::string_view query) {
  if (method != "POST" || path.size() < kRewind.size()) {
    return NotThere();
  }
  const std::string_view name = path.substr(0, path.size() - kRewind.size());
  const std::optional<std::string> to = TRY(OnlyParameter(query, "to"));
  const std::optional<TimePoint> moment = to ? wire::ParseMoment(*to) : std::nullopt;
  if (!moment || *moment == TimePoint::max()) {
    return Invalid("The query must be to=…: " + std::string(wire::kMomentForms));
  }
  std::string body = Named("TableName", name) + R"(,"RewindDateTime":)";
  wire::AppendExactSeconds(*moment, body);
  return Route{"Stator_20120810.RewindTable", body + "}"};
}

}  // namespace

bool IsRoute(std::string_view path) {
  return (path.starts_with(kCheckpoints) &&
          (path.size() == kCheckpoints.size() || path[kCheckpoints.size()] == '/')) ||
         (path.starts_with(kTables) && path.ends_with(kRewind));
}

Result<Route> FindRoute(std::string_view method, std::string_view path, std::string_view query) {
  return path.starts_with(kTables)
             ? FindTableRoute(method, path.substr(kTables.size()), query)
             : FindCheckpointRoute(method, path.substr(kCheckpoints.size()), query);
}

int StatusOfRoute(int status, std::string_view error) {
  if (error == "ResourceNotFoundException" || error == "UnknownOperationException") {
    return 404;
  }
  if (error == "ResourceInUseException") {
    return 409;
  }
  return error == "AccessDeniedException" ? 403 : status;
}

}  // namespace stator::server
