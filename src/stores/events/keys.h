// Every key that the events store writes.
//
// FORMAT (on disk)
//
//   events table   SERVICES                s             that there is a service
//                  SERVICE#s#SETTINGS      SETTINGS      what is recorded for the service
//                  SERVICE#s#LOG           GENESIS       how the log began
//                  SERVICE#s#LOG#k.j       n             slot n of the log: the truth
//                  SERVICE#s#PART#group    i             a piece of the body of a large slot
//                  SERVICE#s#LOG           MARK          up to where the index below is complete
//                  SERVICE#s#CHUNKS        position      which slots hold the events from there on
//                  SERVICE#s#CHUNKIDS      suid          the same, by sortable id
//                  SERVICE#s#APPEND#id     APPEND        where the append with an id is
//                  SERVICE#s#ID#id         ID            where an event is whose id does not tell
//                  SERVICE#s#SUBJECT#name  KEY           the key of a subject, or that it was erased
//                  SERVICE#s#ERASED        name          that a subject was erased
//                  SERVICE#s#REDACTED      position      that an event was redacted
//                  SERVICE#s#REDACTING     position      that it is not redacted everywhere yet
//                  SERVICE#s#LOG           VIEW          up to where the rows below are written
//                  SERVICE#s#EVENT#id      EVENT#id      an event; index: SERVICE#s#ALL_EVENTS[#n]
//   tags table     SERVICE#s#BLOCK#TAG#tag chunk.part    events of the tag
//                  SERVICE#s#BLOCK#TYPE#t  chunk.part    events of the type
//                  SERVICE#s#TAG#tag       suid#id       an event of the tag, as other systems have it
//                  SERVICE#s#TAGS#group    tag           that there is such a tag
//                  SERVICE#s#TAGGROUPS     group         that there is such a group
//                  SERVICE#s#TYPES         type          that there is such a type
//   states table   SERVICE#s#PROJECTORS    name          that there is such a projector
//                  SERVICE#s#PROJECTOR#n   VERSION#v     a projection's state
//                  SERVICE#s#PROJECTOR#n   STATUS#...    that a projection lives
//                  SERVICE#s#PROJECTOR#n   PARKED#v#pos  an event that it leaves out
//                  SERVICE#s#SUBSCRIPTIONS name          that there is such a subscription
//                  SERVICE#s#SUBSCRIPTION#n STATE        how far it is, and what is out
//                  SERVICE#s#SUBSCRIPTION#n PARKED#pos   an event that nobody could work on

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/value/attribute_value.h"

namespace stator::events {

class Keys {
 public:
  explicit Keys(const std::string& service_id)
      : service_id_(service_id), prefix_("SERVICE#" + service_id + "#") {}

  [[nodiscard]] Item Event(std::string_view id) const;
  [[nodiscard]] Item Append(std::string_view id) const;
  [[nodiscard]] Item ServiceEntry() const;
  [[nodiscard]] Item Settings() const;
  [[nodiscard]] Item Genesis() const;
  [[nodiscard]] Item Mark() const;
  [[nodiscard]] Item ViewMark() const;
  // Neighbouring slots are in different partitions, and there are new ones every 1024 slots.
  [[nodiscard]] Item Slot(std::uint64_t number, std::uint64_t stripes) const;
  [[nodiscard]] Item Part(std::string_view group, std::uint64_t index) const;
  [[nodiscard]] Item Chunk(std::uint64_t first_position) const;
  [[nodiscard]] Item ChunkId(std::string_view first_sortable_id) const;
  [[nodiscard]] Item KeptId(std::string_view event_id) const;
  [[nodiscard]] Item Subject(std::string_view name) const;
  [[nodiscard]] Item Erasure(std::string_view subject) const;
  [[nodiscard]] Item Redaction(std::uint64_t position) const;
  [[nodiscard]] Item RedactionWork(std::uint64_t position) const;
  [[nodiscard]] Item TagRow(std::string_view tag, std::string_view sortable_id,
                            std::string_view event_id) const;
  [[nodiscard]] Item TagEntry(std::string_view tag) const;
  [[nodiscard]] Item GroupEntry(std::string_view group) const;
  [[nodiscard]] Item TypeEntry(std::string_view type) const;
  [[nodiscard]] Item ProjectorEntry(std::string_view name) const;
  [[nodiscard]] Item State(std::string_view projector, std::string_view version) const;
  [[nodiscard]] Item Status(std::string_view projector, std::string_view version,
                            std::string_view instance) const;
  [[nodiscard]] Item LeftOut(std::string_view projector, std::string_view version,
                             std::uint64_t position) const;
  [[nodiscard]] Item SubscriptionEntry(std::string_view name) const;
  [[nodiscard]] Item Subscription(std::string_view name) const;
  [[nodiscard]] Item Parked(std::string_view subscription, std::uint64_t position) const;

  // Whether it is the partition key of slots of the service.
  [[nodiscard]] bool IsSlot(std::string_view pk) const;

  [[nodiscard]] std::string ChunksPartition() const;
  [[nodiscard]] std::string ChunkIdsPartition() const;
  [[nodiscard]] std::string ErasuresPartition() const;
  [[nodiscard]] std::string RedactionsPartition() const;
  [[nodiscard]] std::string RedactionWorkPartition() const;
  [[nodiscard]] std::string TagBlocksPartition(std::string_view tag) const;
  [[nodiscard]] std::string TypeBlocksPartition(std::string_view type) const;
  [[nodiscard]] std::string TagPartition(std::string_view tag) const;
  [[nodiscard]] std::string TagsPartition(std::string_view group) const;
  [[nodiscard]] std::string GroupsPartition() const;
  [[nodiscard]] std::string TypesPartition() const;
  [[nodiscard]] std::string ProjectorsPartition() const;
  [[nodiscard]] std::string ProjectorPartition(std::string_view projector) const;
  [[nodiscard]] std::string SubscriptionsPartition() const;
  [[nodiscard]] std::string SubscriptionPartition(std::string_view name) const;
  // Of the index: the shard, or the partition of unsharded events for -1.
  [[nodiscard]] std::string LogPartition(int shard) const;

 private:
  std::string service_id_;
  std::string prefix_;
};

// Decimal, with zeros in front.
std::string Padded(std::uint64_t number, std::size_t digits);
// The sort key of a block; parts of one chunk count from 0.
std::string BlockSortKey(std::uint64_t chunk, std::uint64_t part);
inline constexpr std::uint64_t kBlockPartsMax = 999;

inline constexpr int kUnsharded = -1;

// Which shard of `count` an id belongs to; kUnsharded when there is but one.
int ShardOf(std::string_view sortable_id, int count);

}  // namespace stator::events
