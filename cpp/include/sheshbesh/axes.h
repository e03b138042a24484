// The axes of the core: one table for all who ask a rule set by name or by number. What each answer means
// is documented once, in src/sheshbesh/rules/axes.py; the names here are the same.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "sheshbesh/ruleset.h"

namespace sheshbesh {

struct Axis {
    std::string_view name;  // table and key
    int values;             // answers are 0 .. values - 1; those in words in the order of axes.py
    // How many of them are inputs of this input set: the slot of the axis. 0: the axis changes no play, or
    // only what results pay, and is no input. An answer beyond is played as `net_stand_in` by the nets, which
    // is approximate; where that is -1 it has no net, and `Extractor` throws.
    int net_values;
    int net_stand_in;
    int (*read)(const Ruleset&);
    void (*store)(Ruleset&, int);
};

namespace detail {

template <auto Member>
int read_axis(const Ruleset& rules) {
    return static_cast<int>(rules.*Member);
}

template <auto Member>
void store_axis(Ruleset& rules, int value) {
    using Value = std::remove_reference_t<decltype(rules.*Member)>;
    rules.*Member = static_cast<Value>(value);
}

template <auto Member>
constexpr Axis axis(std::string_view name, int values, int net_values, int net_stand_in = -1) {
    return {name, values, net_values, net_stand_in, &read_axis<Member>, &store_axis<Member>};
}

}  // namespace detail

// The order of those that enter the net is the order of its slots. `board.setup` is no number and stands apart.
constexpr std::array kAxes = {
    detail::axis<&Ruleset::checkers>("board.checkers", 16, 16),
    detail::axis<&Ruleset::hand>("board.hand", 16, 16),
    detail::axis<&Ruleset::movement>("board.movement", 2, 2),
    detail::axis<&Ruleset::contact>("contact.kind", 3, 3),
    detail::axis<&Ruleset::stack_cap>("occupancy.stack_cap", 16, 16),
    detail::axis<&Ruleset::own_quarter>("occupancy.own_quarter", 7, 7),
    detail::axis<&Ruleset::opponent_quarter>("occupancy.opponent_quarter", 7, 7),
    detail::axis<&Ruleset::quarter_until>("occupancy.quarter_until", 3, 3),
    detail::axis<&Ruleset::prime_allowed>("prime.allowed", 4, 3, static_cast<int>(PrimeAllowed::ahead_of_block)),
    detail::axis<&Ruleset::prime_transit>("prime.transit", 2, 2),
    detail::axis<&Ruleset::head_limit>("head.limit", 16, 16),
    detail::axis<&Ruleset::head_exception>("head.exception", 4, 4),
    detail::axis<&Ruleset::runner_to>("runner.to", 3, 3),
    detail::axis<&Ruleset::dice_duty>("duty.dice", 3, 3),
    detail::axis<&Ruleset::duty_tie>("duty.tie", 3, 3),
    detail::axis<&Ruleset::must_open>("duty.must_open", 3, 3),
    detail::axis<&Ruleset::hit_run_ban>("hit_run.ban", 3, 3),
    detail::axis<&Ruleset::hit_run_priority>("hit_run.priority", 2, 2),
    detail::axis<&Ruleset::overshoot>("bearoff.overshoot", 3, 3),
    detail::axis<&Ruleset::inside_moves>("bearoff.inside", 2, 2),
    detail::axis<&Ruleset::forced_bearoff>("bearoff.forced", 3, 3),
    detail::axis<&Ruleset::pinned_blocks_bearoff>("bearoff.pinned_blocks", 2, 2),
    detail::axis<&Ruleset::double_steps>("throw.double_steps", 5, 5),
    detail::axis<&Ruleset::progression_from>("throw.progression_from", 10, 10),
    detail::axis<&Ruleset::progression_count>("throw.progression_count", 2, 2),
    detail::axis<&Ruleset::progression_in_bearoff>("throw.progression_in_bearoff", 2, 2),
    detail::axis<&Ruleset::unused_to_opponent>("throw.unused_to_opponent", 2, 2),
    detail::axis<&Ruleset::forfeit_simple>("throw.forfeit_simple", 2, 2),
    detail::axis<&Ruleset::one_two_bonus>("throw.one_two_bonus", 3, 3),
    detail::axis<&Ruleset::mother>("ending.mother", 3, 3),
    detail::axis<&Ruleset::mother_points>("ending.mother_points", 4, 0),
    detail::axis<&Ruleset::closed_area>("ending.closed_area", 2, 2),
    detail::axis<&Ruleset::closed_area_wins>("ending.closed_area_wins", 2, 0),
    detail::axis<&Ruleset::last_roll_tie>("ending.last_roll_tie", 2, 2),
    detail::axis<&Ruleset::score_single>("score.single", 4, 0),
    detail::axis<&Ruleset::score_gammon>("score.gammon", 4, 4),
    detail::axis<&Ruleset::score_backgammon>("score.backgammon", 4, 0),
    detail::axis<&Ruleset::score_home_mars>("score.home_mars", 4, 0),
    detail::axis<&Ruleset::score_koks>("score.koks", 4, 0),
    detail::axis<&Ruleset::score_left>("score.left", 3, 3),
};

// How many axes enter the net.
constexpr int net_axes() {
    int found = 0;
    for (const Axis& axis : kAxes) found += axis.net_values > 0 ? 1 : 0;
    return found;
}

}  // namespace sheshbesh
