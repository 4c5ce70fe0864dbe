#include "console/console.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "console/answers.h"
#include "console/assets.h"
#include "console/item_history.h"
#include "console/json_page.h"
#include "console/store_changes.h"
#include "server/content_coding.h"

namespace stator::console {
namespace {

constexpr std::string_view kPrefix = "/_stator";
constexpr std::string_view kAssetsPath = "/_stator/assets/";
constexpr std::string_view kApiPath = "/_stator/api/";

// What is asked for with POST, and the action that a policy must allow; none where what is asked for
// decides.
struct PostPath {
  std::string_view path;  // below kApiPath
  std::string_view action;
};
constexpr std::string_view kCancel = "tasks/cancel";
constexpr std::string_view kInvalidate = "sessions/invalidate";
constexpr std::string_view kItemHistory = "item-history";
constexpr std::array kPostPaths = {PostPath{.path = kCancel, .action = "stator:ChangeTasks"},
                                   PostPath{.path = kInvalidate, .action = "stator:ChangeSessions"},
                                   PostPath{.path = kItemHistory, .action = ""}};

constexpr std::string_view kWithoutConsole =
    "This program was built without its console (-DSTATOR_CONSOLE=OFF).\n"
    "./dev build makes one that has it. DynamoDB's protocol is served here as ever.\n";

server::Page NotFound() {
  return Failure(404, "NotFound", "There is nothing at this address.");
}

const Asset* Find(std::string_view name) {
  const std::span<const Asset> assets = Assets();
  const auto found = std::ranges::find(assets, name, &Asset::name);
  return found == assets.end() ? nullptr : &*found;
}

server::Page AssetPage(const Asset& asset, std::string_view cache_control, bool accepts_gzip) {
  server::Page page = {.content_type = asset.content_type, .fields = Fields(cache_control)};
  page.fields += "Vary: Accept-Encoding\r\n";
  if (accepts_gzip) {
    page.body = asset.gzip;
    page.content_encoding = "gzip";
    return page;
  }
  constexpr std::size_t kPlainBytesMax = 8 * 1024 * 1024;
  auto plain = server::Inflate(server::ContentCoding::kGzip, asset.gzip, kPlainBytesMax, 0);
  page.body = std::move(plain).value_or(std::string());
  return page;
}

const PostPath* FindPost(std::string_view path) {
  if (!path.starts_with(kApiPath)) {
    return nullptr;
  }
  const auto* const found =
      std::ranges::find(kPostPaths, path.substr(kApiPath.size()), &PostPath::path);
  return found == kPostPaths.end() ? nullptr : found;
}

// {"name":[…,…]} of texts that are JSON already.
std::string ListText(std::string_view name, const std::vector<std::string>& members) {
  std::string text = "{\"" + std::string(name) + "\":[";
  for (const std::string& member : members) {
    text += text.ends_with('[') ? "" : ",";
    text += member;
  }
  return text + "]}";
}

// Null when the caller may.
std::optional<server::Page> Refuse(const wire::Caller& caller, std::string_view action) {
  if (caller.authorizer == nullptr) {
    return std::nullopt;
  }
  const Result<void> allowed = caller.authorizer->Authorize({.action = action, .resource = "*"});
  return allowed ? std::nullopt
                 : std::optional(Failure(403, "AccessDenied", allowed.error().message));
}

}  // namespace

Console::Console(Home home, Sources sources, server::RequestInspector& inspector,
                 Database& database, const Clock& clock)
    : home_(std::move(home)),
      sources_(std::move(sources)),
      inspector_(inspector),
      database_(database),
      clock_(clock) {}

bool Console::Has(std::string_view path) const {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

bool Console::Waits(std::string_view path) const {
  return FindPost(path) != nullptr;
}

server::Page Console::Answer(const server::PageRequest& request) {
  const std::string_view method = request.message.method;
  const std::string_view path = request.message.path;
  if (method == "POST" && FindPost(path) != nullptr) {
    return AnswerPost(path, request);
  }
  if (method != "GET" && method != "HEAD") {
    return Failure(405, "MethodNotAllowed", "The console's answers are read with GET.");
  }
  if (path.starts_with(kApiPath)) {
    return AnswerApi(path.substr(kApiPath.size()), request);
  }
  if (path.starts_with(kAssetsPath)) {
    const Asset* const asset = Find(path.substr(kAssetsPath.size()));
    return asset == nullptr
               ? NotFound()
               : AssetPage(*asset, "public, max-age=31536000, immutable", request.accepts_gzip);
  }
  // Every other address is a view, which the page itself finds.
  if (const Asset* const page = Find("index.html")) {
    return AssetPage(*page, "no-cache", request.accepts_gzip);
  }
  return {.body = std::string(kWithoutConsole), .fields = Fields("no-cache")};
}

server::Page Console::AnswerApi(std::string_view path, const server::PageRequest& request) {
  constexpr std::string_view kOneRequest = "requests/";
  if (!request.admission) {
    return Failure(401, "SignatureNeeded", request.admission.error().message);
  }
  const wire::Caller& caller = request.admission->caller;
  if (path == "home") {
    return Json(HomeText(home_, sources_.item_versions != nullptr, caller));
  }
  if (path == "metrics") {
    if (std::optional<server::Page> refusal = Refuse(caller, "stator:ReadMetrics")) {
      return *std::move(refusal);
    }
    return {.body = request.metrics_text(), .fields = Fields("no-store")};
  }
  if (path == "workflows") {
    if (std::optional<server::Page> refusal = Refuse(caller, "stator:ReadSessions")) {
      return *std::move(refusal);
    }
    std::vector<std::string> texts;
    for (const sessions::Workflow& workflow : sources_.workflows) {
      texts.push_back(sessions::ToJson(workflow.spec()));
    }
    return Json(ListText("workflows", texts));
  }
  if (path == "entities") {
    if (std::optional<server::Page> refusal = Refuse(caller, "stator:ReadEntities")) {
      return *std::move(refusal);
    }
    return Json(ListText("entities", sources_.entities));
  }
  if (path == "requests" || path.starts_with(kOneRequest)) {
    if (std::optional<server::Page> refusal = Refuse(caller, "stator:ReadRequests")) {
      return *std::move(refusal);
    }
    inspector_.Watch(clock_.Elapsed());
    return path == "requests" ? Requests(request.message.query)
                              : OneRequest(path.substr(kOneRequest.size()));
  }
  return NotFound();
}

// No page of somebody else can send this field, nor this type of content, without having asked.
server::Page Console::AnswerPost(std::string_view path, const server::PageRequest& request) {
  if (!request.admission) {
    return Failure(401, "SignatureNeeded", request.admission.error().message);
  }
  if (wire::FindField(request.message, "x-stator-console").empty() ||
      !wire::FindField(request.message, "content-type").starts_with("application/json")) {
    return Failure(400, "BadRequest",
                   "This needs X-Stator-Console, and Content-Type: application/json.");
  }
  const PostPath& post = *FindPost(path);
  const wire::Caller& caller = request.admission->caller;
  if (!post.action.empty()) {
    if (std::optional<server::Page> refusal = Refuse(caller, post.action)) {
      return *std::move(refusal);
    }
  }
  if (post.path == kItemHistory) {
    return ItemHistory(sources_, database_, caller, request.body);
  }
  return post.path == kCancel
             ? CancelTask(database_, caller, request.body)
             : InvalidateSession(database_, sources_.workflows, caller, request.body);
}

server::Page Console::Requests(std::string_view query) {
  constexpr std::string_view kAfter = "after=";
  Duration::rep after = 0;
  if (!query.empty()) {
    const char* const end = query.data() + query.size();
    if (!query.starts_with(kAfter) ||
        std::from_chars(query.data() + kAfter.size(), end, after).ptr != end) {
      return Failure(400, "BadRequest", "The query is after=, a time in microseconds.");
    }
  }
  return Json(RequestsText(inspector_.After(TimePoint(Duration(after)))));
}

server::Page Console::OneRequest(std::string_view id) const {
  const std::optional<server::SeenRequest> found = inspector_.Find(id);
  if (!found) {
    return Failure(404, "NotFound", "This request is not among the last any more.");
  }
  if (found->bodies == nullptr) {
    return Failure(404, "NotKept", "Bodies are kept while somebody looks; nobody did.");
  }
  return Json(BodiesText(*found->bodies));
}

}  // namespace stator::console
