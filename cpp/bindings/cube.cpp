// The cube model in Python; the sense of each name is in cube_model.h.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind.h"
#include "sheshbesh/engine/cube_model.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

CubePlace checked(const CubeModel& model, CubeOwner owner, int height) {
    if (height < 0 || static_cast<std::size_t>(height) >= model.size()) {
        throw std::invalid_argument("a cube of " + std::to_string(model.size()) + " heights has no height " +
                                    std::to_string(height));
    }
    return {height, owner};
}

std::vector<CubeHeight> heights_of(const CubeModel& model) {
    std::vector<CubeHeight> heights;
    heights.reserve(model.size());
    for (std::size_t n = 0; n < model.size(); ++n) heights.push_back(model.height(n));
    return heights;
}

template <double (CubeModel::*Point)(std::size_t) const>
std::vector<double> points_of(const CubeModel& model) {
    std::vector<double> points;
    points.reserve(model.size());
    for (std::size_t n = 0; n < model.size(); ++n) points.push_back((model.*Point)(n));
    return points;
}

}  // namespace

void bind_cube(nb::module_& m) {
    m.attr("EVEN") = kEven;
    nb::enum_<CubeOwner>(m, "CubeOwner",
                         "Who may turn the cube, seen by the first side of a model or, in a rollout, "
                         "by the side on roll in the position.")
        .value("nobody", CubeOwner::nobody)
        .value("mine", CubeOwner::mine)
        .value("theirs", CubeOwner::theirs);
    nb::class_<CubeHeight>(m, "CubeHeight", "The cube at one value, in values (points or MWC) for my side.")
        .def(
            "__init__",
            [](CubeHeight* self, double win, double lose, double cash, double drop, bool mine, bool theirs,
               bool mine_free, bool theirs_free) {
                new (self) CubeHeight{win, lose, cash, drop, mine, theirs, mine_free, theirs_free};
            },
            "win"_a, "lose"_a, "cash"_a, "drop"_a, nb::kw_only(), "mine"_a = true, "theirs"_a = true,
            "mine_free"_a = false, "theirs_free"_a = false)
        .def_ro("win", &CubeHeight::win)
        .def_ro("lose", &CubeHeight::lose)
        .def_ro("cash", &CubeHeight::cash)
        .def_ro("drop", &CubeHeight::drop)
        .def_ro("mine", &CubeHeight::mine)
        .def_ro("theirs", &CubeHeight::theirs)
        .def_ro("mine_free", &CubeHeight::mine_free)
        .def_ro("theirs_free", &CubeHeight::theirs_free);
    nb::class_<CubeModel>(m, "CubeModel",
                          "The cube from its present value up, each height the double of the one before; nobody turns "
                          "it from the last. ValueError without heights or with too many.")
        .def(
            "__init__",
            [](CubeModel* self, const std::vector<CubeHeight>& heights, double efficiency) {
                new (self) CubeModel(heights, efficiency);
            },
            "heights"_a, "efficiency"_a)
        .def_prop_ro("heights", &heights_of)
        .def_prop_ro("take_points", &points_of<&CubeModel::take_point>,
                     "My chance of winning from which I take a double from each height, with a live cube afterwards.")
        .def_prop_ro("cash_points", &points_of<&CubeModel::cash_point>,
                     "The chance above which they drop my double from each height.")
        .def(
            "dead",
            [](const CubeModel& model, double chance, int height) {
                return model.dead(chance, checked(model, CubeOwner::nobody, height).height);
            },
            "chance"_a, "height"_a = 0, "The value if nobody turns the cube again.")
        .def(
            "live",
            [](const CubeModel& model, double chance, CubeOwner owner, int height) {
                return model.live(chance, checked(model, owner, height));
            },
            "chance"_a, "owner"_a, "height"_a = 0, "The value with a fully live cube.")
        .def(
            "value",
            [](const CubeModel& model, double chance, CubeOwner owner, int height) {
                return model.value(chance, checked(model, owner, height));
            },
            "chance"_a, "owner"_a, "height"_a = 0, "The value with this cube, between dead and live.");
}

}  // namespace sheshbesh
