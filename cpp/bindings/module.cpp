// The Python face of the core: conversion only, no rules.
//
// How values are converted is documented in convert.h and rulesets.h.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "bind.h"
#include "convert.h"
#include "released.h"
#include "rulesets.h"
#include "sheshbesh/explain.h"
#include "sheshbesh/movegen.h"
#include "sheshbesh/playout.h"
#include "sheshbesh/rows.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using StepTuple = std::tuple<int, int, int, bool>;  // origin, landing, die, takes

Generator& generator() {
    thread_local Generator instance;
    return instance;
}

// The legal plays of one throw, kept with the position they start from.
class PlayList {
public:
    PlayList(const Ruleset& rules, const State& state, const Throw& dice)
        : rules_(rules), state_(state), dice_(dice), plays_(generator().plays(rules, state, dice)) {}

    std::size_t size() const { return plays_.size(); }
    std::pair<int, int> dice() const { return {dice_.high, dice_.low}; }

    State after(std::size_t index) const { return position_after(rules_, state_, dice_, plays_.at(index)); }

    std::vector<StepTuple> steps(std::size_t index) const {
        const Play& play = plays_.at(index);
        const Turn turn(rules_, state_, dice_);
        std::vector<StepTuple> steps;
        Node node = turn.root();
        for (int i = 0; i < play.depth; ++i) {
            const int origin = path_origin(play.path, i);
            const int die = path_die(play.path, i);
            const int target = landing(origin, die);
            steps.emplace_back(origin, target, die, turn.takes(node, target));
            node = turn.step<false>(node, origin, die);
        }
        return steps;
    }

    // The play with the same final position as `other`, or the list's size.
    std::size_t index_of(const State& other) const {
        for (std::size_t i = 0; i < plays_.size(); ++i) {
            if (after(i) == other) return i;
        }
        return plays_.size();
    }

    // The play that consists of exactly these steps, in some order; nothing if none does.
    std::optional<std::size_t> index_of_steps(const StepPairs& steps) const {
        if (plays_.empty()) return std::nullopt;
        const TurnGraph& graph = generator().explore(rules_, state_, dice_);
        const std::optional<std::uint32_t> found = graph.find(to_steps(steps));
        if (!found) return std::nullopt;
        const auto play = std::find(plays_.begin(), plays_.end(), play_of(graph.node(*found)));
        return static_cast<std::size_t>(play - plays_.begin());
    }

private:
    Ruleset rules_;
    State state_;
    Throw dice_;
    std::vector<Play> plays_;
};

// The steps that can still lead to a legal play after `done`.
std::vector<StepTuple> next_steps(const Ruleset& rules, const State& state, int first, int second,
                                  const StepPairs& done) {
    const Throw dice = to_throw(rules, state, first, second);
    const TurnGraph& graph = generator().explore(rules, state, dice);
    const std::vector<Step> found = graph.next_steps(to_steps(done));
    std::vector<StepTuple> steps;
    if (found.empty()) return steps;  // `done` leads nowhere and may be nonsense: it cannot be replayed
    steps.reserve(found.size());
    const Turn turn(rules, state, dice);
    Node node = turn.root();
    for (const auto& [origin, die] : done) node = turn.step<false>(node, origin, die);
    for (const Step& step : found) {
        const int target = landing(step.origin, step.die);
        steps.emplace_back(step.origin, target, step.die, turn.takes(node, target));
    }
    return steps;
}

// The stages of the turn: whether the steps so far are a legal play, and each step that may follow with
// the number of the stage it leads to.
using StageTuple = std::pair<bool, std::vector<std::pair<StepTuple, std::uint32_t>>>;

std::vector<StageTuple> stages(const Ruleset& rules, const State& state, int first, int second) {
    const Throw dice = to_throw(rules, state, first, second);
    const TurnGraph& graph = generator().explore(rules, state, dice);
    const Turn turn(rules, state, dice);
    std::vector<StageTuple> found;
    for (const Stage& stage : graph.stages()) {
        StageTuple& shown = found.emplace_back(stage.is_whole, 0);
        for (const Onward& onward : stage.onward) {
            const int target = landing(onward.step.origin, onward.step.die);
            const bool takes = turn.takes(graph.node(stage.node), target);
            shown.second.push_back({{onward.step.origin, target, onward.step.die, takes}, onward.stage});
        }
    }
    return found;
}

