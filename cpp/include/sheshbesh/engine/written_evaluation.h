// A hand-written evaluation of positions, without a net: the baseline that a net must beat.
//
// It is a weighted sum of what can be seen on the board, in pips. It is independent of the game: what is dangerous and
// what closes a point follows from the axes of the rules, and weights are data.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

// What is seen of each side; a weight is the equity, in pips, of one more of it.
enum class Feature : std::uint8_t {
    pips,         // own pips to go
    off,          // checkers borne off
    home,         // checkers in the home quarter or off
    closed,       // points closed to enemies that still have to pass them
    closed_home,  // those of them in the home quarter
    wall,         // squared lengths of the runs of such points
    trapped,      // enemies behind the longest of them, times its length beyond 3
    pile,         // checkers beyond the third on a point
    start,        // checkers on the starting point or in hand
    deep,         // checkers on the two last points, while there is contact
    captive,      // enemies pinned
    captive_far,  // points that those still had to go, in quarters of the board
    bar,          // own checkers on the bar, times 1 + points the enemy has closed before them
    danger,       // pips to be lost with blots in reach of an enemy about to throw, times their chance
    threat,       // the same for the side that is about to throw itself
    tempo,        // to be on roll
};
constexpr int kFeatures = static_cast<int>(Feature::tempo) + 1;

std::string_view name(Feature feature);

// About how often a lone checker is reached from a distance of 0 to 25 pips on an open board.
constexpr std::array<float, 26> kReached = {0,     0.31f, 0.33f, 0.39f, 0.42f, 0.42f, 0.47f, 0.17f, 0.17f,
                                            0.14f, 0.08f, 0.06f, 0.08f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f,
                                            0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f};

class WrittenEvaluation {
public:
    using Weights = std::array<float, kFeatures>;

    WrittenEvaluation(const Ruleset& rules, const Weights& weights);

    const Ruleset& rules() const { return rules_; }

    // The equity of a position to the side on roll, before it throws; a finished game counts more than
    // anything on a board.
    float value(const State& state) const;

private:
    struct Side;
    float seen(const Side& own, const Side& enemy, bool on_roll) const;
    float exposed(const Side& own, const Side& enemy) const;
    float weight(Feature feature) const { return weights_[static_cast<std::size_t>(feature)]; }

    Ruleset rules_;
    Weights weights_;
};

}  // namespace sheshbesh
