// Ids and positions taken apart in Python; see description.h and position_id.h.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bind.h"
#include "convert.h"
#include "sheshbesh/position_id.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using Both = std::pair<Board, Board>;
using ProblemTuple = std::tuple<std::string, std::optional<bool>, int, int, int, std::string>;

std::optional<bool> is_black(std::optional<Colour> side) {
    if (!side) return std::nullopt;
    return *side == Colour::black;
}

std::optional<Colour> to_colour(std::optional<bool> black) {
    if (!black) return std::nullopt;
    return *black ? Colour::black : Colour::white;
}

std::vector<ProblemTuple> to_tuples(const std::vector<Problem>& problems) {
    std::vector<ProblemTuple> found;
    found.reserve(problems.size());
    for (const Problem& one : problems) {
        found.emplace_back(fault_name(one.fault), is_black(one.side), one.n, one.most, one.point, one.field);
    }
    return found;
}

}  // namespace

void bind_positions(nb::module_& m) {
    m.attr("LONGEST_ID") = kLongestId;
    nb::class_<Description>(m, "Description", "A position taken apart by colour, possible or not; see description.h.")
        .def(
            "__init__",
            [](Description* self, const Both& counts, const std::pair<std::vector<int>, std::vector<int>>& pinned,
               bool black_on_roll) {
                new (self) Description;
                self->sides[0] = {counts.first, to_mask(pinned.first), 0};
                self->sides[1] = {counts.second, to_mask(pinned.second), 0};
                self->turn = black_on_roll ? Colour::black : Colour::white;
            },
            nb::kw_only(), "counts"_a, "pinned"_a, "black_on_roll"_a)
        .def_prop_rw(
            "turns", [](const Description& self) { return std::pair(self.sides[0].turns, self.sides[1].turns); },
            [](Description& self, std::pair<int, int> turns) {
                self.sides[0].turns = turns.first;
                self.sides[1].turns = turns.second;
            })
        .def_prop_rw(
            "starter", [](const Description& self) { return is_black(self.starter); },
            [](Description& self, std::optional<bool> black) { self.starter = to_colour(black); },
            nb::for_setter(nb::arg("black").none()))
        .def_prop_rw(
            "mother_lost", [](const Description& self) { return is_black(self.mother_lost); },
            [](Description& self, std::optional<bool> black) { self.mother_lost = to_colour(black); },
            nb::for_setter(nb::arg("black").none()))
        .def_rw("pending", &Description::pending)
        .def(
            "checker_problems",
            [](Description& self, const Ruleset& rules) { return to_tuples(checker_problems(rules, self)); }, "rules"_a,
            "All that makes the checkers impossible: (name, Black's, n, most, point, field); see description.h.")
        .def(
            "history_problems",
            [](const Description& self, const Ruleset& rules) { return to_tuples(history_problems(rules, self)); },
            "rules"_a, "The parts of the history that the rules never ask, as in `checker_problems`.")
        .def(
            "suppose_turns", [](Description& self, const Ruleset& rules) { suppose_turns(rules, self); }, "rules"_a,
            "Count the finished turns of each side as its checkers let suppose.")
        .def(
            "state", [](const Description& self, const Ruleset& rules) { return state_of(rules, self); }, "rules"_a,
            "The position of a description without problems.");

    m.def(
        "read_id",
        [](const Ruleset& rules, std::string_view text) {
            const ReadId found = read_id(rules, text);
            std::optional<State> state;
            if (found.problems.empty()) state = state_of(rules, found.description);
            const bool is_text = !found.problems.empty() && is_unreadable(found.problems[0].fault);
            return std::tuple(state, to_tuples(found.problems), is_text);
        },
        "rules"_a, "text"_a,
        "The position of an id, None with the problems of one that cannot be, and whether it is its text that cannot "
        "be read.");
    m.def("write_id", &write_id, "rules"_a, "state"_a, "The id of a position.");
}

}  // namespace sheshbesh
