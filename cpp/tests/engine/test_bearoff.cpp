// The databases of the bear-off: that nothing they leave out is ever asked, and that each value follows
// from the next ones by one throw of the generator itself. With the ends that makes every value right.
#include "sheshbesh/engine/bearoff.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "../check.h"
#include "../shapes.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh::test {
namespace {

Counts random_home(Random& random, int checkers, int left) {
    Counts side = Counts{static_cast<unsigned>(checkers - left)};
    for (int i = 0; i < left; ++i) side += one(number(random, 1, 6));
    return side;
}

std::uint32_t index_of(Counts side) { return HomeIndex::of(HomeIndex::word(side)); }

// A race in which nobody need be home.
State random_race(Random& random, int checkers) {
    const int rearmost = number(random, 1, 23);
    const auto side = [&](int farthest) {
        const int left = number(random, 1, checkers);
        Counts counts = Counts{static_cast<unsigned>(checkers - left)};
        for (int i = 0; i < left; ++i) counts += one(number(random, 1, farthest));
        return counts;
    };
    const Counts mine = side(rearmost);
    return position(mine, side(24 - rearmost));
}

// Rules of which the two-sided database holds every race.
Ruleset racing(Random& random) {
    Ruleset rules = hitting();
    const Ruleset other = random_rules(random);
    rules.checkers = number(random, 1, kRaceCheckers);
    rules.dice_duty = other.dice_duty;
    rules.duty_tie = other.duty_tie;
    rules.overshoot = other.overshoot;
    rules.inside_moves = other.inside_moves;
    rules.forced_bearoff = other.forced_bearoff;
    rules.double_steps = other.double_steps;
    rules.score_gammon = other.score_gammon;
    rules.score_koks = other.score_koks;
    rules.score_left = other.score_left;
    return rules;
}

// Any rules, but for those that have no database.
Ruleset coverable(Random& random, int checkers) {
    Ruleset rules = random_rules(random);
    rules.checkers = static_cast<std::uint8_t>(checkers);
    rules.progression_from = 0;
    rules.forfeit_simple = false;
    rules.one_two_bonus = OneTwoBonus::off;
    rules.last_roll_tie = false;
    return rules;
}

Ruleset plain(int checkers) {
    Ruleset rules = hitting();
    rules.checkers = static_cast<std::uint8_t>(checkers);
    return rules;
}

template <class Visit>
void for_each_throw(const Ruleset& rules, Visit visit) {
    for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low) {
            visit(Throw{high, low, high == low ? rules.double_steps : 2}, (high == low ? 1.0 : 2.0) / 36.0);
        }
    }
}

std::vector<Counts> boards(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice) {
    std::vector<Counts> found;
    for (const Play& play : generator.plays(rules, state, dice)) {
        CHECK_EQUAL(play.hits, Mask{0});
        const State next = position_after(rules, state, dice, play);
        CHECK(next.theirs == play.mine && next.mine == state.theirs && !next.pending.any());
        CHECK(next.black_on_roll != state.black_on_roll);
        found.push_back(play.mine);
    }
    std::ranges::sort(found);
    return found;
}

struct Databases {
    std::shared_ptr<const OneSided> one;
    std::shared_ptr<const TwoSided> two;
};

std::shared_ptr<const OneSided> make_one(const Ruleset& rules) {
    return OneSided::parse(generate_bearoff(rules, Sides::one, {}), rules);
}
std::shared_ptr<const TwoSided> make_two(const Ruleset& rules) {
    return TwoSided::parse(generate_bearoff(rules, Sides::two, {}), rules);
}
// That of plain(15), the largest here, made once.
const std::shared_ptr<const TwoSided>& two_of_fifteen() {
    static const std::shared_ptr<const TwoSided> made = make_two(plain(15));
    return made;
}

}  // namespace

TEST("home positions are numbered without gaps, and every step leads down") {
    std::vector<bool> seen(home_positions(15), false);
    CHECK_EQUAL(home_positions(15), 54264u);
    CHECK_EQUAL(home_positions(6), 924u);
    const auto visit = [&](const auto& self, Counts side, int point, int left) -> void {
        if (point == 0) {
            const std::uint32_t index = index_of(side);
            CHECK(index < seen.size() && !seen[index]);
            seen[index] = true;
            for (int from = 1; from <= 6; ++from) {
                if (count(side, from) == 0) continue;
                for (int to = 0; to < from; ++to) CHECK(index_of(side - one(from) + one(to)) < index);
            }
            return;
        }
        for (int here = 0; here <= left; ++here) {
            self(self, side + static_cast<Counts>(here) * (one(point) - one(kOff)), point - 1, left - here);
        }
    };
    visit(visit, Counts{15}, 6, 15);
    CHECK(std::ranges::all_of(seen, [](bool was) { return was; }));
}

