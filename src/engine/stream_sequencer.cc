#include "engine/stream_sequencer.h"

namespace stator::engine {

void StreamSequencer::Ticket::Return() {
  if (sequencer_ == nullptr) {
    return;
  }
  const std::lock_guard lock(sequencer_->mutex_);
  sequencer_->in_use_.erase(sequence_);
  sequencer_ = nullptr;
}

StreamSequencer::Ticket StreamSequencer::Take() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t sequence = next_++;
  in_use_.insert(in_use_.end(), sequence);
  return {*this, sequence};
}

std::uint64_t StreamSequencer::StableEnd() const {
  const std::lock_guard lock(mutex_);
  return in_use_.empty() ? next_ : *in_use_.begin();
}

}  // namespace stator::engine
