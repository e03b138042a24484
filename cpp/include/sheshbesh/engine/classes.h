// The ways a game of a rule set can end, as a numbered list: what a net predicts and what every
// value is made of. Which classes exist and what they pay is read from the scoring axes.
//
// Order, from the side on roll: its wins, cheapest first (`wins` entries), the other side's wins in
// the same order, then the tie where the rules have one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

constexpr int kMaxClasses = 64;

struct ResultClass {
    Kind kind = Kind::none;
    int points = 0;

    bool operator==(const ResultClass&) const = default;
};

// How high a way to win stands: 1 plain, 2 a gammon, 3 the third class (backgammon, home mars, koks). A mother and a
// closed area stand where their points do; `counted`: a win pays a point for each checker left, and all are plain.
int height(const ResultClass& win, bool counted);

class ClassTable {
public:
    ClassTable() = default;
    explicit ClassTable(const Ruleset& rules);

    int size() const { return static_cast<int>(2 * wins_.size()) + (tie_ ? 1 : 0); }
    int wins() const { return static_cast<int>(wins_.size()); }
    bool has_tie() const { return tie_; }
    const std::vector<ResultClass>& win_classes() const { return wins_; }
    // Whether a win pays a point for each checker left, so that there are no gammons.
    bool counted() const { return counted_; }
    int height(int win) const { return sheshbesh::height(wins_[static_cast<std::size_t>(win)], counted_); }

    // The class of a finished game, seen by the side on roll in the final position.
    int index(const GameResult& outcome) const;

    // The number of the same class as the other side sees it.
    int flipped(int index) const {
        const int half = wins();
        return index < half ? index + half : index < 2 * half ? index - half : index;
    }
    // Values of all classes as the other side sees them; `in` and `out` may not overlap.
    void flip(const float* in, float* out) const {
        for (int i = 0; i < size(); ++i) out[flipped(i)] = in[i];
    }

    // Takes out of probabilities, seen by the side on roll, what can no longer be: most results ask that the loser
    // have borne off at most a given number. The chance to win stays; a side's other wins share what is taken, in
    // proportion.
    void leave_possible(const State& state, float* probabilities) const;

    // Points the side on roll gains in each class, cube 1, no match: cubeless money.
    std::vector<float> money() const;

    bool operator==(const ClassTable&) const = default;

private:
    std::vector<ResultClass> wins_;
    std::vector<int> most_off_;  // of the loser's checkers, for each win
    bool tie_ = false;
    bool counted_ = false;
};

}  // namespace sheshbesh
