// The static value of a position: the result if the game is over, the bear-off database where it covers it,
// else the net. Everything that searches or plays asks here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/cube_model.h"
#include "sheshbesh/engine/evaluator.h"

namespace sheshbesh {

// Probabilities for some positions, exact or close to it; see bearoff.h. Immutable and shared between threads.
class ExactValues {
public:
    ExactValues() = default;
    virtual ~ExactValues() = default;
    // Whether it covers the position; if so, `out` gets the classes as in Evaluator::evaluate.
    virtual bool lookup(const State& state, float* out) const = 0;
    // With the cube, where that is known exactly.
    virtual std::optional<CubefulEquities> cubeful(const State& /*state*/) const { return std::nullopt; }

protected:
    ExactValues(const ExactValues&) = default;
    ExactValues(ExactValues&&) = default;
    ExactValues& operator=(const ExactValues&) = default;
    ExactValues& operator=(ExactValues&&) = default;
};

// One per thread.
class StaticEvaluator {
public:
    StaticEvaluator(Evaluator evaluator, std::vector<std::shared_ptr<const ExactValues>> databases = {});

    const Ruleset& rules() const { return evaluator_.rules(); }
    const ClassTable& classes() const { return evaluator_.classes(); }

    // As Evaluator::evaluate, with results and databases, and without results that can no longer be.
    void evaluate(std::span<const State> states, float* out);

    // Whether the value is known without the net: the game is over or a database covers the position. If so,
    // `out` gets it, and nothing searches further: a database is more accurate than any search here.
    bool exact(const State& state, float* out) const;

    // The value with the cube, where a database has it exactly.
    std::optional<CubefulEquities> cubeful(const State& state) const;

    // How many positions the net has evaluated so far.
    std::uint64_t evaluations() const { return evaluations_; }

private:
    Evaluator evaluator_;
    std::vector<std::shared_ptr<const ExactValues>> databases_;
    std::uint64_t evaluations_ = 0;
    std::vector<State> asked_;
    std::vector<std::size_t> where_;
    std::vector<float> values_;
};

// The equity of each class to one side. Both directions are kept, so that either side can be on roll.
class Utility {
public:
    // `mine[i]`: equity of class i for the player this utility is for, with that player on roll.
    Utility(const ClassTable& classes, std::vector<float> mine);

    // Value to the player of probabilities seen by the side on roll; `own`: whether that is the player.
    float equity(const float* probabilities, bool own) const;
    std::span<const float> values(bool own) const { return own ? mine_ : theirs_; }
    // The mean size of the result, by either side.
    float stake(const float* probabilities, bool own) const;

private:
    std::vector<float> mine_;
    std::vector<float> theirs_;  // the same for the same player, with the other side on roll
};

// One way the dice can fall before the side on roll plays; where it names a double itself, `chosen` is
// set and the weights mean nothing.
struct Chance {
    Throw dice;
    float weight = 1.0f;  // of 36 equally likely throws, as a share of 1; the shares sum to 1
    bool chosen = false;
};

// The different throws of a position: 21, one element that is owed, or six doubles to choose from.
std::vector<Chance> chances(const Ruleset& rules, const State& state);

}  // namespace sheshbesh
