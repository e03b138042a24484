// The parts of the Python module, one source file each.
#pragma once

#include <nanobind/nanobind.h>

namespace sheshbesh {

void bind_engine(nanobind::module_& m);
void bind_cube(nanobind::module_& m);
void bind_score(nanobind::module_& m);
void bind_positions(nanobind::module_& m);
void bind_rollout(nanobind::module_& m);  // after bind_cube
void bind_training(nanobind::module_& m);
void bind_bearoff(nanobind::module_& m);  // after bind_engine, which has their base class
void bind_players(nanobind::module_& m);
void bind_levels(nanobind::module_& m);
void bind_games(nanobind::module_& m);
void bind_stop(nanobind::module_& m);

}  // namespace sheshbesh
