// Everything that a program needs: values, the operations, ranges of pages, Open.

#pragma once

#include "stator/api/database.h"
#include "stator/api/pages.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/base/version.h"
#include "stator/home/open.h"
#include "stator/value/attribute_value.h"
#include "stator/value/number.h"
