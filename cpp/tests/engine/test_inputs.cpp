// What a net sees, against a slow reading of the same positions.
#include <algorithm>
#include <vector>

#include "../check.h"
#include "../shapes.h"
#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/inputs.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh::test {
namespace {

// Positions on the way of random games, and the final ones.
template <class Visit>
void for_random_positions(const Ruleset& rules, Random& random, int plays_wanted, Visit visit) {
    Generator generator;
    State state = start(rules, false);
    for (int i = 0; i < plays_wanted; ++i) {
        visit(state);
        const int first = static_cast<int>(random.below(6)) + 1;
        const int second = state.pending.choose_double ? first : static_cast<int>(random.below(6)) + 1;
        const Throw dice = element(rules, state, first, second);
        const auto& plays = generator.plays(rules, state, dice);
        if (plays.empty()) {
            state = start(rules, random.below(2) == 1);
            continue;
        }
        const Play chosen = plays[random.below(static_cast<std::uint32_t>(plays.size()))];
        state = position_after(rules, state, dice, chosen);
    }
}

int slot(const Slots& slots, int number) { return slots[static_cast<std::size_t>(number)]; }

// The derived slots of a side, by loops over single points.
struct Plain {
    int ahead = 0;
    std::array<int, kShotDistances> shots{};
    int prime = 0;
    int behind = 0;
    int hits = 0;
    int loss = 0;
    int ways = 0;
};

// What each throw reaches, die by die and checker by checker.
struct Reader {
    std::vector<int> enemies;  // their places, 25 for bar and hand
    int waiting = 0;
    std::array<bool, 26> closed{};
    std::array<bool, 26> blot{};

    void walk(int place, const std::vector<int>& dice, std::size_t next, int& highest) const {
        for (; next < dice.size(); ++next) {
            place -= dice[next];
            if (place < 1 || closed[static_cast<std::size_t>(place)]) return;
            if (blot[static_cast<std::size_t>(place)]) highest = std::max(highest, place);
        }
    }

    // The highest blot that these dice, in this order, can land on; 0 for none.
    int highest(const std::vector<int>& dice) const {
        int found = 0;
        if (waiting > 1) {
            walk(25, {dice.front()}, 0, found);
            return found;
        }
        std::size_t next = 0;
        std::vector<int> places = enemies;
        if (waiting == 1) {
            const int entered = 25 - dice.front();
            if (closed[static_cast<std::size_t>(entered)]) return 0;
            walk(25, {dice.front()}, 0, found);
            std::replace(places.begin(), places.end(), 25, entered);
            next = 1;
        }
        for (const int place : places) walk(place, dice, next, found);
        return found;
    }

    bool runs(int place, int first, int second) const {
        const auto open = [&](int point) { return point < 1 || !closed[static_cast<std::size_t>(point)]; };
        return open(place - first) && open(place - first - second);
    }

