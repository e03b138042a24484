// Players for games in bulk: by a net, a search, a hand-written evaluation or at random.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sheshbesh/engine/search.h"
#include "sheshbesh/engine/static_evaluator.h"
#include "sheshbesh/engine/written_evaluation.h"
#include "sheshbesh/random.h"

namespace sheshbesh {

// A throw to be played, or a double to be named and played. The positions after the plays of a throw, in the
// order of the generator, are a run of the candidates that are handed over with it; there is at least one.
struct Decision {
    struct Choice {
        Throw dice;
        std::size_t last = 0;  // where the candidates of this throw end
    };

    State before;
    std::array<Choice, 6> choices;
    std::size_t size = 0;  // of them
    std::size_t first = 0;
    std::size_t last = 0;
    Random* chance = nullptr;  // of the game, for players that choose at random
    std::size_t chosen = 0;    // among the candidates: the answer

    void add(const Throw& dice, std::size_t last_of_it) { choices[size++] = {dice, last_of_it}; }
};

class Player {
public:
    Player() = default;
    Player(const Player&) = delete;
    Player(Player&&) = delete;
    Player& operator=(const Player&) = delete;
    Player& operator=(Player&&) = delete;
    virtual ~Player() = default;

    // Chooses a play in each decision. What is chosen in one does not depend on the others: they come
    // together so that a net sees them as one batch.
    virtual void choose(std::span<const State> candidates, std::span<Decision> decisions) = 0;
};

// Takes the best for money by static value; the earliest of equals.
class GreedyPlayer : public Player {
public:
    explicit GreedyPlayer(StaticEvaluator evaluator)
        : evaluator_(std::move(evaluator)), money_(evaluator_.classes(), evaluator_.classes().money()) {}
    void choose(std::span<const State> candidates, std::span<Decision> decisions) override;

private:
    StaticEvaluator evaluator_;
    Utility money_;
    std::vector<float> values_;
};

// Takes the best for money as the searcher finds it, to the depth of its options.
class SearchPlayer : public Player {
public:
    explicit SearchPlayer(Searcher searcher)
        : searcher_(std::move(searcher)),
          money_(searcher_.evaluator().classes(), searcher_.evaluator().classes().money()) {}
    void choose(std::span<const State> candidates, std::span<Decision> decisions) override;

private:
    Searcher searcher_;
    Utility money_;
};

// Takes what a hand-written valuation likes best; the earliest of equals.
class WrittenPlayer : public Player {
public:
    explicit WrittenPlayer(const WrittenEvaluation& values) : values_(values) {}
    void choose(std::span<const State> candidates, std::span<Decision> decisions) override;

private:
    WrittenEvaluation values_;
};

class RandomPlayer : public Player {
public:
    void choose(std::span<const State> candidates, std::span<Decision> decisions) override;
};

}  // namespace sheshbesh
