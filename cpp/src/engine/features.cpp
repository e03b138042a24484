#include "sheshbesh/engine/features.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace sheshbesh {

namespace {

constexpr std::array<std::string_view, kBoardFeatures> kNames = {
    "shots",         "pin_shots",     "exposed",     "dances",         "hindered", "sent_back", "on_bar",
    "pins_held",     "pins_suffered", "home_points", "outside_points", "anchors",  "blocks",    "prime",
    "prime_against", "trapped",       "captives",    "back",           "stuck",    "head",      "runner",
    "stack",         "gaps",          "off",         "race",
};

constexpr int kTrap = 4;  // a run of closed points from this length on holds what is behind it
constexpr int kThrows = 36;

// What a turn that is lost and a pip of a checker that is sent back or held cost.
constexpr double kTurn = 0.20;
constexpr double kPip = 0.02;

// The worth of a closed point by its number: at home, outside, in the other side's home.
constexpr std::array<double, 25> kPointWorth = {0,    0.03, 0.04, 0.06, 0.09, 0.10, 0.08, 0.07, 0.05,
                                                0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03,
                                                0.03, 0.06, 0.12, 0.10, 0.07, 0.05, 0.04};
constexpr Mask kOutside = range(7, 18);

int checkers_on(Counts counts, Mask places) {
    int total = 0;
    for (Mask m = places & occupied(counts); m != 0; m &= m - 1) total += count(counts, lowest(m));
    return total;
}

// The points, in the numbers of their side, on which the other may not land.
Mask closed_by(const Ruleset& rules, Counts counts, Mask enemies_held) {
    const Mask standing = rules.contact == Contact::block ? occupied(counts) : stacked(counts);
    return (standing & kPoints) | rules.mirrored(enemies_held);
}

// The longest run of these points in the numbers of those who walk, and how many are behind it.
Run longest_run(Mask closed, Counts walkers) {
    Run best;
    int length = 0;
    for (int point = 1; point <= 24; ++point) {
        length = (closed & bit(point)) != 0 ? length + 1 : 0;
        const int behind = checkers_on(walkers, range(point + 1, kBar));
        if (length > 0 && behind > 0) best = std::max(best, Run{length, behind});
    }
    return best;
}

int trapped(Run run) { return run.length >= kTrap ? run.behind : 0; }

// The pips that a play of the other side costs: of checkers sent back the way made, of those newly imprisoned the way
// still before them.
int harm_of(const Ruleset& rules, const State& before, const State& after, bool black) {
    const auto side = [black](const State& state) { return state.black_on_roll == black; };
    const Counts then = side(after) ? after.mine : after.theirs;
    const Counts now = side(before) ? before.mine : before.theirs;
    if (rules.contact == Contact::hit) return pips(then) - pips(now);
    const Mask lies = side(after) ? after.pinned_mine : after.pinned_theirs;
    const Mask lay = side(before) ? before.pinned_mine : before.pinned_theirs;
    int total = 0;
    for (Mask m = lies & ~lay; m != 0; m &= m - 1) total += lowest(m);
    return total;
}

// Of 36 throws of a side those that it could not play in full if it threw now.
int stuck_throws(Generator& generator, const Ruleset& rules, const State& state, bool own) {
    State mine = own ? state : swapped(state);
    mine.pending = {};
    int stuck = 0;
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
            const Throw dice = element(rules, mine, high, low);
            const std::vector<Play>& plays = generator.plays(rules, mine, dice);
            const bool whole = std::ranges::any_of(
                plays, [&dice](const Play& play) { return play.ended || play.depth == dice.steps; });
            if (!whole) stuck += high == low ? 1 : 2;
        }
    }
    return stuck;
}

}  // namespace

std::string_view name(BoardFeature feature) { return kNames[static_cast<std::size_t>(feature)]; }

BoardView::BoardView(const Ruleset& game, const State& state, bool own)
    : rules(game),
      mine(own ? state.mine : state.theirs),
      theirs(own ? state.theirs : state.mine),
      held(own ? state.pinned_theirs : state.pinned_mine),
      suffered(own ? state.pinned_mine : state.pinned_theirs),
      closed(closed_by(game, mine, held)),
      closed_before(game.mirrored(closed_by(game, theirs, suffered))),
      has_contact(sheshbesh::has_contact(game, state)) {}

Run BoardView::prime() const { return longest_run(rules.mirrored(closed), theirs); }
Run BoardView::prime_against() const { return longest_run(closed_before, mine); }
int BoardView::lead() const { return pips(theirs) - pips(mine); }

int NextThrow::of(Kind kind) const {
    int total = 0;
    for (const Answer& answer : answers) total += answer.kind == kind ? answer.weight : 0;
    return total;
}

