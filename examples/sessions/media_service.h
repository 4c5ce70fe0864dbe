// The media workflow over HTTP: what a browser and the workers of such an application call.
//
//   POST   /sessions/ID/KIND               a new record; body: lines of "name=text", or, for
//                                          enhancement, a key of a photo per line
//   GET    /sessions/ID                    the whole session
//   GET    /sessions/ID/KIND/RECORD        one record
//   POST   /sessions/ID/KIND/RECORD/STATE  a transition
//   POST   /sessions/ID/invalidate/STEP    the step and all behind it are to be done again
//   DELETE /sessions/ID
//   POST   /results/ID/RECORD              a result; body: keys of the photo and the improved one
//
// Who asks is in X-User: something in front of this service has made sure of that. Workers have a
// secret in X-Worker.

#pragma once

#include <memory>
#include <string>

#include "stator/base/result.h"
#include "stator/stores/sessions/session_store.h"

namespace media {

class MediaService {
 public:
  // Listens on this machine only; port 0 is any. The store must outlive the service.
  static stator::Result<std::unique_ptr<MediaService>> Start(stator::sessions::SessionStore& store,
                                                             std::uint16_t port,
                                                             std::string worker_secret);
  ~MediaService();  // stops
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct State;
  explicit MediaService(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace media