    void read(int steps, int rearmost, Plain& seen) const {
        int pips = 0;
        for (int first = 1; first <= 6; ++first) {
            for (int second = 1; second <= 6; ++second) {
                const auto doubled = std::vector<int>(static_cast<std::size_t>(steps), first);
                const int hit =
                    first == second ? highest(doubled) : std::max(highest({first, second}), highest({second, first}));
                seen.hits += hit > 0 ? 1 : 0;
                pips += hit;
                const bool runs_on = runs(rearmost, first, second) || runs(rearmost, second, first);
                seen.ways += rearmost > 0 && runs_on ? 1 : 0;
            }
        }
        seen.loss = pips / 24;
    }
};

Plain read_plainly(const Ruleset& rules, Counts own, Counts enemy, Mask own_pinned, Mask enemy_pinned) {
    Plain seen;
    const auto enemy_place = [](int index) { return index > 24 ? 25 : index; };
    const auto enemy_on = [&](int point) {
        return point == 25 ? count(enemy, kBar) + count(enemy, kHand) : count(enemy, point);
    };
    int my_rearmost = 0;
    for (int i = 1; i <= kBar; ++i) {
        if (count(own, i) > 0) my_rearmost = std::max(my_rearmost, enemy_place(i));
    }
    for (int point = 1; point <= 24; ++point) {
        if (count(enemy, point) > 0 && rules.mirrored(point) < my_rearmost) seen.ahead += count(enemy, point);
    }
    const int wall = rules.contact == Contact::block ? 1 : 2;
    Reader reader;
    auto& closed = reader.closed;
    for (int point = 1; point <= 24; ++point) {  // the enemy's numbers
        const int mine = rules.mirrored(point);
        const bool over = (enemy_pinned & bit(point)) != 0;
        closed[static_cast<std::size_t>(point)] = count(own, mine) >= wall || (count(own, mine) == 1 && over) ||
                                                  (count(own, mine) == 1 && (own_pinned & bit(mine)) != 0);
        const bool blot = count(own, mine) == 1 && (own_pinned & bit(mine)) == 0 && !over;
        reader.blot[static_cast<std::size_t>(point)] = blot && rules.contact != Contact::block;
        for (int distance = 1; blot && rules.contact != Contact::block && distance <= kShotDistances; ++distance) {
            if (point + distance <= 25 && enemy_on(point + distance) > 0) {
                ++seen.shots[static_cast<std::size_t>(distance - 1)];
            }
        }
    }
    int enemy_rearmost = 0;
    for (int point = 1; point <= 25; ++point) {
        if (enemy_on(point) > 0) enemy_rearmost = point;
        if (enemy_on(point) > 0) reader.enemies.push_back(point);
    }
    reader.waiting = rules.contact == Contact::hit ? count(enemy, kBar) : 0;
    reader.read(rules.double_steps, enemy_rearmost, seen);
    int run = 0;
    int first_end = 0;
    for (int point = 1; point < enemy_rearmost; ++point) {
        run = closed[static_cast<std::size_t>(point)] ? run + 1 : 0;
        if (run > seen.prime) {
            seen.prime = run;
            first_end = point;
        }
    }
    for (int point = first_end + 1; seen.prime > 0 && point <= 25; ++point) seen.behind += enemy_on(point);
    return seen;
}

void compare(const Ruleset& rules, const State& state, const Slots& slots) {
    for (int side = 0; side < 2; ++side) {
        const Counts own = side == 0 ? state.mine : state.theirs;
        const Counts enemy = side == 0 ? state.theirs : state.mine;
        const Mask own_pinned = side == 0 ? state.pinned_mine : state.pinned_theirs;
        const Mask enemy_pinned = side == 0 ? state.pinned_theirs : state.pinned_mine;
        for (int i = 0; i < kSideSlots; ++i) CHECK_EQUAL(slot(slots, count_slot(side, i)), count(own, i));
        for (int p = 1; p <= 24; ++p) {
            const bool pinned = rules.contact == Contact::pin && (own_pinned & bit(p)) != 0;
            CHECK_EQUAL(slot(slots, pin_slot(side, p)), pinned ? 1 : 0);
        }
        const Plain plain = read_plainly(rules, own, enemy, own_pinned, enemy_pinned);
        CHECK_EQUAL(slot(slots, derived_slot(side, 0)), std::min(pips(own) / 4, 63));
        CHECK_EQUAL(slot(slots, derived_slot(side, 1)), plain.ahead);
        CHECK_EQUAL(slot(slots, derived_slot(side, 2)), std::clamp((pips(enemy) - pips(own)) / 4, 0, 39));
        for (int d = 0; d < kShotDistances; ++d) {
            CHECK_EQUAL(slot(slots, derived_slot(side, 3 + d)), std::min(plain.shots[static_cast<std::size_t>(d)], 3));
        }
        CHECK_EQUAL(slot(slots, derived_slot(side, 3 + kShotDistances)), std::min(plain.prime, 7));
        CHECK_EQUAL(slot(slots, derived_slot(side, 4 + kShotDistances)), plain.behind);
        CHECK_EQUAL(slot(slots, derived_slot(side, 5 + kShotDistances)), plain.hits);
        CHECK_EQUAL(slot(slots, derived_slot(side, 6 + kShotDistances)), std::min(plain.loss, 36));
        CHECK_EQUAL(slot(slots, derived_slot(side, 7 + kShotDistances)), plain.ways);
    }
}

}  // namespace

