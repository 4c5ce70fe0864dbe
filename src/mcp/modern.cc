// What a request of 2026-07-28 brings along, and whether it is all there: the envelope in its
// _meta, and over HTTP the headers that repeat parts of the body.

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

constexpr std::string_view kSentinelBegin = "=?base64?";
constexpr std::string_view kSentinelEnd = "?=";

enum Status : int { kBadRequest = 400, kNotFound = 404 };

Refusal Mismatch(const std::string& what) {
  return {.status = kBadRequest, .fault = {.code = kHeaderMismatch, .message = what}};
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Nothing when it is encoded badly.
std::optional<std::string> DecodedHeader(std::string_view value) {
  value = Trimmed(value);
  if (!value.starts_with(kSentinelBegin) || !value.ends_with(kSentinelEnd) ||
      value.size() < kSentinelBegin.size() + kSentinelEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kSentinelBegin.size());
  value.remove_suffix(kSentinelEnd.size());
  return base::DecodeBase64(value);
}

// Where the name comes from that Mcp-Name repeats; empty for methods without one.
std::string_view NameSource(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") {
    return "name";
  }
  if (method == "resources/read") {
    return "uri";
  }
  const bool is_task =
      method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel";
  return is_task ? "taskId" : "";
}

bool IsSame(const Json& value, const std::string& header) {
  if (const auto* const text = value.If<std::string>()) {
    return *text == header;
  }
  if (const bool* const truth = value.If<bool>()) {
    return header == (*truth ? "true" : "false");
  }
  const Result<Json> number = Json::Parse(header);
  return number && number->Is<tasks::JsonNumber>() && number->ToDouble() == value.ToDouble();
}

// Empty, or what is wrong with the header that repeats `value`.
std::string ProblemWithHeader(const HeaderLookup& headers, const std::string& name,
                              const Json& value) {
  const std::vector<std::string> there = headers(name);
  if (there.size() != 1) {
    return there.empty() ? name + " is missing" : name + " is there more than once";
  }
  const std::optional<std::string> decoded = DecodedHeader(there.front());
  if (!decoded) {
    return name + " is not encoded as it should be";
  }
  return IsSame(value, *decoded) ? "" : name + " is not what the body says";
}

std::optional<Refusal> CheckEnvelope(const Message& message) {
  const auto refuse = [](std::string problem) {
    return Refusal{.status = kBadRequest,
                   .fault = {.code = kInvalidParams, .message = std::move(problem)}};
  };
  const Json* const meta = message.params.Find("_meta");
  if (meta == nullptr || !meta->Is<JsonObject>()) {
    return refuse("params._meta is missing");
  }
  const Json* const version = meta->Find(kVersionKey);
  if (version == nullptr || !version->Is<std::string>()) {
    return refuse("_meta must have " + std::string(kVersionKey));
  }
  const Json* const capabilities = meta->Find(kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->Is<JsonObject>()) {
    return refuse("_meta must have " + std::string(kCapabilitiesKey));
  }
  const Json* const level = meta->Find(kLogLevelKey);
  if (level != nullptr && !(level->Is<std::string>() && ParseLogLevel(*level->If<std::string>()))) {
    return refuse(std::string(kLogLevelKey) + " is none of the levels");
  }
  return std::nullopt;
}

}  // namespace

bool ClaimsModern(const Message& message) {
  const Json* const meta = message.params.Find("_meta");
  return meta != nullptr && meta->Find(kVersionKey) != nullptr;
}

RequestContext ServerCore::ModernContext(const Message& message, const tasks::Owner& owner) const {
  RequestContext context{.is_modern = true,
                         .version = std::string(kModernVersion),
                         .owner = owner,
                         .capabilities = ReadCapabilities(MetaOf(message.params, kCapabilitiesKey)),
                         .progress_token = MetaOf(message.params, "progressToken"),
                         .server_info = ServerInfo()};
  if (const Json level = MetaOf(message.params, kLogLevelKey); level.Is<std::string>()) {
    context.log_level = ParseLogLevel(*level.If<std::string>());
  }
  if (const Method* const method = FindMethod(message.method);
      method != nullptr && method->is_cacheable) {
    context.cache = {.ttl_ms = options_.cache_ttl_ms, .is_public = options_.cache_is_public};
  }
  return context;
}

