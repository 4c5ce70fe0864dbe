#include "stator/api/tags.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_shapes.h"

namespace stator::wire {

template <>
struct Shape<TagResourceInput> {
  static constexpr std::string_view kName = "TagResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Required("Tags", input.tags);
  }
};

template <>
struct Shape<UntagResourceInput> {
  static constexpr std::string_view kName = "UntagResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Required("TagKeys", input.tag_keys);
  }
};

template <>
struct Shape<ListTagsOfResourceInput> {
  static constexpr std::string_view kName = "ListTagsOfResourceInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ResourceArn", input.resource_arn);
    visit.Optional("NextToken", input.next_token);
  }
};

template <>
struct Shape<ListTagsOfResourceOutput> {
  static constexpr std::string_view kName = "ListTagsOfResourceOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Tags", output.tags);
    visit.Optional("NextToken", output.next_token);
  }
};

// Where others answer {}, TagResource and UntagResource answer nothing at all.

void Read(JsonObject body, Decoding& decoding, TagResourceInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const TagResourceInput& input, std::string& out) {
  Codec<TagResourceInput>::Append(input, out);
}

void Read(JsonObject /*body*/, Decoding& /*decoding*/, TagResourceOutput& /*output*/) {}

void Append(const TagResourceOutput& /*output*/, std::string& /*out*/) {}

void Read(JsonObject body, Decoding& decoding, UntagResourceInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const UntagResourceInput& input, std::string& out) {
  Codec<UntagResourceInput>::Append(input, out);
}

void Read(JsonObject /*body*/, Decoding& /*decoding*/, UntagResourceOutput& /*output*/) {}

void Append(const UntagResourceOutput& /*output*/, std::string& /*out*/) {}

void Read(JsonObject body, Decoding& decoding, ListTagsOfResourceInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const ListTagsOfResourceInput& input, std::string& out) {
  Codec<ListTagsOfResourceInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, ListTagsOfResourceOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const ListTagsOfResourceOutput& output, std::string& out) {
  Codec<ListTagsOfResourceOutput>::Append(output, out);
}

}  // namespace stator::wire