TEST("once all are home, plays and results ask for nothing that the databases leave out") {
    Random random(11);
    Generator generator;
    for (int i = 0; i < 3000; ++i) {
        context() = "rules " + std::to_string(i);
        const int checkers = number(random, 1, 15);
        const Ruleset rules = coverable(random, checkers);
        const Ruleset home = bearoff_rules(rules);
        const State state = position(random_home(random, checkers, number(random, 1, checkers)),
                                     random_home(random, checkers, number(random, 1, checkers)));
        State other = state;
        other.theirs = random_home(random, checkers, number(random, 1, checkers));
        other.turns_mine = number(random, 0, rules.turns_remembered());
        const int high = number(random, 1, 6);
        const Throw dice = element(rules, state, high, number(random, 1, 6));
        const std::vector<Counts> found = boards(generator, rules, state, dice);
        CHECK(found == boards(generator, rules, other, dice));
        CHECK(found == boards(generator, home, state, dice));

        State finished = state;
        finished.mine = Counts{rules.checkers};
        const GameResult outcome = result(rules, finished);
        const BearoffWins wins(rules, checkers);
        const auto left = static_cast<std::size_t>(checkers - count(state.theirs, kOff));
        CHECK(outcome.winner == Winner::on_roll);
        CHECK(outcome.kind == wins.result[left].kind && outcome.points == wins.result[left].points);
    }
    context().clear();
}

TEST("races are numbered without gaps, every step leads down, and whom a position meets is out of contact") {
    const Ruleset rules = plain(3);
    const Pairs pairs(rules);
    CHECK(pairs.races());
    CHECK_EQUAL(pairs.sides().size(), std::size_t{2600});
    CHECK_EQUAL(pairs.size(), std::size_t{593125});
    for (std::uint32_t index = 0; index < pairs.sides().size(); ++index) {
        const Counts side = pairs.sides()[index];
        CHECK_EQUAL(total(side), 3);
        CHECK(pairs.number(side) == index);
        for (int from = 1; from <= 23; ++from) {
            if (count(side, from) == 0) continue;
            for (int to = 0; to < from; ++to) {
                CHECK(pairs.number(side - one(from) + one(to)).value_or(index) < index);
            }
        }
        for (std::uint32_t other = 1; other < pairs.sides().size(); ++other) {
            const bool apart = !has_contact(rules, position(side, pairs.sides()[other]));
            CHECK_EQUAL(other < pairs.met_by(index), apart);
        }
    }
    CHECK(!pairs.number(board({{24, 1}, {1, 2}})) && !pairs.number(board({{kBar, 1}, {1, 2}})));
}

TEST("in a race of three checkers, plays and results ask for nothing that the database leaves out") {
    Random random(15);
    Generator generator;
    for (int i = 0; i < 3000; ++i) {
        context() = "rules " + std::to_string(i);
        const Ruleset rules = racing(random);
        CHECK(holds_races(rules));
        const State state = random_race(random, rules.checkers);
        State other = state;
        other.theirs = Counts{rules.checkers} - 1 + one(1);
        other.turns_mine = number(random, 0, rules.turns_remembered());
        const int high = number(random, 1, 6);
        const Throw dice = element(rules, state, high, number(random, 1, 6));
        CHECK(boards(generator, rules, state, dice) == boards(generator, rules, other, dice));

        State finished = state;
        finished.mine = Counts{rules.checkers};
        const GameResult outcome = result(rules, finished);
        const Pairs pairs(rules);
        const GameResult& known = pairs.results()[pairs.slot(pairs.number(state.theirs).value_or(0))];
        CHECK(outcome.winner == Winner::on_roll && outcome.kind == known.kind && outcome.points == known.points);
    }
    context().clear();
}

