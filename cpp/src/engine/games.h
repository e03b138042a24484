// What all games in bulk share: chance of their own for each, and how a throw is made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

// The throws a player chooses plays from: the one that came, or all doubles where it names one.
struct Thrown {
    std::array<Throw, 6> all;
    std::size_t size = 0;

    void add(const Throw& dice) { all[size++] = dice; }
    std::span<const Throw> choices() const { return std::span(all).first(size); }
};

inline Thrown next_throw(const Ruleset& rules, const State& state, Random& random) {
    Thrown thrown;
    if (state.pending.steps != 0) {
        thrown.add(element(rules, state, 0, 0));
    } else if (state.pending.choose_double) {
        for (int die = 1; die <= 6; ++die) thrown.add(element(rules, state, die, die));
    } else {
        const int first = static_cast<int>(random.below(6)) + 1;
        const int second = static_cast<int>(random.below(6)) + 1;
        thrown.add(element(rules, state, first, second));
    }
    return thrown;
}

}  // namespace sheshbesh
