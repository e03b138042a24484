#include "sheshbesh/state.h"

#include <algorithm>
#include <utility>

namespace sheshbesh {

namespace {

void pass_turn(const Ruleset& rules, State& state) {
    if (state.turns_mine < rules.turns_remembered()) ++state.turns_mine;
    state = swapped(state);
    state.pending = {};
}

bool all_home(Counts mine) { return (occupied(mine) & ~kHome) == 0; }

bool progresses(const Ruleset& rules, const State& state) {
    if (rules.progression_from == 0) return false;
    if (!rules.progression_in_bearoff && all_home(state.mine)) return false;
    const int finished =
        state.turns_mine + (rules.progression_count == ProgressionCount::game ? state.turns_theirs : 0);
    return finished + 1 >= rules.progression_from;
}

Pending next_element(const Ruleset& rules, const Pending& done, Counts mine) {
    if (!done.rest || (!rules.progression_in_bearoff && all_home(mine))) return {};
    Pending next;
    next.die = static_cast<std::uint8_t>(done.die + 1);
    next.steps = kMaxSteps;
    next.rest = next.die < 6;
    next.then_throw = done.then_throw;
    next.head = done.head;
    return next;
}

// What goes over to the other side when `state` still is the position of the side that played.
void hand_over(const Ruleset& rules, State& state, Pending owed) {
    owed.then_throw = true;
    owed.head = 0;
    pass_turn(rules, state);
    state.pending = owed;
}

// `current` is the element just played, as the owed element it was or might have been.
void finish_element(const Ruleset& rules, State& state, const Pending& current, int used) {
    if (used == current.steps) {
        const Pending next = next_element(rules, current, state.mine);
        if (next.any()) {
            state.pending = next;
        } else if (current.then_throw) {
            state.pending = {};
        } else {
            pass_turn(rules, state);
        }
    } else if (current.then_throw) {
        state.pending = {};  // nothing comes back: the rest of what was handed over is lost
    } else if (rules.unused_to_opponent) {
        Pending owed = current;
        owed.steps = static_cast<std::uint8_t>(current.steps - used);
        hand_over(rules, state, owed);
    } else {
        pass_turn(rules, state);
    }
}

// The checkers that have left 24 in this roll, the play from `before` to `mine` included.
std::uint8_t left_head(const Ruleset& rules, const State& before, Counts mine) {
    if (rules.head_limit == 0) return 0;
    const int leaving = std::max(0, count(before.mine, 24) - count(mine, 24));
    return static_cast<std::uint8_t>(before.pending.head + leaving);
}

void finish_simple(const Ruleset& rules, State& state, const Throw& dice, const Played& played, std::uint8_t head) {
    const bool complete = played.used == dice.steps;
    if (complete && rules.one_two_bonus != OneTwoBonus::off && dice.high == 2 && dice.low == 1) {
        state.pending = {};
        state.pending.choose_double = true;
        state.pending.head = head;
        return;
    }
    if (complete || !rules.forfeit_simple || !rules.unused_to_opponent) {
        pass_turn(rules, state);
        return;
    }
    Pending owed;
    owed.steps = static_cast<std::uint8_t>(dice.steps - played.used);
    owed.die = static_cast<std::uint8_t>(owed.steps == 1 && !dice.same() ? played.unplayed : dice.high);
    owed.second = static_cast<std::uint8_t>(owed.steps == 2 && !dice.same() ? dice.low : 0);
    hand_over(rules, state, owed);
}

// The kind of a win by bearing off, and its points.
struct Value {
    Kind kind;
    int points;
};

Value value_against(const Ruleset& rules, Counts loser) {
    if (rules.score_left != ScoreLeft::off) {
        const Kind kind = rules.score_left == ScoreLeft::count ? Kind::count : Kind::difference;
        return {kind, rules.checkers - count(loser, kOff)};
    }
    if (count(loser, kOff) == 0) {
        const Mask standing = occupied(loser);
        const Mask winners_home = rules.mirrored(kHome);
        if (rules.score_koks != 0 && (standing & bit(24)) != 0) return {Kind::koks, rules.score_koks};
        if (rules.score_home_mars != 0 && (standing & ~kHome) == 0) return {Kind::home_mars, rules.score_home_mars};
        if (rules.score_backgammon != 0 && (standing & (winners_home | bit(kBar))) != 0) {
            return {Kind::backgammon, rules.score_backgammon};
        }
        if (rules.score_gammon != 0) return {Kind::gammon, rules.score_gammon};
    }
    return {Kind::single, rules.score_single};
}

GameResult won(const Ruleset& rules, const State& state, Winner winner) {
    const Value value = value_against(rules, winner == Winner::on_roll ? state.theirs : state.mine);
    return {value.kind, winner, value.points};
}

GameResult mother_result(const Ruleset& rules, const State& state) {
    const Mothers pinned = mothers(rules, state.mine, state.theirs, state.pinned_mine);
    if (pinned.mine_pinned && pinned.theirs_pinned) return {Kind::tie, Winner::nobody, 0};
    if (rules.mother == Mother::plays_on) return {};
    if (pinned.theirs_pinned && count(state.mine, 24) == 0) return {Kind::mother, Winner::on_roll, rules.mother_points};
    if (pinned.mine_pinned && count(state.theirs, 24) == 0) return {Kind::mother, Winner::other, rules.mother_points};
    return {};
}

// The highest own point with a checker, the hand and the bar as 24; 0 when all are off.
int rearmost(Counts side) {
    const Mask standing = occupied(side);
    return standing == 0 ? 0 : std::min(top(standing), 24);
}

bool has_arrived(Counts side) { return count(side, kOff) > 0 || (occupied(side) & kHome) != 0; }

bool closes_area(Counts side, Counts enemy) {
    return (occupied(side) & kStartQuarter) == kStartQuarter && !has_arrived(enemy);
}

GameResult off_result(const Ruleset& rules, const State& state) {
    const bool mine_off = count(state.mine, kOff) == rules.checkers;
    const bool theirs_off = count(state.theirs, kOff) == rules.checkers;
    if (!mine_off && !theirs_off) return {};
    if (rules.last_roll_tie) {
        if (mine_off && theirs_off) return {Kind::tie, Winner::nobody, 0};
        if (theirs_off && state.they_started) return {};  // the second player's last turn
    }
    if (state.my_mother_lost != state.their_mother_lost) {
        return {Kind::mother, state.my_mother_lost ? Winner::other : Winner::on_roll, rules.mother_points};
    }
    return won(rules, state, theirs_off ? Winner::other : Winner::on_roll);
}

}  // namespace

State start(const Ruleset& rules, bool black_starts) {
    State state;
    state.mine = state.theirs = rules.setup | (Counts{rules.hand} << (4 * kHand));
    state.black_on_roll = black_starts;
    state.i_started = rules.last_roll_tie;
    return state;
}

GameResult result(const Ruleset& rules, const State& state) {
    if (rules.mother != Mother::off) {
        if (const GameResult outcome = mother_result(rules, state); outcome.kind != Kind::none) return outcome;
    }
    if (const GameResult outcome = off_result(rules, state); outcome.kind != Kind::none) return outcome;
    if (rules.closed_area) {
        // The side that has just played closed its area first.
        const bool theirs = closes_area(state.theirs, state.mine);
        if (theirs || closes_area(state.mine, state.theirs)) {
            if (!rules.closed_area_wins) return {Kind::tie, Winner::nobody, 0};
            GameResult outcome = won(rules, state, theirs ? Winner::other : Winner::on_roll);
            outcome.kind = Kind::closed_area;
            return outcome;
        }
    }
    return {};
}

bool has_contact(const Ruleset& rules, const State& state) {
    const int mine = rearmost(state.mine);
    const int theirs = rearmost(state.theirs);
    if (mine == 0 || theirs == 0) return false;
    return (range(1, mine) & rules.mirrored(range(1, theirs))) != 0;
}

State swapped(const State& state) {
    State other = state;
    std::swap(other.mine, other.theirs);
    std::swap(other.pinned_mine, other.pinned_theirs);
    std::swap(other.turns_mine, other.turns_theirs);
    std::swap(other.i_started, other.they_started);
    std::swap(other.my_mother_lost, other.their_mother_lost);
    other.black_on_roll = !state.black_on_roll;
    return other;
}

State board_after(const Ruleset& rules, const State& state, Counts mine, Mask hits) {
    State next = state;
    next.mine = mine;
    for (; hits != 0; hits &= hits - 1) next.theirs += one(kBar) - one(rules.mirrored(lowest(hits)));
    if (rules.contact == Contact::pin) {
        next.pinned_theirs = rules.mirrored(occupied(mine) & kPoints & ~next.pinned_mine) & occupied(next.theirs);
    }
    return next;
}

Throw element(const Ruleset& rules, const State& state, int first, int second) {
    const Pending& owed = state.pending;
    if (owed.steps != 0) return {owed.die, owed.second != 0 ? owed.second : owed.die, owed.steps};
    const int high = std::max(first, second);
    const int low = std::min(first, second);
    return {high, low, high == low ? rules.double_steps : 2};
}

State after(const Ruleset& rules, const State& state, const Throw& dice, const Played& played) {
    State next = board_after(rules, state, played.mine, played.hits);
    if (played.mother_taken) {
        next.their_mother_lost = !next.my_mother_lost;
        next.my_mother_lost = false;
    }
    if (played.ended) {
        pass_turn(rules, next);
        return next;
    }
    Pending owed = state.pending;
    owed.head = left_head(rules, state, played.mine);
    if (owed.choose_double) {
        if (played.used == dice.steps || rules.one_two_bonus == OneTwoBonus::always) {
            next.pending = {};
        } else {
            pass_turn(rules, next);
        }
    } else if (owed.any()) {
        finish_element(rules, next, owed, played.used);
    } else if (dice.same() && progresses(rules, state)) {
        Pending first;
        first.die = static_cast<std::uint8_t>(dice.high);
        first.steps = static_cast<std::uint8_t>(dice.steps);
        first.rest = dice.high < 6;
        first.head = owed.head;
        finish_element(rules, next, first, played.used);
    } else {
        finish_simple(rules, next, dice, played, owed.head);
    }
    return next;
}

}  // namespace sheshbesh
