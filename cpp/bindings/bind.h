// The parts of the Python module, one source file each.
#pragma once

#include <nanobind/nanobind.h>

namespace sheshbesh {

void bind_engine(nanobind::module_& m);
void bind_players(nanobind::module_& m);
void bind_rollout(nanobind::module_& m);

}  // namespace sheshbesh
