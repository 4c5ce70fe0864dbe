// What Prometheus clients usually say about their process: memory, processor time, version.

#pragma once

#include <string_view>

#include "server/metrics.h"

namespace stator::server {

void ReportProcess(std::string_view version, MetricsText& text);

}  // namespace stator::server
