#include "stores/events/event_store_core.h"

#include <utility>

#include "stores/events/background.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"
#include "stores/events/redaction.h"
#include "stores/events/subject_keys.h"

namespace stator::events {

EventStoreCore::EventStoreCore(Database& home, EventStoreOptions chosen,
                               patterns::Environment world)
    : database(&home),
      options(std::move(chosen)),
      environment(world),
      keys(options.service_id),
      events_table{.table_name = options.events_table_name, .key_attributes = {"pk", "sk"}},
      tags_table{.table_name = options.tags_table_name, .key_attributes = {"pk", "sk"}},
      states_table{.table_name = options.projection_states_table_name,
                   .key_attributes = {"pk", "sk"}},
      genesis_(std::make_unique<Genesis>()),
      log_(std::make_unique<EventLog>(*this)),
      indexer_(std::make_unique<Indexer>(*this)),
      subjects_(std::make_unique<SubjectKeys>(*this)),
      redactions_(std::make_unique<Redactions>(*this)),
      background_(std::make_unique<Background>(*this)),
      genesis(*genesis_),
      log(*log_),
      indexer(*indexer_),
      subjects(*subjects_),
      redactions(*redactions_),
      background(*background_) {}

EventStoreCore::~EventStoreCore() {
  log.Close();
}

}  // namespace stator::events