TEST("each average of turns follows from the next ones by the best play of every throw") {
    Random random(12);
    Generator generator;
    for (int i = 0; i < rounds(12); ++i) {
        context() = "rules " + std::to_string(i);
        const int checkers = i == 0 ? 15 : number(random, 3, 8);
        Ruleset rules = i == 0 ? plain(checkers) : coverable(random, checkers);
        rules.score_left = ScoreLeft::off;
        const auto database = make_one(rules);
        CHECK_EQUAL(database->average(0), 0.0f);
        for (int j = 0; j < 200; ++j) {
            const int left = number(random, 1, checkers);
            const State state = position(random_home(random, checkers, left), Counts{rules.checkers} - 1 + one(3));
            const std::uint32_t index = index_of(state.mine);
            const float average = database->average(index);
            if (!(average < OneSided::kNever)) continue;
            double sum = 1.0;
            double pass = 0.0;
            double first = 0.0;  // the chance that no checker is off after one turn
            for_each_throw(rules, [&](const Throw& dice, double weight) {
                float best = OneSided::kNever;
                Counts chosen = 0;
                for (const Play& play : generator.plays(rules, state, dice)) {
                    const float next = database->average(index_of(play.mine));
                    if (chosen == 0 || next < best) chosen = play.mine;
                    best = std::min(best, next);
                }
                if (chosen == state.mine) {
                    pass += weight;
                } else {
                    sum += weight * static_cast<double>(best);
                }
                if (count(chosen, kOff) == 0) first += weight;
            });
            CHECK(std::abs(sum / (1.0 - pass) - static_cast<double>(average)) < 1e-4);
            // The chances belong to that average, and are chances.
            const OneSided::Turns turns = database->to_end(index);
            double mean = 0.0;
            for (int n = 1; turns.at(n) > 0.0f; ++n) {
                CHECK(turns.at(n) <= 1.0f && turns.at(n + 1) <= turns.at(n));
                mean += static_cast<double>(turns.at(n));
            }
            CHECK(std::abs(mean - static_cast<double>(average)) < 1e-3);
            if (left == checkers) {
                const OneSided::Turns begun = database->to_first(index);
                CHECK(std::abs(static_cast<double>(begun.at(2)) - first) < 1e-5);
                for (int n = 1; n < 40; ++n) CHECK(begun.at(n) <= turns.at(n) + 1e-6f);
            }
        }
    }
    context().clear();
}

TEST("the checkers left after each turn follow from the next ones by the best play of every throw") {
    Random random(14);
    Generator generator;
    for (int i = 0; i < 6; ++i) {
        context() = "rules " + std::to_string(i);
        const int checkers = number(random, 3, 8);
        Ruleset rules = coverable(random, checkers);
        rules.score_left = ScoreLeft::count;
        const auto database = make_one(rules);
        // The chance of a number of checkers left; `turns` may be 0.
        const auto chance_of = [&](std::uint32_t index, int turns, int left) {
            if (turns == 0 || index == 0) {
                const bool above = left == 0 || index >= home_positions(left - 1);
                return index < home_positions(left) && above ? 1.0 : 0.0;
            }
            const OneSided::Left found = database->left(index, turns);
            const int place = left - found.fewest;
            const bool inside = place >= 0 && place < static_cast<int>(found.chances.size());
            return inside ? static_cast<double>(found.chances[static_cast<std::size_t>(place)]) : 0.0;
        };
        for (int j = 0; j < 60; ++j) {
            const State state = position(random_home(random, checkers, number(random, 1, checkers)),
                                         Counts{rules.checkers} - 1 + one(3));
            const std::uint32_t index = index_of(state.mine);
            if (!(database->average(index) < OneSided::kNever)) continue;
            for (int turns = 1; turns < 4; ++turns) {
                double all = 0.0;
                for (int left = 1; left <= checkers; ++left) {
                    double sum = 0.0;
                    for_each_throw(rules, [&](const Throw& dice, double weight) {
                        std::uint32_t best = index;
                        for (const Play& play : generator.plays(rules, state, dice)) {
                            const std::uint32_t next = index_of(play.mine);
                            const float gain = database->average(best) - database->average(next);
                            if (best == index || gain > 2e-6f || (gain > -2e-6f && next < best)) best = next;
                        }
                        sum += weight * chance_of(best, turns - 1, left);
                    });
                    CHECK(std::abs(sum - chance_of(index, turns, left)) < 1e-5);
                    all += chance_of(index, turns, left);
                }
                CHECK(std::abs(all - static_cast<double>(database->to_end(index).at(turns + 1))) < 1e-5);
            }
        }
    }
    context().clear();
}

