// What training needs of the core; see sheshbesh/engine/selfplay.h.
#pragma once

#include <nanobind/nanobind.h>

namespace sheshbesh {

void bind_training(nanobind::module_& m);

}  // namespace sheshbesh