// The points the steps would hit or imprison on when played in this order, whether or not the rules allow it.
std::vector<bool> takes_along(const Ruleset& rules, const State& state, int first, int second, const StepPairs& steps) {
    const Throw dice = to_throw(rules, state, first, second);
    const Turn turn(rules, state, dice);
    Node node = turn.root();
    std::vector<bool> takes;
    for (const auto& [origin, die] : steps) {
        takes.push_back(turn.takes(node, landing(origin, die)));
        if (count(node.mine, origin) == 0) break;
        node = turn.step<false>(node, origin, die);
    }
    return takes;
}

PlayList legal_plays(const Ruleset& rules, const State& state, int first, int second) {
    return PlayList(rules, state, to_throw(rules, state, first, second));
}

std::tuple<int, int, int> dice_played(const Ruleset& rules, const State& state, int first, int second) {
    const Throw dice = to_throw(rules, state, first, second);
    return {dice.high, dice.low, dice.steps};
}

std::pair<Verdict, Rule> explain_readings(const Ruleset& rules, const State& state, int first, int second,
                                          const std::vector<StepPairs>& readings, bool whole) {
    const Throw dice = to_throw(rules, state, first, second);
    std::vector<std::vector<Step>> all;
    all.reserve(readings.size());
    for (const StepPairs& steps : readings) all.push_back(to_steps(steps));
    const Refusal refusal =
        explain_nearest(generator(), rules, state, dice, all, whole ? Asked::whole_play : Asked::beginning);
    return {refusal.verdict, refusal.rule};
}

std::pair<Verdict, Rule> judge_steps(const Ruleset& rules, const State& state, int first, int second,
                                     const std::vector<std::tuple<int, int, int>>& steps, bool whole) {
    const Throw dice = to_throw(rules, state, first, second);
    std::vector<ShownStep> shown;
    shown.reserve(steps.size());
    for (const auto& [origin, target, die] : steps) shown.push_back(to_shown(origin, target, die));
    const Refusal refusal = judge(generator(), rules, state, dice, shown, whole ? Asked::whole_play : Asked::beginning);
    return {refusal.verdict, refusal.rule};
}