TEST("each two-sided value follows from the next ones by the best play of every throw") {
    Random random(13);
    Generator generator;
    constexpr int kHomes = rounds(40);
    for (int i = 0; i < kHomes + rounds(6); ++i) {
        context() = "rules " + std::to_string(i);
        const bool races = i >= kHomes;
        const Ruleset rules = i == 0        ? plain(15)
                              : i == kHomes ? plain(3)
                              : races       ? racing(random)
                                            : coverable(random, number(random, 1, 4));
        const int checkers = rules.checkers;
        const int most = std::min(checkers, kTwoSidedCheckers);
        const auto two = i == 0 ? two_of_fifteen() : make_two(rules);
        const BearoffDatabase database(rules, nullptr, two);
        const ClassTable classes(rules);
        const std::vector<float> money = classes.money();
        const auto row = static_cast<std::size_t>(classes.size());
        const auto equity = [&](const std::vector<float>& chances) {
            return std::inner_product(chances.begin(), chances.end(), money.begin(), 0.0f);
        };
        // A finished game, seen by the side on roll: the other side has won it.
        const auto value_of = [&](const State& state, std::vector<float>& chances) {
            chances.assign(row, 0.0f);
            const GameResult outcome = result(rules, state);
            if (outcome.kind == Kind::none) return database.lookup(state, chances.data());
            chances[static_cast<std::size_t>(classes.index(outcome))] = 1.0f;
            return true;
        };
        const auto cube_of = [&](const State& state) {
            const GameResult outcome = result(rules, state);
            const auto points = static_cast<float>(-outcome.points);
            return outcome.kind == Kind::none ? database.cubeful(state) : CubefulEquities{points, points, points};
        };
        for (int j = 0; j < (i == 0 || i == kHomes ? 300 : 60); ++j) {
            const State state = races ? random_race(random, checkers)
                                      : position(random_home(random, checkers, number(random, 1, most)),
                                                 random_home(random, checkers, number(random, 1, most)));
            std::vector<float> chances;
            if (!value_of(state, chances)) continue;
            CHECK(std::abs(std::accumulate(chances.begin(), chances.end(), 0.0f) - 1.0f) < 1e-5f);
            const std::optional<CubefulEquities> cubeful = cube_of(state);
            std::vector<float> sum(row, 0.0f);
            CubefulEquities cubed;
            bool whole = true;
            for_each_throw(rules, [&](const Throw& dice, double weight) {
                const auto share = static_cast<float>(weight);
                float best = -100.0f;
                CubefulEquities top{-100.0f, -100.0f, -100.0f};
                std::vector<float> reply;
                std::vector<float> kept(row, 0.0f);
                for (const Play& play : generator.plays(rules, state, dice)) {
                    const State next = position_after(rules, state, dice, play);
                    whole = whole && value_of(next, reply);
                    if (-equity(reply) > best + 1e-6f) {
                        best = -equity(reply);
                        classes.flip(reply.data(), kept.data());
                    }
                    if (!cubeful) continue;
                    const std::optional<CubefulEquities> after = cube_of(next);
                    if (!after) continue;
                    const bool over = result(rules, next).kind != Kind::none;
                    const auto doubled = [&](float undoubled) {
                        return over ? undoubled : std::max(undoubled, std::min(2.0f * after->theirs, 1.0f));
                    };
                    top.centred = std::max(top.centred, -doubled(after->centred));
                    top.owned = std::max(top.owned, -after->theirs);
                    top.theirs = std::max(top.theirs, -doubled(after->owned));
                }
                for (std::size_t k = 0; k < row; ++k) sum[k] += share * kept[k];
                cubed.centred += share * top.centred;
                cubed.owned += share * top.owned;
                cubed.theirs += share * top.theirs;
            });
            if (!whole) continue;
            CHECK(std::abs(equity(sum) - equity(chances)) < 2e-5f);
            if (!cubeful) continue;
            CHECK(std::abs(cubed.centred - cubeful->centred) < 2e-5f);
            CHECK(std::abs(cubed.owned - cubeful->owned) < 2e-5f);
            CHECK(std::abs(cubed.theirs - cubeful->theirs) < 2e-5f);
            CHECK(cubeful->theirs <= cubeful->centred + 1e-6f && cubeful->theirs <= cubeful->owned + 1e-6f);
        }
    }
    context().clear();
}

