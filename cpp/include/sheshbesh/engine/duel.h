// Games between two players, mirrored: each sequence of dice is played twice with the seats exchanged.
#pragma once

#include <cstdint>

#include "sheshbesh/engine/player.h"

namespace sheshbesh {

struct DuelOptions {
    std::uint64_t pairs = 0;
    std::uint64_t seed = 0;
    std::uint64_t first_pair = 0;  // pairs are numbered: parts of a long duel are those of the whole
    int longest_game = 1000;       // plays; a game beyond counts as drawn
};

// Sums over pairs of games; x is what the first player won less what it lost in a pair, s what both won.
// All are whole numbers, so parts of a duel add up to the same as the whole.
struct DuelResult {
    std::uint64_t pairs = 0;
    double points = 0;          // of x
    double squares = 0;         // of x²
    double staked = 0;          // of s: (staked + points) / 2 are the first player's
    double staked_squares = 0;  // of s²
    double products = 0;        // of x s
    std::uint64_t wins = 0;     // games won by the first
    std::uint64_t ties = 0;     // drawn, or given up beyond `longest_game`
};

DuelResult duel(const Ruleset& rules, Player& first, Player& second, const DuelOptions& options);

}  // namespace sheshbesh
