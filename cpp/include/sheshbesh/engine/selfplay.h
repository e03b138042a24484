// Games of an engine against itself, in bulk: what training learns from.
#pragma once

#include <cstdint>
#include <vector>

#include "sheshbesh/engine/search.h"

namespace sheshbesh {

struct SelfPlayOptions {
    int games = 1000;
    std::uint64_t seed = 0;
    float lambda = 0.0f;   // of the return: 1 the game's result, 0 the value of the next position
    float explore = 0.0f;  // chance that a play is chosen at random; the trace is cut there
    // Chance that one of the plays within `near_margin` of the best is, in points of equity times what is at
    // stake. A play whose value is too low is never made otherwise, and so never corrected.
    float near = 0.0f;
    float near_margin = 0.05f;
    int random_plies = 0;     // at most this number of random plays open a game (uniform 0 .. n)
    int longest_game = 1000;  // given up beyond; such games yield targets from values only
    float keep = 1.0f;        // share of the positions that become samples
    // Of those without contact another share is kept, and of those in a database yet another. A position
    // that is not kept for one of these reasons is not looked ahead at either and ends the returns before it.
    float races = 1.0f;
    float known = 1.0f;
    // Shares of the games that begin elsewhere than at the start, after plays without samples, by one side that
    // holds back: with two points in the quarter farthest from home and none of the other side's; with a prime of
    // five points or more that an enemy has yet to pass; with the first checker off and contact left; without contact
    // and with somebody not yet home.
    float holding = 0.0f;
    float priming = 0.0f;
    float late = 0.0f;
    float running = 0.0f;
    // How far a sample's own value looks: 0, the best play of the one throw that came; from 1 on, that many
    // plies ahead over all throws, which takes the luck of the next throw out of the target. With 1 and a
    // lambda the luck of all later throws goes too, and every position is looked at, kept or not.
    int plies = 0;
    // With two plies or more the look-ahead values the best reply to every throw one ply less deep on its way. This
    // share of those positions, each different once, become samples besides; `races` and `known` thin them too.
    float inner = 0.0f;
};

// `slots` has kPositionSlots bytes a sample, `targets` one probability a class, both for the side on
// roll; all samples of one game lie together.
struct Samples {
    std::vector<std::uint8_t> slots;
    std::vector<float> targets;
    std::uint64_t games = 0;
    std::uint64_t plays = 0;
    std::vector<std::uint64_t> results;  // games ended in each class, seen by White
};

Samples self_play(Searcher& searcher, const SelfPlayOptions& options);

}  // namespace sheshbesh