std::optional<Refusal> ServerCore::CheckModern(const Message& message, const HeaderLookup& headers,
                                               const tasks::Owner& owner) const {
  if (std::optional<Refusal> refusal = CheckEnvelope(message)) {
    return refusal;
  }
  const Json version = MetaOf(message.params, kVersionKey);
  if (headers) {
    for (const auto& [name, value] : {std::pair<std::string, Json>("MCP-Protocol-Version", version),
                                      {"Mcp-Method", message.method}}) {
      if (const std::string problem = ProblemWithHeader(headers, name, value); !problem.empty()) {
        return Mismatch(problem);
      }
    }
  }
  if (*version.If<std::string>() != kModernVersion) {
    return Refusal{.status = kBadRequest, .fault = UnsupportedVersion(*version.If<std::string>())};
  }
  const std::string_view source = NameSource(message.method);
  const Json* const name = source.empty() ? nullptr : message.params.Find(source);
  if (headers && name != nullptr && name->Is<std::string>()) {
    if (const std::string problem = ProblemWithHeader(headers, "Mcp-Name", *name);
        !problem.empty()) {
      return Mismatch(problem);
    }
  }
  const Method* const method = FindMethod(message.method);
  if (method == nullptr || method->modern == nullptr || !Offers(*method, owner)) {
    return Refusal{.status = kNotFound, .fault = MethodNotFound(message.method)};
  }
  const ClientCapabilities capabilities =
      ReadCapabilities(MetaOf(message.params, kCapabilitiesKey));
  if (method->needs == Feature::kTasks && !capabilities.tasks) {
    return Refusal{.status = kBadRequest, .fault = TasksNeeded()};
  }
  return headers ? CheckParameterHeaders(message, headers) : std::nullopt;
}

// Arguments of a tool that its schema wants to see in headers, too.
std::optional<Refusal> ServerCore::CheckParameterHeaders(const Message& message,
                                                         const HeaderLookup& headers) const {
  const auto tool = message.method == "tools/call"
                        ? catalog_.tools.Find(message.params.TextOf("name").value_or(""))
                        : nullptr;
  const Json* const properties = tool ? tool->input_schema.Find("properties") : nullptr;
  const Json* const arguments = message.params.Find("arguments");
  if (properties == nullptr || arguments == nullptr || !properties->Is<JsonObject>()) {
    return std::nullopt;
  }
  for (const auto& [name, schema] : *properties->If<JsonObject>()) {
    const std::optional<std::string> header = schema.TextOf("x-mcp-header");
    const Json* const value = arguments->Find(name);
    if (!header || value == nullptr || value->is_null()) {
      continue;
    }
    if (const std::string problem = ProblemWithHeader(headers, "Mcp-Param-" + *header, *value);
        !problem.empty()) {
      return Mismatch(problem);
    }
  }
  return std::nullopt;
}

tasks::TaskFault UnsupportedVersion(const std::string& asked) {
  return {.code = kUnsupportedVersion,
          .message = "Unsupported protocol version",
          .data = JsonObject{{"supported", JsonArray{kModernVersion}}, {"requested", asked}}};
}

tasks::TaskFault MissingCapability(Json capability) {
  return {.code = kMissingCapability,
          .message = "a capability of the client is needed",
          .data = JsonObject{{"requiredCapabilities", std::move(capability)}}};
}

tasks::TaskFault TasksNeeded() {
  return MissingCapability(
      JsonObject{{"extensions", JsonObject{{std::string(kTasksExtension), JsonObject()}}}});
}

tasks::TaskFault MethodNotFound(const std::string& method) {
  return {.code = kMethodNotFound, .message = "Method not found: " + method};
}

// Like initialize, without remembering anything.
void ServerCore::Discover(const SessionPointer& /*session*/, const Message& /*message*/,
                          const RequestPointer& request) {
  JsonObject result{{"supportedVersions", JsonArray{kModernVersion}},
                    {"capabilities", Capabilities(request->context())}};
  if (options_.instructions) {
    result.Set("instructions", *options_.instructions);
  }
  request->Answer(std::move(result));
}

}  // namespace stator::mcp
