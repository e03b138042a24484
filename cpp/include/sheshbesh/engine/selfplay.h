// Games of an engine against itself or another, in bulk: what training learns from and what gates
// promotions.
#pragma once

#include <cstdint>
#include <vector>

#include "sheshbesh/engine/judge.h"

namespace sheshbesh {

struct SelfPlayOptions {
    int games = 1000;
    std::uint64_t seed = 0;
    float lambda = 0.0f;        // of the return: 1 the game's result, 0 the value of the next position
    float explore = 0.0f;       // chance that a play is chosen at random; the trace is cut there
    int random_plies = 0;       // up to so many random plays open a game (uniform 0 .. n)
    int longest_game = 1000;    // given up beyond; such games yield targets from values only
    float keep = 1.0f;          // share of the positions that become samples
    std::vector<State> starts;  // positions to start from, in turn; empty: the start of the game
};

// `slots` has kPositionSlots bytes a sample, `targets` one probability a class, both for the side on
// roll; all samples of one game lie together.
struct Samples {
    std::vector<std::uint8_t> slots;
    std::vector<float> targets;
    std::vector<std::uint8_t> rules;  // kRuleSlots bytes, the same for all
    std::uint64_t games = 0;
    std::uint64_t plays = 0;
    std::vector<std::uint64_t> results;  // games ended in each class, seen by White
};

Samples self_play(Judge& judge, const SelfPlayOptions& options);

// Games between two judges, mirrored: each sequence of dice is played twice with the seats exchanged.
struct DuelResult {
    std::uint64_t pairs = 0;
    double points = 0;       // won by the first less those it lost, over both games of all pairs
    double squares = 0;      // sum over pairs of (points of the pair)²
    double staked = 0;       // points won by either: (staked + points) / 2 are the first's
    std::uint64_t wins = 0;  // games won by the first
    std::uint64_t ties = 0;  // drawn, or given up beyond `longest_game`
};

// `second` may be null: an opponent that chooses among the legal plays at random.
DuelResult duel(Judge& first, Judge* second, std::uint64_t pairs, std::uint64_t seed, int longest_game = 1000);

}  // namespace sheshbesh
