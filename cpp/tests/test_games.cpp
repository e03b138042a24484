// Games for learning: what they show is what the rules say, and rows hold positions whole.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.h"
#include "shapes.h"
#include "sheshbesh/games.h"
#include "sheshbesh/rows.h"

namespace sheshbesh::test {
namespace {

TEST("games under random rules show whole positions and never exceed their masks") {
    Random random(11);
    for (int trial = 0; trial < 60; ++trial) {
        const Ruleset rules = random_rules(random);
        Games games(rules, {true, 200}, 3, random.next());
        std::vector<std::int32_t> actions(games.size());
        for (int step = 0; step < 120; ++step) {
            for (std::size_t i = 0; i < games.size(); ++i) {
                const std::uint8_t* const row = games.observations.data() + i * row::kObservation;
                CHECK(read_row(rules, row) == games[i].state());
                CHECK(games[i].actions() <= games.width());
                const std::int8_t* const mask = games.masks.data() + i * games.width();
                const auto legal = static_cast<std::size_t>(std::count(mask, mask + games.width(), std::int8_t{1}));
                CHECK_EQUAL(legal, games[i].actions());
            }
            games.choose_at_random(actions);
            games.step(actions);
            for (const std::uint8_t refused : games.illegal) CHECK_EQUAL(int{refused}, 0);
        }
    }
}

TEST("a game depends on its seed and on its place among many alone") {
    const Ruleset rules = hitting();
    Games few(rules, {}, 2, 5);
    Games many(rules, {}, 7, 5);
    std::vector<std::int32_t> two(2, 0);
    std::vector<std::int32_t> seven(7, 0);
    for (int step = 0; step < 50; ++step) {
        few.step(two);
        many.step(seven);
        CHECK(few[0].state() == many[0].state());
        CHECK(few[1].state() == many[1].state());
    }
    CHECK(!(few[0].state() == few[1].state()));
}

}  // namespace
}  // namespace sheshbesh::test
