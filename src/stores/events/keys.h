// Every key that the events store writes.
//
// FORMAT (on disk)
//
//   events table   SERVICE#s#EVENT#id      EVENT#id      an event; index: SERVICE#s#ALL_EVENTS[#n]
//                  SERVICE#s#APPEND#id     APPEND        that an append with an id was committed
//                  SERVICE#s#SETTINGS      SETTINGS      what is recorded for the service
//   tags table     SERVICE#s#TAG#tag       suid#id       an event of the tag
//                  SERVICE#s#HEAD#TAG#tag  HEAD          the head of a tag
//                  SERVICE#s#HEAD#TYPE#t   HEAD          the head of a type
//                  SERVICE#s#HEAD#ALL      HEAD          the head of everything
//                  SERVICE#s#TAGS#group    tag           that there is such a tag
//                  SERVICE#s#TAGGROUPS     group         that there is such a group
//                  SERVICE#s#TYPES         type          that there is such a type
//   states table   SERVICE#s#PROJECTOR#n   VERSION#v     a projection's state
//                  SERVICE#s#PROJECTOR#n   STATUS#...    that a projection lives

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "stator/value/attribute_value.h"

namespace stator::events {

// Which head.
struct HeadKey {
  enum class Kind : std::uint8_t { kAll, kType, kTag };
  Kind kind;
  std::string name;

  static HeadKey All() { return {Kind::kAll, ""}; }
  static HeadKey OfType(std::string type) { return {Kind::kType, std::move(type)}; }
  static HeadKey OfTag(std::string tag) { return {Kind::kTag, std::move(tag)}; }

  friend auto operator<=>(const HeadKey&, const HeadKey&) = default;
};

class Keys {
 public:
  explicit Keys(const std::string& service_id) : prefix_("SERVICE#" + service_id + "#") {}

  [[nodiscard]] Item Event(std::string_view id) const;
  [[nodiscard]] Item Append(std::string_view id) const;
  [[nodiscard]] Item Settings() const;
  [[nodiscard]] Item Head(const HeadKey& head) const;
  [[nodiscard]] Item TagEntry(std::string_view tag) const;
  [[nodiscard]] Item GroupEntry(std::string_view group) const;
  [[nodiscard]] Item TypeEntry(std::string_view type) const;
  [[nodiscard]] Item State(std::string_view projector, std::string_view version) const;
  [[nodiscard]] Item Status(std::string_view projector, std::string_view version,
                            std::string_view instance) const;

  // Whether it is the partition key of an event of the service, or of the record of an append.
  [[nodiscard]] bool IsEventOrAppend(std::string_view pk) const;

  [[nodiscard]] std::string TagPartition(std::string_view tag) const;
  [[nodiscard]] std::string TagsPartition(std::string_view group) const;
  [[nodiscard]] std::string GroupsPartition() const;
  [[nodiscard]] std::string TypesPartition() const;
  [[nodiscard]] std::string ProjectorPartition(std::string_view projector) const;
  // Of the index: the shard, or the partition of unsharded events for -1.
  [[nodiscard]] std::string LogPartition(int shard) const;

 private:
  std::string prefix_;
};

inline constexpr int kUnsharded = -1;

// Which shard of `count` an id belongs to; kUnsharded when there is but one.
int ShardOf(std::string_view sortable_id, int count);

}  // namespace stator::events