TEST("slots hold what a slow reading finds") {
    Random random(31);
    for (const Ruleset& rules : {hitting(), pinning(), blocking(), long_blocking()}) {
        const Extractor extractor(rules);
        for_random_positions(rules, random, 3000, [&](const State& state) {
            Slots slots;
            slots.fill(0xAA);
            extractor.extract(state, slots);
            compare(rules, state, slots);
        });
    }
}

TEST("values stay in their slots, and the other side sees them exchanged") {
    Random random(32);
    for (int i = 0; i < 40; ++i) {
        const Ruleset rules = random_rules(random);
        const Extractor extractor(rules);
        for_random_positions(rules, random, 100, [&](const State& state) {
            Slots slots;
            Slots other;
            extractor.extract(state, slots);
            extractor.extract(swapped(state), other);
            for (int s = 0; s < kSlots; ++s) CHECK(slot(slots, s) < slot_values(s));
            for (int index = 0; index < kSideSlots; ++index) {
                CHECK_EQUAL(slot(slots, count_slot(0, index)), slot(other, count_slot(1, index)));
            }
            for (int which = 0; which < kDerivedPerSide; ++which) {
                CHECK_EQUAL(slot(slots, derived_slot(0, which)), slot(other, derived_slot(1, which)));
            }
        });
    }
}

TEST("units: none for zero, a row of its own for every value") {
    const int all = unit_count();
    std::vector<int> seen(static_cast<std::size_t>(all), 0);
    for (int s = 0; s < kSlots; ++s) {
        CHECK(units(s, 0).empty());
        CHECK(!slot_name(s).empty());
        std::vector<std::vector<std::pair<int, int>>> rows;
        for (int value = 0; value < slot_values(s); ++value) {
            std::vector<std::pair<int, int>> row;
            for (const Unit& unit : units(s, value)) {
                CHECK(unit.index >= 0 && unit.index < all);
                CHECK(unit.times >= 1 && unit.times <= unit_scale()[static_cast<std::size_t>(unit.index)]);
                seen[static_cast<std::size_t>(unit.index)] = s + 1;
                row.emplace_back(unit.index, unit.times);
            }
            CHECK(std::ranges::find(rows, row) == rows.end());
            rows.push_back(row);
        }
    }
    CHECK(std::ranges::find(seen, 0) == seen.end());
}

TEST("every result of every game has its class") {
    Random random(33);
    Generator generator;
    for (int i = 0; i < 60; ++i) {
        const Ruleset rules = random_rules(random);
        const ClassTable classes(rules);
        CHECK(classes.size() <= kMaxClasses);
        const std::vector<float> money = classes.money();
        int finished = 0;
        for_random_positions(rules, random, 400, [&](const State& state) {
            const GameResult outcome = result(rules, state);
            if (outcome.kind == Kind::none) return;
            ++finished;
            const int index = classes.index(outcome);
            CHECK(index >= 0 && index < classes.size());
            const int sign = outcome.winner == Winner::nobody ? 0 : outcome.winner == Winner::on_roll ? 1 : -1;
            CHECK_EQUAL(money[static_cast<std::size_t>(index)], static_cast<float>(sign * outcome.points));
            CHECK_EQUAL(classes.flipped(classes.flipped(index)), index);
            CHECK(outcome.winner == Winner::nobody || classes.flipped(index) != index);
        });
    }
}

}  // namespace sheshbesh::test