void bind_state(nb::module_& m) {
    nb::class_<Pending>(m, "Pending", "What is owed before the next throw; see state.h.")
        .def(
            "__init__",
            [](Pending* self, int die, int second, int steps, bool rest, bool then_throw, bool choose_double,
               int head) {
                const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
                new (self) Pending{byte(die), byte(second), byte(steps), rest, then_throw, choose_double, byte(head)};
            },
            nb::kw_only(), "die"_a = 0, "second"_a = 0, "steps"_a = 0, "rest"_a = false, "then_throw"_a = false,
            "choose_double"_a = false, "head"_a = 0)
        .def_ro("die", &Pending::die)
        .def_ro("second", &Pending::second)
        .def_ro("steps", &Pending::steps)
        .def_ro("rest", &Pending::rest)
        .def_ro("then_throw", &Pending::then_throw)
        .def_ro("choose_double", &Pending::choose_double)
        .def_ro("head", &Pending::head);

    nb::class_<State>(m, "State", "A position seen by the side on roll; boards are lists of 27 counts.")
        .def(
            "__init__",
            [](State* self, const Board& mine, const Board& theirs, const std::vector<int>& pinned_mine,
               const std::vector<int>& pinned_theirs, bool black_on_roll, std::pair<int, int> turns,
               std::pair<bool, bool> started, std::pair<bool, bool> mother_lost, const Pending& pending) {
                new (self) State{to_counts(mine),
                                 to_counts(theirs),
                                 to_mask(pinned_mine),
                                 to_mask(pinned_theirs),
                                 static_cast<std::uint8_t>(turns.first),
                                 static_cast<std::uint8_t>(turns.second),
                                 black_on_roll,
                                 started.first,
                                 started.second,
                                 mother_lost.first,
                                 mother_lost.second,
                                 pending};
            },
            nb::kw_only(), "mine"_a, "theirs"_a, "pinned_mine"_a, "pinned_theirs"_a, "black_on_roll"_a, "turns"_a,
            "started"_a, "mother_lost"_a, "pending"_a)
        .def_prop_ro("mine", [](const State& s) { return to_board(s.mine); })
        .def_prop_ro("theirs", [](const State& s) { return to_board(s.theirs); })
        .def_prop_ro("pinned_mine", [](const State& s) { return to_points(s.pinned_mine); })
        .def_prop_ro("pinned_theirs", [](const State& s) { return to_points(s.pinned_theirs); })
        .def_prop_ro("turns", [](const State& s) { return std::pair<int, int>(s.turns_mine, s.turns_theirs); })
        .def_prop_ro("started", [](const State& s) { return std::pair(s.i_started, s.they_started); })
        .def_prop_ro("mother_lost", [](const State& s) { return std::pair(s.my_mother_lost, s.their_mother_lost); })
        .def_ro("black_on_roll", &State::black_on_roll)
        .def_ro("pending", &State::pending)
        .def(
            "pips", [](const State& s) { return std::pair(pips(s.mine), pips(s.theirs)); },
            "Pips of the side on roll and of the other side; a checker on the bar or in hand counts 25.")
        .def(
            "row",
            [](const State& s) {
                std::array<std::uint8_t, row::kWidth> bytes{};
                write_row(s, bytes.data());
                return nb::bytes(bytes.data(), bytes.size());
            },
            "The position as a row of bytes; see rows.h.")
        .def(
            "__eq__",
            [](const State& a, const nb::object& b) {
                return nb::isinstance<State>(b) && a == nb::cast<const State&>(b);
            },
            nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", [](const State& s) {
            const auto fold = [](Counts c) { return static_cast<std::uint64_t>(c ^ (c >> 61)); };
            std::uint64_t h = fold(s.mine) * 0x9E3779B97F4A7C15ull;
            h = (h ^ fold(s.theirs)) * 0xC2B2AE3D27D4EB4Full;
            h ^= std::uint64_t{s.pinned_mine} << 32 ^ s.pinned_theirs ^ std::uint64_t{s.black_on_roll} << 60;
            return static_cast<std::int64_t>((h ^ (h >> 29)) & 0x7FFFFFFFFFFFFFFFull);
        });
}

void bind_plays(nb::module_& m) {
    nb::class_<PlayList>(m, "PlayList", "The legal plays of one throw, each final position once.")
        .def("__len__", &PlayList::size)
        .def_prop_ro("dice", &PlayList::dice)
        .def("steps", &PlayList::steps, "index"_a, "Steps of a play: (origin, landing, die, takes).")
        .def("after", &PlayList::after, "index"_a, "The position after a play.")
        .def("index_of_steps", &PlayList::index_of_steps, "steps"_a,
             "The play that consists of these steps (origin, die), in some order; None if none does.")
        .def("index_of", &PlayList::index_of, "position"_a, "The play that ends there, or the length.");

    m.def("legal_plays", &legal_plays, "rules"_a, "state"_a, "first"_a, "second"_a,
          "The legal plays of the dice, or of the element that is owed; ValueError unless they are 1 to 6.");
    m.def("stages", &stages, "rules"_a, "state"_a, "first"_a, "second"_a,
          "Every stage of the turn: whether it is a legal play, and the steps onward with the stage each leads to.");
    m.def("next_steps", &next_steps, "rules"_a, "state"_a, "first"_a, "second"_a, "done"_a,
          "Steps (origin, landing, die, takes) that can still lead to a legal play after `done` (origin, die).");
    m.def("takes_along", &takes_along, "rules"_a, "state"_a, "first"_a, "second"_a, "steps"_a,
          "Which of these steps (origin, die) would hit or imprison, played in this order.");
    m.def("has_contact", nb::overload_cast<const Ruleset&, const State&>(&has_contact), "rules"_a, "state"_a,
          "Whether the two sides can still meet; see state.h.");
    m.def("element", &dice_played, "rules"_a, "state"_a, "first"_a, "second"_a,
          "What is played: (high, low, number of steps).");
}

