// How values of the core cross to Python and back.
//
// Masks cross as lists of points, boards as lists of 27 counts (see types.h for the indices), steps as
// (origin, die). What no board or pair of dice can hold is refused as std::invalid_argument, a ValueError
// in Python; whether it makes sense in a game is judged in sheshbesh.rules.
#pragma once

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sheshbesh/explain.h"
#include "sheshbesh/state.h"
#include "sheshbesh/turn_graph.h"
#include "sheshbesh/types.h"

namespace sheshbesh {

using Board = std::array<int, 27>;
using StepPairs = std::vector<std::pair<int, int>>;  // origin, die

inline Counts to_counts(const Board& board) {
    Counts counts = 0;
    for (int i = 0; i <= kBar; ++i) {
        const int checkers = board[static_cast<std::size_t>(i)];
        if (checkers < 0 || checkers > kMaxCheckers) throw std::invalid_argument("a count must be 0 to 15");
        counts += static_cast<Counts>(checkers) << (4 * i);
    }
    return counts;
}

inline Board to_board(Counts counts) {
    Board board{};
    for (int i = 0; i <= kBar; ++i) board[static_cast<std::size_t>(i)] = count(counts, i);
    return board;
}

inline Mask to_mask(const std::vector<int>& points) {
    Mask mask = 0;
    for (const int point : points) {
        if (point < 1 || point > 24) throw std::invalid_argument("a point must be 1 to 24");
        mask |= bit(point);
    }
    return mask;
}

inline std::vector<int> to_points(Mask mask) {
    std::vector<int> points;
    for (; mask != 0; mask &= mask - 1) points.push_back(lowest(mask));
    return points;
}

inline std::vector<Step> to_steps(const StepPairs& pairs) {
    std::vector<Step> steps;
    steps.reserve(pairs.size());
    for (const auto& [origin, die] : pairs) steps.push_back({origin, die});
    return steps;
}

inline ShownStep to_shown(int origin, int target, int die) {
    if (origin < 1 || origin > kBar || target < kOff || target > 24 || die < 0 || die > 6) {
        throw std::invalid_argument("a step goes from 1 to 26 to 0 to 24 by a die of 1 to 6, or 0 for whichever");
    }
    return {origin, target, die};
}

// The dice that are played: those thrown, or those of the element that is owed.
inline Throw to_throw(const Ruleset& rules, const State& state, int first, int second) {
    if (first < 1 || first > 6 || second < 1 || second > 6) throw std::invalid_argument("a die shows 1 to 6");
    return element(rules, state, first, second);
}

}  // namespace sheshbesh
