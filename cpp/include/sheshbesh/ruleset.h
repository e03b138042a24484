// A game as the core sees it: one answer per axis. What each answer means is documented once, in
// src/sheshbesh/rules/axes.py; the names here are the same.
#pragma once

#include <array>
#include <cstdint>

#include "sheshbesh/types.h"

namespace sheshbesh {

enum class Movement : std::uint8_t { contrary, parallel };
enum class Contact : std::uint8_t { hit, pin, block };
enum class QuarterUntil : std::uint8_t { always, enemy_passed, enemy_home };
enum class PrimeAllowed : std::uint8_t { always, ahead_of_block, in_home, may_move };
enum class HeadException : std::uint8_t { none, three_doubles, any_double, any_blocked };
enum class RunnerTo : std::uint8_t { none, home, past_opponent_start };
enum class DiceDuty : std::uint8_t { all, voluntary, blocking };
enum class DutyTie : std::uint8_t { larger, pips, none };
enum class MustOpen : std::uint8_t { off, stack_behind, any_lock };
enum class HitRunBan : std::uint8_t { none, soft, hard };
enum class HitRunPriority : std::uint8_t { absolute, dice_first };
enum class Overshoot : std::uint8_t { from_highest, loose, exact };
enum class ForcedBearoff : std::uint8_t { off, after_duty, before_duty };
enum class ProgressionCount : std::uint8_t { own, game };
enum class OneTwoBonus : std::uint8_t { off, needs_all, always };
enum class Mother : std::uint8_t { off, at_once, plays_on };
enum class ScoreLeft : std::uint8_t { off, count, difference };

// Every rule that can make a play illegal, in the order in which a referee tries them: first what
// forbids a single step, then the duties of the whole play. A rule is lifted by its bit.
enum class Rule : std::uint8_t {
    enter_first,
    point_closed,
    captive,
    stack_cap,
    head,
    runner,
    prime,
    own_quarter,
    opponent_quarter,
    hit_and_run,
    bear_off_all_home,
    bear_off_pinned,
    bear_off_number,
    bear_off_no_inside,
    dice_tie,
    dice_all,
    bear_off_forced,
    must_open,
};
constexpr int kRuleCount = static_cast<int>(Rule::must_open) + 1;
constexpr int kFirstDuty = static_cast<int>(Rule::dice_tie);

using RuleBits = std::uint32_t;
constexpr RuleBits rule_bit(Rule rule) { return RuleBits{1} << static_cast<int>(rule); }

struct Ruleset {
    std::uint8_t checkers = 15;
    std::uint8_t hand = 0;
    Counts setup = 0;
    Movement movement = Movement::contrary;
    Contact contact = Contact::hit;

    std::uint8_t stack_cap = 0;
    std::uint8_t own_quarter = 6;
    std::uint8_t opponent_quarter = 6;
    QuarterUntil quarter_until = QuarterUntil::always;

    PrimeAllowed prime_allowed = PrimeAllowed::always;
    bool prime_transit = true;

    std::uint8_t head_limit = 0;
    HeadException head_exception = HeadException::none;
    RunnerTo runner_to = RunnerTo::none;

    DiceDuty dice_duty = DiceDuty::all;
    DutyTie duty_tie = DutyTie::larger;
    MustOpen must_open = MustOpen::off;

    HitRunBan hit_run_ban = HitRunBan::none;
    HitRunPriority hit_run_priority = HitRunPriority::absolute;

    Overshoot overshoot = Overshoot::from_highest;
    bool inside_moves = true;
    ForcedBearoff forced_bearoff = ForcedBearoff::off;
    bool pinned_blocks_bearoff = false;

    std::uint8_t double_steps = 4;
    std::uint8_t progression_from = 0;
    ProgressionCount progression_count = ProgressionCount::own;
    bool progression_in_bearoff = true;
    bool unused_to_opponent = false;
    bool forfeit_simple = false;
    OneTwoBonus one_two_bonus = OneTwoBonus::off;

    Mother mother = Mother::off;
    std::uint8_t mother_points = 2;
    bool closed_area = false;
    bool closed_area_wins = true;
    bool last_roll_tie = false;

    std::uint8_t score_single = 1;
    std::uint8_t score_gammon = 0;
    std::uint8_t score_backgammon = 0;
    std::uint8_t score_home_mars = 0;
    std::uint8_t score_koks = 0;
    ScoreLeft score_left = ScoreLeft::off;

    // The rules taken away by `without`, for an explanation only. Those that are no axis of their own
    // (a closed point, entering first ...) are asked for here; the others have lost their axis too.
    RuleBits lifted = 0;

    bool is_lifted(Rule rule) const { return (lifted & rule_bit(rule)) != 0; }

    // The largest number of finished turns the rules can ask about; a position counts no further.
    std::uint8_t turns_remembered() const;

    // The same index seen by the other side.
    int mirrored(int point) const {
        return movement == Movement::contrary ? 25 - point : (point <= 12 ? point + 12 : point - 12);
    }

    // The same points (1 to 24) in the other side's numbering.
    Mask mirrored(Mask points) const {
        if (movement == Movement::parallel) {
            return ((points & range(1, 12)) << 12) | ((points >> 12) & range(1, 12));
        }
        Mask reversed = points;
        reversed = ((reversed & 0x55555555u) << 1) | ((reversed >> 1) & 0x55555555u);
        reversed = ((reversed & 0x33333333u) << 2) | ((reversed >> 2) & 0x33333333u);
        reversed = ((reversed & 0x0F0F0F0Fu) << 4) | ((reversed >> 4) & 0x0F0F0F0Fu);
        return (__builtin_bswap32(reversed) >> 6) & kPoints;
    }
};

// The rule set without the rules in `lifted`.
Ruleset without(const Ruleset& rules, RuleBits lifted);

}  // namespace sheshbesh
