// media_service [LOCATION [PORT]]: serves the media workflow from a database at LOCATION
// (./media-data by default; memory:, http://HOST and aws:REGION work as well) until its input ends.

#include <cstdio>
#include <cstdlib>

#include "media_service.h"
#include "stator/home/open.h"
#include "stator/stores/sessions/media/workflow.h"
#include "stator/stores/sessions/session_table.h"

int main(int count, char** values) {
  const auto database = stator::Open(count > 1 ? values[1] : "media-data");
  if (!database || !stator::sessions::CreateSessionTable(**database, "sessions")) {
    std::fputs("media_service: cannot open the database\n", stderr);
    return 1;
  }
  auto store = stator::sessions::SessionStore::Open(
      **database, {.workflow = stator::sessions::MediaWorkflow()});
  if (!store) {
    return 1;
  }
  const auto port = static_cast<std::uint16_t>(count > 2 ? std::atoi(values[2]) : 8080);
  const auto service = media::MediaService::Start(*store, port, "secret");
  if (!service) {
    return 1;
  }
  std::printf("http://127.0.0.1:%u/sessions/\n", static_cast<unsigned>((*service)->port()));
  while (std::getchar() != EOF) {
  }
  return 0;
}