TEST("what no database covers is left to others") {
    const Ruleset rules = plain(15);
    const BearoffDatabase database(rules, make_one(rules), two_of_fifteen());
    std::vector<float> out(static_cast<std::size_t>(database.classes()));
    const Counts home = board({{kOff, 9}, {6, 6}});
    CHECK(database.lookup(position(home, home), out.data()));
    CHECK(!database.lookup(position(board({{kOff, 14}, {7, 1}}), home), out.data()));
    CHECK(!database.lookup(position(home, board({{kOff, 14}, {kBar, 1}})), out.data()));
    CHECK(!database.lookup(position(Counts{15}, home), out.data()));
    CHECK(!database.lookup(position(home, Counts{15}), out.data()));
    State owed = position(home, home);
    owed.pending.die = owed.pending.steps = 2;
    CHECK(!database.lookup(owed, out.data()));
    State lost = position(home, home);
    lost.their_mother_lost = true;
    CHECK(!database.lookup(lost, out.data()));
}

TEST("three checkers that can still meet, or that other rules hold up in a race, are left to others") {
    const Ruleset rules = plain(3);
    const BearoffDatabase database(rules, make_one(rules), make_two(rules));
    std::vector<float> out(static_cast<std::size_t>(database.classes()));
    const Counts far = board({{12, 2}, {3, 1}});
    CHECK(database.lookup(position(far, far), out.data()) && database.is_exact(position(far, far)));
    CHECK(!database.lookup(position(far, board({{13, 1}, {1, 2}})), out.data()));
    CHECK(!database.lookup(position(board({{24, 1}, {1, 2}}), board({{kOff, 2}, {1, 1}})), out.data()));
    CHECK(!database.lookup(position(far, board({{kBar, 1}, {1, 2}})), out.data()));

    CHECK(!holds_races(plain(4)));
    Ruleset capped = rules;
    capped.stack_cap = 2;
    CHECK(!holds_races(capped));
    for (Ruleset other : {pinning(), blocking(), long_blocking()}) {
        other.checkers = 3;
        CHECK(!holds_races(other));
    }
    Ruleset cheap = rules;
    cheap.score_backgammon = 0;
    CHECK(bearoff_key(cheap, Sides::two) != bearoff_key(rules, Sides::two));
}

TEST("rules without a database say why, and equal bear-offs share theirs") {
    Ruleset rules = plain(15);
    CHECK(bearoff_obstacle(rules, Sides::one).empty());
    Ruleset parallel = blocking();
    CHECK_EQUAL(bearoff_key(rules, Sides::one), bearoff_key(parallel, Sides::one));
    CHECK_EQUAL(bearoff_key(rules, Sides::two), bearoff_key(parallel, Sides::two));
    rules.overshoot = Overshoot::exact;
    CHECK(bearoff_key(rules, Sides::one) != bearoff_key(parallel, Sides::one));
    rules.score_left = ScoreLeft::count;
    CHECK(bearoff_obstacle(rules, Sides::one).empty() && bearoff_obstacle(rules, Sides::two).empty());
    rules.last_roll_tie = true;
    CHECK(!bearoff_obstacle(rules, Sides::two).empty());
    parallel.progression_from = 4;
    CHECK(!bearoff_obstacle(parallel, Sides::two).empty());
    parallel.progression_in_bearoff = false;
    CHECK(bearoff_obstacle(parallel, Sides::two).empty());
}

TEST("a file that is cut, changed, or of other rules is no database") {
    const Ruleset rules = plain(2);  // a small file: each reading sums all of it
    const std::vector<std::byte> file = generate_bearoff(rules, Sides::two, {});
    const auto refused = [](std::span<const std::byte> bytes, const Ruleset& wanted) {
        try {
            TwoSided::parse(bytes, wanted);
        } catch (const BearoffFormatError&) {
            return true;
        }
        return false;
    };
    CHECK(!refused(file, rules));
    CHECK(refused(file, plain(4)));
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> broken = file;
        broken[random.below(static_cast<std::uint32_t>(file.size()))] ^= std::byte{number(random, 1, 255)};
        CHECK(refused(broken, rules));
        CHECK(refused(std::span(file).first(random.below(static_cast<std::uint32_t>(file.size()))), rules));
    }
    for (int cut = 1; cut < 64; ++cut)
        CHECK(refused(std::span(file).first(file.size() - static_cast<std::size_t>(cut)), rules));
}

}  // namespace sheshbesh::test
