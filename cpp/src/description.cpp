#include "sheshbesh/description.h"

#include <algorithm>
#include <numeric>

namespace sheshbesh {

namespace {

constexpr std::array kSides = {Colour::white, Colour::black};

constexpr std::array<std::string_view, kFaults> kFaultNames = {
    "id.long", "id.side", "id.stack", "id.pin", "id.most", "id.few", "id.field", "id.order", "id.turns",
    "count",   "bar",     "hand",     "pinned", "high",    "under",  "shared",   "name",     "several",
    "starter", "mother",  "head",     "choose", "owed",    "chain",  "then",     "simple",
};

std::size_t at(int index) { return static_cast<std::size_t>(index); }
std::size_t at(Colour side) { return static_cast<std::size_t>(side); }

// One of White's points as both sides see it.
struct Here {
    std::array<int, 2> own{};
    std::array<int, 2> counts{};
    std::array<bool, 2> pinned{};

    bool is_shared() const { return counts[0] > 0 && counts[1] > 0; }
};

Here look(const Ruleset& rules, const Description& description, int point) {
    Here here;
    here.own = {point, rules.mirrored(point)};
    for (const Colour side : kSides) {
        const OneSide& checkers = description.sides[at(side)];
        here.counts[at(side)] = checkers.counts[at(here.own[at(side)])];
        here.pinned[at(side)] = (checkers.pinned & bit(here.own[at(side)])) != 0;
    }
    return here;
}

// Takes the one that is alone where two colours share a point for the pinned one.
void infer_pins(const Ruleset& rules, Description& description) {
    for (int point = 1; point <= 24; ++point) {
        const Here here = look(rules, description, point);
        const auto [fewer, more] = std::minmax(here.counts[0], here.counts[1]);
        if (fewer != 1 || more < 2 || here.pinned[0] || here.pinned[1]) continue;
        const Colour side = here.counts[0] == 1 ? Colour::white : Colour::black;
        description.sides[at(side)].pinned |= bit(here.own[at(side)]);
    }
}

void check_point(const Ruleset& rules, const Description& description, int point, std::vector<Problem>& problems) {
    const Here here = look(rules, description, point);
    if (rules.contact != Contact::pin) {
        if (here.is_shared()) problems.push_back({.fault = Fault::shared, .point = point});
    } else if (!here.is_shared()) {
        for (const Colour side : kSides) {
            if (here.pinned[at(side)]) problems.push_back({.fault = Fault::under, .side = side, .point = point});
        }
    } else if (here.pinned[0] == here.pinned[1]) {
        problems.push_back({.fault = Fault::name, .point = point});
    } else if (const int below = here.counts[here.pinned[0] ? 0 : 1]; below != 1) {
        problems.push_back({.fault = Fault::several, .n = below, .point = point});
    }
}

}  // namespace

std::string_view fault_name(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

Description described(const State& state) {
    const Colour mine = state.black_on_roll ? Colour::black : Colour::white;
    const Colour other = state.black_on_roll ? Colour::white : Colour::black;
    Description description;
    description.turn = mine;
    const auto take = [&](Colour side, Counts counts, Mask pinned, int turns, bool started, bool lost) {
        OneSide& one = description.sides[at(side)];
        for (int index = 0; index <= kBar; ++index) one.counts[at(index)] = count(counts, index);
        one.pinned = pinned;
        one.turns = turns;
        if (started) description.starter = side;
        if (lost) description.mother_lost = side;
    };
    take(other, state.theirs, state.pinned_theirs, state.turns_theirs, state.they_started, state.their_mother_lost);
    take(mine, state.mine, state.pinned_mine, state.turns_mine, state.i_started, state.my_mother_lost);
    description.pending = state.pending;
    return description;
}

std::vector<Problem> checker_problems(const Ruleset& rules, Description& description) {
    if (rules.contact == Contact::pin) infer_pins(rules, description);
    std::vector<Problem> problems;
    for (const Colour side : kSides) {
        const OneSide& one = description.sides[at(side)];
        const int total = std::accumulate(one.counts.begin(), one.counts.end(), 0);
        const auto add = [&](Fault fault, int n, int most = 0, int point = 0) {
            problems.push_back({.fault = fault, .side = side, .n = n, .most = most, .point = point});
        };
        if (total != rules.checkers) add(Fault::count, total, rules.checkers);
        const int on_bar = one.counts[at(kBar)];
        const int in_hand = one.counts[at(kHand)];
        if (on_bar != 0 && rules.contact != Contact::hit) add(Fault::bar, on_bar);
        if (in_hand != 0 && rules.hand == 0) add(Fault::hand, in_hand);
        if (one.pinned != 0 && rules.contact != Contact::pin) add(Fault::pinned, 0);
        for (int own = 1; own <= 24 && rules.stack_cap != 0; ++own) {
            if (one.counts[at(own)] <= rules.stack_cap) continue;
            add(Fault::high, one.counts[at(own)], rules.stack_cap, side == Colour::white ? own : rules.mirrored(own));
        }
    }
    for (int point = 1; point <= 24; ++point) check_point(rules, description, point, problems);
    return problems;
}

std::vector<Problem> history_problems(const Ruleset& rules, const Description& description) {
    std::vector<Problem> problems;
    const auto add = [&](Fault fault, int n = 0) { problems.push_back({.fault = fault, .n = n}); };
    if (description.starter && !rules.last_roll_tie) add(Fault::starter);
    if (description.mother_lost && rules.mother != Mother::plays_on) add(Fault::mother);
    const Pending& owed = description.pending;
    if (!owed.any()) return problems;
    const bool has_exception = rules.head_exception != HeadException::none;
    const int most = rules.head_limit == 0 ? 0 : rules.head_limit + static_cast<int>(has_exception);
    if (owed.head > most) add(Fault::head, most);
    if (owed.choose_double) {
        if (rules.one_two_bonus == OneTwoBonus::off) add(Fault::choose);
        return problems;
    }
    const bool has_chains = rules.progression_from != 0;
    if (!has_chains && !rules.forfeit_simple) {
        add(Fault::owed);
        return problems;
    }
    if (owed.rest && !has_chains) add(Fault::chain);
    if (owed.then_throw && !rules.unused_to_opponent) add(Fault::then);
    if (owed.second != 0 && !rules.forfeit_simple) add(Fault::simple);
    return problems;
}

bool stands_at_start(const Ruleset& rules, const OneSide& side) {
    if (side.counts[at(kHand)] != rules.hand) return false;
    for (int own = 1; own <= 24; ++own) {
        if (side.counts[at(own)] != count(rules.setup, own)) return false;
    }
    return true;
}

void suppose_turns(const Ruleset& rules, Description& description) {
    for (OneSide& side : description.sides) side.turns = stands_at_start(rules, side) ? 0 : rules.turns_remembered();
}

State state_of(const Ruleset& rules, const Description& description) {
    const Colour mine = description.turn;
    const Colour other = mine == Colour::white ? Colour::black : Colour::white;
    const std::optional<Colour> starter =
        !description.starter && rules.last_roll_tie ? Colour::white : description.starter;
    const auto packed = [&](Colour side) {
        Counts counts = 0;
        for (int index = 0; index <= kBar; ++index) {
            counts |= static_cast<Counts>(description.sides[at(side)].counts[at(index)]) << (4 * index);
        }
        return counts;
    };
    const auto turns = [&](Colour side) { return static_cast<std::uint8_t>(description.sides[at(side)].turns); };
    State state;
    state.mine = packed(mine);
    state.theirs = packed(other);
    state.pinned_mine = description.sides[at(mine)].pinned;
    state.pinned_theirs = description.sides[at(other)].pinned;
    state.turns_mine = turns(mine);
    state.turns_theirs = turns(other);
    state.black_on_roll = mine == Colour::black;
    state.i_started = starter == mine;
    state.they_started = starter == other;
    state.my_mother_lost = description.mother_lost == mine;
    state.their_mother_lost = description.mother_lost == other;
    state.pending = description.pending;
    return state;
}

}  // namespace sheshbesh
