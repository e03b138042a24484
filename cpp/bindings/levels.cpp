// Levels and features in Python: what weak players choose, and what can be counted on a board.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind.h"
#include "convert.h"
#include "sheshbesh/engine/features.h"
#include "sheshbesh/engine/weakness.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using Numbers = std::array<double, 5>;                                    // of a weakness, in its order
using Candidate = std::tuple<int, int, std::size_t, std::vector<float>>;  // dice, index, probabilities
using Counted = std::tuple<std::string, double, std::vector<int>, double>;

Weakness weakness_of(const Numbers& numbers) { return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}; }

std::size_t pick_asked(const Ruleset& rules, const State& state, const std::vector<Candidate>& candidates,
                       const std::vector<double>& values, const Numbers& weakness, std::uint64_t seed) {
    std::vector<Considered> considered;
    considered.reserve(candidates.size());
    for (const auto& [first, second, index, probabilities] : candidates) {
        considered.push_back({to_throw(rules, state, first, second), index, probabilities});
    }
    Generator generator;
    return pick(generator, rules, state, considered, values, weakness_of(weakness), seed);
}

std::vector<Counted> measure_board(const Ruleset& rules, const State& state, bool own) {
    Generator generator;
    const Features found = measure(generator, rules, state, own);
    std::vector<Counted> counted;
    for (int i = 0; i < kBoardFeatures; ++i) {
        const auto& one = found[static_cast<std::size_t>(i)];
        if (!one) continue;
        counted.emplace_back(name(static_cast<BoardFeature>(i)), one->number, to_points(one->points), one->worth);
    }
    return counted;
}

}  // namespace

void bind_levels(nb::module_& m) {
    std::vector<std::string> features;
    features.reserve(kBoardFeatures);
    for (int i = 0; i < kBoardFeatures; ++i) features.emplace_back(name(static_cast<BoardFeature>(i)));
    m.attr("FEATURES") = nb::tuple(nb::cast(features));
    m.attr("THROW_FEATURES") = kThrowFeatures;  // of them ask about the next throw: the first
    m.def("pick", &pick_asked, "rules"_a, "state"_a, "candidates"_a, "values"_a, "weakness"_a, "seed"_a,
          "The place of the play that a player of a weakness makes among candidates, which stand best first as (die, "
          "die, index in the order of legal_plays, probabilities). `values` are the equities of the classes, "
          "`weakness` is (sight, gammons, mood, noise, reluctance); see weakness.h.");
    m.def(
        "doubles",
        [](const Ruleset& rules, const State& state, double gain, const std::vector<float>& probabilities,
           const std::vector<double>& values, const Numbers& weakness, std::uint64_t seed) {
            return doubles(rules, state, gain, probabilities, values, weakness_of(weakness), seed);
        },
        "rules"_a, "state"_a, "gain"_a, "probabilities"_a, "values"_a, "weakness"_a, "seed"_a,
        "Whether such a player turns the cube where that gains so much.");
    m.def(
        "answer",
        [](const Ruleset& rules, const State& state, double double_take, double double_pass, bool beaver,
           const std::vector<float>& probabilities, const std::vector<double>& values, const Numbers& weakness,
           std::uint64_t seed) {
            constexpr std::array kWords = {"drop", "take", "beaver"};
            return kWords[static_cast<std::size_t>(answer(rules, state, double_take, double_pass, beaver, probabilities,
                                                          values, weakness_of(weakness), seed))];
        },
        "rules"_a, "state"_a, "double_take"_a, "double_pass"_a, "beaver"_a, "probabilities"_a, "values"_a, "weakness"_a,
        "seed"_a, "What such a player answers to a double of the side on roll: drop, take or beaver.");
    m.def("measure", &measure_board, "rules"_a, "state"_a, "own"_a,
          "What counts for a side, as (name of FEATURES, number, points, worth); `own`: it is the side on roll.");
    const auto run = [](const Run& found) { return std::pair(found.length, found.behind); };
    nb::class_<BoardView>(m, "BoardView", "A position as one side counts it; `own`: the side on roll.")
        .def(nb::init<const Ruleset&, const State&, bool>(), "rules"_a, "state"_a, "own"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("closed", [](const BoardView& view) { return to_points(view.closed); })
        .def_prop_ro(
            "prime", [run](const BoardView& view) { return run(view.prime()); },
            "The longest run of own closed points with enemies behind it, and how many those are.")
        .def_prop_ro("prime_against", [run](const BoardView& view) { return run(view.prime_against()); })
        .def_prop_ro("lead", &BoardView::lead)
        .def_ro("has_contact", &BoardView::has_contact);
}

}  // namespace sheshbesh