void bind_explain(nb::module_& m) {
    nb::enum_<Verdict>(m, "Verdict")
        .value("legal", Verdict::legal)
        .value("broken_rule", Verdict::broken_rule)
        .value("game_over", Verdict::game_over)
        .value("not_thrown", Verdict::not_thrown)
        .value("no_checker", Verdict::no_checker);
    nb::enum_<Rule>(m, "Rule")
        .value("enter_first", Rule::enter_first)
        .value("point_closed", Rule::point_closed)
        .value("captive", Rule::captive)
        .value("stack_cap", Rule::stack_cap)
        .value("head", Rule::head)
        .value("runner", Rule::runner)
        .value("prime", Rule::prime)
        .value("own_quarter", Rule::own_quarter)
        .value("opponent_quarter", Rule::opponent_quarter)
        .value("hit_and_run", Rule::hit_and_run)
        .value("bear_off_all_home", Rule::bear_off_all_home)
        .value("bear_off_pinned", Rule::bear_off_pinned)
        .value("bear_off_number", Rule::bear_off_number)
        .value("bear_off_no_inside", Rule::bear_off_no_inside)
        .value("dice_tie", Rule::dice_tie)
        .value("dice_all", Rule::dice_all)
        .value("bear_off_forced", Rule::bear_off_forced)
        .value("must_open", Rule::must_open);
    m.def("explain", &explain_readings, "rules"_a, "state"_a, "first"_a, "second"_a, "readings"_a, nb::kw_only(),
          "whole"_a,
          "The verdict on steps (origin, die) as a whole play or as the beginning of one, and the rule they break: of "
          "several readings on the one that comes closest to being legal.");
    m.def("judge", &judge_steps, "rules"_a, "state"_a, "first"_a, "second"_a, "steps"_a, nb::kw_only(), "whole"_a,
          "The same for steps as they are shown: (origin, target, die), the die 0 where it is not said.");
}

}  // namespace

NB_MODULE(_core, m) {
    // Rule sets are cached for the life of the process, which nanobind would report as leaks.
    nb::set_leak_warnings(false);
    m.doc() = "The C++ core of Sheshbesh: what is legal, for every axis.";
    nb::class_<Ruleset>(m, "Ruleset", "A compiled rule set: one number per axis.")
        .def(
            "__init__",
            [](Ruleset* self, const std::map<std::string, int>& axes, const std::map<int, int>& setup) {
                new (self) Ruleset(make_ruleset(axes, setup));
            },
            "axes"_a, "setup"_a)
        .def_static(
            "axes",
            [] {
                std::map<std::string, std::pair<int, int>> values;
                for (const Axis& axis : kAxes) values[std::string(axis.name)] = {axis.values, axis.net_values};
                return values;
            },
            "The axes of the core: how many values each has, and how many of them are inputs of the nets (0: none).")
        .def_prop_ro("turns_remembered", [](const Ruleset& rules) { return int{rules.turns_remembered()}; });
    bind_state(m);
    bind_plays(m);
    bind_explain(m);
    bind_positions(m);
    m.def("start", &start, "rules"_a, "black_starts"_a);
    m.def(
        "result",
        [](const Ruleset& rules, const State& state) {
            const GameResult outcome = result(rules, state);
            return std::tuple<int, int, int>(static_cast<int>(outcome.kind), static_cast<int>(outcome.winner),
                                             outcome.points);
        },
        "rules"_a, "state"_a, "(kind, winner, points) as numbers; see state.h.");
    m.def("perft", &perft, "rules"_a, "state"_a, "depth"_a, nb::call_guard<Released>());
    m.def(
        "play_at_random",
        [](const Ruleset& rules, std::uint64_t decisions, std::uint64_t seed) {
            const PlayoutCount total = play_at_random(rules, decisions, seed);
            return std::tuple(total.games, total.decisions, total.positions, total.checksum);
        },
        "rules"_a, "decisions"_a, "seed"_a, nb::call_guard<Released>(),
        "Random games: (games, decisions, positions generated, checksum).");
    bind_stop(m);
    bind_training(m);
    bind_engine(m);
    bind_cube(m);
    bind_score(m);
    bind_rollout(m);
    bind_bearoff(m);
    bind_players(m);
    bind_levels(m);
    bind_games(m);
}

}  // namespace sheshbesh
