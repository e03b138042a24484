// A move filter: a cheap estimate of which plays of a throw the net should value at all.
//
// It is linear in what stands where after the play, learned by least squares from plays that a static evaluator has
// valued, and so made anew for each position that is rolled out. It only orders the plays of one throw.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sheshbesh/movegen.h"

namespace sheshbesh {

class MoveFilter {
public:
    explicit MoveFilter(const Ruleset& rules);

    // Adds the plays of one throw: the positions after them and their equities for the player who moved.
    void add_sample(const State& before, std::span<const State> after, std::span<const double> equities);
    // Fits the weights to the samples so far, by least squares.
    void fit();

    // Looks at a position before plays of it are scored.
    void look(const State& before);
    // How good the play seems, to be compared among the plays of the position looked at.
    float score(const Play& play) const { return score(play.mine, play.hits); }

private:
    // What is counted, by own index: at least 1 .. kSteps checkers, at least two in front of an enemy, two
    // points made side by side, an enemy hit; and by quarter how a lone checker is exposed.
    static constexpr int kIndices = kBar + 1;
    static constexpr int kSteps = 4;
    static constexpr int kExposures = 4;
    static constexpr int kWall = kIndices * kSteps;
    static constexpr int kPair = kWall + kIndices;
    static constexpr int kHit = kPair + kIndices;
    static constexpr int kLone = kHit + kIndices;
    static constexpr int kFeatures = kLone + 4 * kExposures;

    static constexpr std::size_t kPhases = 5;

    struct Feature {
        int number;
        float value;
    };
    // Each phase of the game has weights of its own.
    struct Phase {
        std::vector<double> products;  // kFeatures rows
        std::vector<double> targets;
        std::array<float, kFeatures> weights{};
    };

    std::size_t phase_of(const State& state) const;
    void read_enemies(const State& state);
    int features(Counts mine, Mask hits, std::array<Feature, 160>& found) const;
    void fit(Phase& phase) const;
    float score(Counts mine, Mask hits) const;

    Ruleset rules_;
    std::array<Phase, kPhases> phases_;
    std::vector<double> sums_;

    // Of the position looked at.
    std::array<std::array<float, kExposures>, kIndices> exposure_{};  // of a lone checker there
    Mask behind_ = 0;                                                 // points with an enemy still to come past them
    const Phase* phase_ = nullptr;
    Counts before_ = 0;
    std::array<std::array<float, 16>, kIndices> stand_{};  // score of each number of checkers there
};

}  // namespace sheshbesh
