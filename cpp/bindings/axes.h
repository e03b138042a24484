// A rule set from its answers to the axes: every axis of the core by the name it has in
// sheshbesh.rules.axes, enum values as their position in the word lists there.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "convert.h"
#include "sheshbesh/ruleset.h"

namespace sheshbesh {

// One axis: how to store the number of its value, and how many values it has.
struct AxisSetter {
    int values;
    void (*store)(Ruleset&, int);
};

template <auto Member>
void store(Ruleset& rules, int value) {
    using Value = std::remove_reference_t<decltype(rules.*Member)>;
    rules.*Member = static_cast<Value>(value);
}

template <auto Member>
constexpr AxisSetter axis(int values) {
    return {values, &store<Member>};
}

inline const std::map<std::string, AxisSetter>& axis_setters() {
    static const std::map<std::string, AxisSetter> setters = {
        {"board.checkers", axis<&Ruleset::checkers>(16)},
        {"board.movement", axis<&Ruleset::movement>(2)},
        {"board.hand", axis<&Ruleset::hand>(16)},
        {"contact.kind", axis<&Ruleset::contact>(3)},
        {"occupancy.stack_cap", axis<&Ruleset::stack_cap>(16)},
        {"occupancy.own_quarter", axis<&Ruleset::own_quarter>(7)},
        {"occupancy.opponent_quarter", axis<&Ruleset::opponent_quarter>(7)},
        {"occupancy.quarter_until", axis<&Ruleset::quarter_until>(3)},
        {"prime.allowed", axis<&Ruleset::prime_allowed>(3)},
        {"prime.transit", axis<&Ruleset::prime_transit>(2)},
        {"head.limit", axis<&Ruleset::head_limit>(16)},
        {"head.exception", axis<&Ruleset::head_exception>(4)},
        {"runner.to", axis<&Ruleset::runner_to>(3)},
        {"duty.dice", axis<&Ruleset::dice_duty>(3)},
        {"duty.tie", axis<&Ruleset::duty_tie>(3)},
        {"duty.must_open", axis<&Ruleset::must_open>(3)},
        {"hit_run.ban", axis<&Ruleset::hit_run_ban>(3)},
        {"hit_run.priority", axis<&Ruleset::hit_run_priority>(2)},
        {"bearoff.overshoot", axis<&Ruleset::overshoot>(3)},
        {"bearoff.inside", axis<&Ruleset::inside_moves>(2)},
        {"bearoff.forced", axis<&Ruleset::forced_bearoff>(3)},
        {"bearoff.pinned_blocks", axis<&Ruleset::pinned_blocks_bearoff>(2)},
        {"throw.double_steps", axis<&Ruleset::double_steps>(5)},
        {"throw.progression_from", axis<&Ruleset::progression_from>(10)},
        {"throw.progression_count", axis<&Ruleset::progression_count>(2)},
        {"throw.progression_in_bearoff", axis<&Ruleset::progression_in_bearoff>(2)},
        {"throw.unused_to_opponent", axis<&Ruleset::unused_to_opponent>(2)},
        {"throw.forfeit_simple", axis<&Ruleset::forfeit_simple>(2)},
        {"throw.one_two_bonus", axis<&Ruleset::one_two_bonus>(3)},
        {"ending.mother", axis<&Ruleset::mother>(3)},
        {"ending.mother_points", axis<&Ruleset::mother_points>(4)},
        {"ending.closed_area", axis<&Ruleset::closed_area>(2)},
        {"ending.last_roll_tie", axis<&Ruleset::last_roll_tie>(2)},
        {"score.single", axis<&Ruleset::score_single>(4)},
        {"score.gammon", axis<&Ruleset::score_gammon>(4)},
        {"score.backgammon", axis<&Ruleset::score_backgammon>(4)},
        {"score.home_mars", axis<&Ruleset::score_home_mars>(4)},
        {"score.koks", axis<&Ruleset::score_koks>(4)},
        {"score.left", axis<&Ruleset::score_left>(3)},
    };
    return setters;
}

inline Ruleset make_ruleset(const std::map<std::string, int>& axes, const std::map<int, int>& setup) {
    Ruleset rules;
    const auto& setters = axis_setters();
    for (const auto& [name, value] : axes) {
        const auto setter = setters.find(name);
        if (setter == setters.end()) throw std::invalid_argument("no axis of the core: " + name);
        if (value < 0 || value >= setter->second.values) throw std::invalid_argument("out of range: " + name);
        setter->second.store(rules, value);
    }
    if (axes.size() != setters.size()) throw std::invalid_argument("an axis of the core was not given");
    Board board{};
    for (const auto& [point, checkers] : setup) {
        if (point < 1 || point > 24) throw std::invalid_argument("a point must be 1 to 24");
        board[static_cast<std::size_t>(point)] = checkers;
    }
    rules.setup = to_counts(board);
    return rules;
}

}  // namespace sheshbesh
