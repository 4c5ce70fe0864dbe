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
Item Keys::ServiceEntry() const {
  return MakeKey("SERVICES", service_id_);
}
Item Keys::Subject(std::string_view name) const {
  return MakeKey(Join(prefix_, "SUBJECT#", name), "KEY");
}
Item Keys::Erasure(std::string_view subject) const {
  return MakeKey(ErasuresPartition(), std::string(subject));
}
std::string Keys::ErasuresPartition() const {
  return prefix_ + "ERASED";
}
Item Keys::Redaction(std::uint64_t position) const {
  return MakeKey(RedactionsPartition(), Padded(position, 20));
}
Item Keys::RedactionWork(std::uint64_t position) const {
  return MakeKey(RedactionWorkPartition(), Padded(position, 20));
}
std::string Keys::RedactionsPartition() const {
  return prefix_ + "REDACTED";
}
std::string Keys::RedactionWorkPartition() const {
  return prefix_ + "REDACTING";
}
Item Keys::ProjectorEntry(std::string_view name) const {
  return MakeKey(ProjectorsPartition(), std::string(name));
}
std::string Keys::ProjectorsPartition() const {
  return prefix_ + "PROJECTORS";
}
Item Keys::Settings() const {
  return MakeKey(prefix_ + "SETTINGS", "SETTINGS");
}

Item Keys::Genesis() const {
  return MakeKey(prefix_ + "LOG", "GENESIS");
}
Item Keys::Mark() const {
  return MakeKey(prefix_ + "LOG", "MARK");
}
Item Keys::ViewMark() const {
  return MakeKey(prefix_ + "LOG", "VIEW");
}

Item Keys::Slot(std::uint64_t number, std::uint64_t stripes) const {
  constexpr std::uint64_t kSlotsPerPartition = 1024;
  std::string pk = prefix_;
  pk.append("LOG#").append(Padded(number / kSlotsPerPartition, 8));
  pk.append(".").append(Padded(number % stripes, 2));
  return MakeKey(std::move(pk), Padded(number, 12));
}

Item Keys::Part(std::string_view group, std::uint64_t index) const {
  return MakeKey(Join(prefix_, "PART#", group), Padded(index, 4));
}
Item Keys::Chunk(std::uint64_t first_position) const {
  return MakeKey(ChunksPartition(), Padded(first_position, 20));
}
Item Keys::ChunkId(std::string_view first_sortable_id) const {
  return MakeKey(ChunkIdsPartition(), std::string(first_sortable_id));
}
Item Keys::KeptId(std::string_view event_id) const {
  return MakeKey(Join(prefix_, "ID#", event_id), "ID");
}
Item Keys::TagRow(std::string_view tag, std::string_view sortable_id,
                  std::string_view event_id) const {
  return MakeKey(TagPartition(tag), Join(std::string(sortable_id), "#", event_id));
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

Item Keys::LeftOut(std::string_view projector, std::string_view version,
                   std::uint64_t position) const {
  return MakeKey(ProjectorPartition(projector),
                 Join("PARKED#", version, "#") + Padded(position, 20));
}
Item Keys::SubscriptionEntry(std::string_view name) const {
  return MakeKey(SubscriptionsPartition(), std::string(name));
}
Item Keys::Subscription(std::string_view name) const {
  return MakeKey(SubscriptionPartition(name), "STATE");
}
Item Keys::Parked(std::string_view subscription, std::uint64_t position) const {
  return MakeKey(SubscriptionPartition(subscription), "PARKED#" + Padded(position, 20));
}

bool Keys::IsSlot(std::string_view pk) const {
  return pk.starts_with(prefix_) && pk.substr(prefix_.size()).starts_with("LOG#");
}

std::string Keys::ChunksPartition() const {
  return prefix_ + "CHUNKS";
}
std::string Keys::ChunkIdsPartition() const {
  return prefix_ + "CHUNKIDS";
}
std::string Keys::TagBlocksPartition(std::string_view tag) const {
  return Join(prefix_, "BLOCK#TAG#", tag);
}
std::string Keys::TypeBlocksPartition(std::string_view type) const {
  return Join(prefix_, "BLOCK#TYPE#", type);
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

std::string Keys::SubscriptionsPartition() const {
  return prefix_ + "SUBSCRIPTIONS";
}
std::string Keys::SubscriptionPartition(std::string_view name) const {
  return Join(prefix_, "SUBSCRIPTION#", name);
}

std::string Keys::LogPartition(int shard) const {
  return prefix_ + "ALL_EVENTS" + (shard == kUnsharded ? "" : "#" + std::to_string(shard));
}

std::string Padded(std::uint64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.size() < digits ? text.insert(0, digits - text.size(), '0') : text;
}

std::string BlockSortKey(std::uint64_t chunk, std::uint64_t part) {
  return Padded(chunk, 10) + "." + Padded(part, 3);
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