std::optional<NextThrow> next_throw(Generator& generator, const Ruleset& rules, const State& state, bool own) {
    if (own || state.pending.any() || result(rules, state).kind != Kind::none) return std::nullopt;
    NextThrow next;
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
            const Throw dice = element(rules, state, high, low);
            int worst = 0;
            int deepest = 0;
            for (const Play& play : generator.plays(rules, state, dice)) {
                next.reached.push_back(position_after(rules, state, dice, play));
                worst = std::max(worst, harm_of(rules, state, next.reached.back(), !state.black_on_roll));
                deepest = std::max(deepest, play.ended ? dice.steps : static_cast<int>(play.depth));
            }
            const NextThrow::Kind kind = worst > 0              ? NextThrow::harmful
                                         : deepest == 0         ? NextThrow::dancing
                                         : deepest < dice.steps ? NextThrow::partial
                                                                : NextThrow::quiet;
            const int weight = high == low ? 1 : 2;
            next.answers.push_back({weight, kind, next.reached.size()});
            next.pips += static_cast<double>(weight * worst) / kThrows;
        }
    }
    return next;
}

Features measure(Generator& generator, const Ruleset& rules, const State& state, bool own,
                 const std::optional<NextThrow>& next) {
    const BoardView view(rules, state, own);
    Features found;
    const auto add = [&found](BoardFeature feature, double each, double number) {
        found[static_cast<std::size_t>(feature)] = Measured{number, each * number};
    };
    const auto add_points = [&](BoardFeature feature, Mask among) {
        Measured measured{0, 0, view.closed & among};
        for (Mask m = measured.points; m != 0; m &= m - 1) {
            ++measured.number;
            measured.worth += kPointWorth[static_cast<std::size_t>(lowest(m))];
        }
        found[static_cast<std::size_t>(feature)] = measured;
    };
    const bool hits = view.has_contact && rules.contact == Contact::hit;
    const bool pins = view.has_contact && rules.contact == Contact::pin;
    const bool contrary = rules.movement == Movement::contrary;
    const Run prime = view.prime();
    const Run against = view.prime_against();
    if (next && view.has_contact) {
        const int harmful = next->of(NextThrow::harmful);
        if (hits || pins) add(hits ? BoardFeature::shots : BoardFeature::pin_shots, -kTurn / kThrows, harmful);
        if (hits || pins) add(BoardFeature::exposed, -kPip, next->pips);
        add(BoardFeature::dances, kTurn / kThrows, next->of(NextThrow::dancing));
        add(BoardFeature::hindered, kTurn / kThrows / 2, next->of(NextThrow::partial));
    }
    if (hits) {
        add(BoardFeature::sent_back, 0.16, count(view.theirs, kBar));
        add(BoardFeature::on_bar, -0.16, count(view.mine, kBar));
    }
    if (pins) {
        add(BoardFeature::pins_held, 0.30, std::popcount(view.held));
        add(BoardFeature::pins_suffered, -0.30, std::popcount(view.suffered));
    }
    if ((hits || pins) && contrary) {
        add_points(BoardFeature::home_points, kHome);
        add_points(BoardFeature::outside_points, kOutside);
    }
    if (hits && contrary) add_points(BoardFeature::anchors, kStartQuarter);
    if (view.has_contact) {
        if (rules.contact == Contact::block) add(BoardFeature::blocks, 0.03, std::popcount(view.closed));
        add(BoardFeature::prime, 0.04, prime.length);
        add(BoardFeature::prime_against, -0.03, against.length);
        add(BoardFeature::trapped, 0.05, trapped(prime));
        add(BoardFeature::captives, -0.05, trapped(against));
        add(BoardFeature::stuck, -kTurn / kThrows / 2, stuck_throws(generator, rules, state, own));
    }
    if (hits && contrary) {
        add(BoardFeature::back, -0.05, checkers_on(view.mine, range(19, kBar)));
    }
    if (rules.head_limit != 0) add(BoardFeature::head, -0.03, count(view.mine, 24));
    if (rules.runner_to != RunnerTo::none) {
        const int last = rules.runner_to == RunnerTo::home ? 6 : 11;
        const bool arrived = checkers_on(view.mine, range(1, last)) + count(view.mine, kOff) > 0;
        add(BoardFeature::runner, 0.15, arrived ? 1 : 0);
    }
    int tallest = 0;
    for (int point = 1; point <= 24; ++point) tallest = std::max(tallest, count(view.mine, point));
    add(BoardFeature::stack, -0.02, tallest);
    const Mask standing = occupied(view.mine);
    if (!view.has_contact && standing != 0 && (standing & ~kHome) == 0) {
        add(BoardFeature::gaps, -0.03, std::popcount(kHome & ~standing));
    }
    add(BoardFeature::off, 0.08, count(view.mine, kOff));
    add(BoardFeature::race, 0.006, view.lead());
    return found;
}

Features measure(Generator& generator, const Ruleset& rules, const State& state, bool own) {
    return measure(generator, rules, state, own, next_throw(generator, rules, state, own));
}

}  // namespace sheshbesh
