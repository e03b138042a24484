// What all games in bulk share: chance of their own for each, and how a throw is made.
#pragma once

#include <cstdint>

#include "sheshbesh/random.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// Games played side by side, so that a net sees all their candidates as one batch. A game has its own
// chance and a value does not depend on its batch: the number of seats changes no result.
constexpr int kSeats = 24;

// The chance of one game for one purpose.
inline Random stream(std::uint64_t seed, std::uint64_t number, std::uint64_t purpose) {
    Random mixer(seed * 0x9E3779B97F4A7C15ull + number * 4 + purpose);
    return Random(mixer.next() ^ (mixer.next() << 1));
}

inline Throw next_throw(const Ruleset& rules, const State& state, Random& random) {
    if (state.pending.steps != 0) return element(rules, state, 0, 0);
    const int first = static_cast<int>(random.below(6)) + 1;
    const int second = state.pending.choose_double ? first : static_cast<int>(random.below(6)) + 1;
    return element(rules, state, first, second);
}

}  // namespace sheshbesh
