#include "stores/events/keys.h"

#include "base/base64.h"
#include "base/digest.h"

namespace stator::events {
namespace {

Item MakeKey(std::string pk, std::string sk) {
  return {{"pk", std::move(pk)}, {"sk", std::move(sk)}};
}

std::string Join(const std::string& prefix, std::string_view kind, std::string_view name) {
  std::string text;
  text.reserve(prefix.size() + kind.size() + name.size());
  return text.append(prefix).append(kind).append(name);
}

}  // namespace

Item Keys::Event(std::string_view id) const {
  return MakeKey(Join(prefix_, "EVENT#", id), Join("", "EVENT#", id));
}
Item Keys::Append(std::string_view id) const {
  return MakeKey(Join(prefix_, "APPEND#", id), "APPEND");
}
Item Keys::Settings() const {
  return MakeKey(prefix_ + "SETTINGS", "SETTINGS");
}

Item Keys::Head(const HeadKey& head) const {
  switch (head.kind) {
    case HeadKey::Kind::kAll:
      return MakeKey(prefix_ + "HEAD#ALL", "HEAD");
    case HeadKey::Kind::kType:
      return MakeKey(Join(prefix_, "HEAD#TYPE#", head.name), "HEAD");
    case HeadKey::Kind::kTag:
      break;
  }
  return MakeKey(Join(prefix_, "HEAD#TAG#", head.name), "HEAD");
}

Item Keys::TagEntry(std::string_view tag) const {
  return MakeKey(TagsPartition(tag.substr(0, tag.find(':'))), std::string(tag));
}
Item Keys::GroupEntry(std::string_view group) const {
  return MakeKey(GroupsPartition(), std::string(group));
}
Item Keys::TypeEntry(std::string_view type) const {
  return MakeKey(TypesPartition(), std::string(type));
}
Item Keys::State(std::string_view projector, std::string_view version) const {
  return MakeKey(ProjectorPartition(projector), Join("", "VERSION#", version));
}

Item Keys::Status(std::string_view projector, std::string_view version,
                  std::string_view instance) const {
  std::string text = base::EncodeBase64(Join(std::string(version), "|", instance));
  for (char& c : text) {
    c = c == '+' ? '-' : c == '/' ? '_' : c;
  }
  text.erase(text.find_last_not_of('=') + 1);
  return MakeKey(ProjectorPartition(projector), "STATUS#" + text);
}

bool Keys::IsEventOrAppend(std::string_view pk) const {
  if (!pk.starts_with(prefix_)) {
    return false;
  }
  pk.remove_prefix(prefix_.size());
  return pk.starts_with("EVENT#") || pk.starts_with("APPEND#");
}

std::string Keys::TagPartition(std::string_view tag) const {
  return Join(prefix_, "TAG#", tag);
}
std::string Keys::TagsPartition(std::string_view group) const {
  return Join(prefix_, "TAGS#", group);
}
std::string Keys::GroupsPartition() const {
  return prefix_ + "TAGGROUPS";
}
std::string Keys::TypesPartition() const {
  return prefix_ + "TYPES";
}
std::string Keys::ProjectorPartition(std::string_view projector) const {
  return Join(prefix_, "PROJECTOR#", projector);
}

std::string Keys::LogPartition(int shard) const {
  return prefix_ + "ALL_EVENTS" + (shard == kUnsharded ? "" : "#" + std::to_string(shard));
}

int ShardOf(std::string_view sortable_id, int count) {
  if (count <= 1) {
    return kUnsharded;
  }
  const std::string digest = base::Sha256(sortable_id);
  std::uint32_t number = 0;
  for (std::size_t index = 0; index < sizeof(number); ++index) {
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(digest[index])) << (8 * index);
  }
  return static_cast<int>((number & 0x7FFFFFFFU) % static_cast<std::uint32_t>(count));
}

}  // namespace stator::events
