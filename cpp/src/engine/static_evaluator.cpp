#include "sheshbesh/engine/static_evaluator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sheshbesh {

StaticEvaluator::StaticEvaluator(Evaluator evaluator, std::vector<std::shared_ptr<const ExactValues>> databases)
    : evaluator_(std::move(evaluator)), databases_(std::move(databases)) {}

bool StaticEvaluator::exact(const State& state, float* out) const {
    const GameResult outcome = result(rules(), state);
    if (outcome.kind != Kind::none) {
        std::fill_n(out, classes().size(), 0.0f);
        out[classes().index(outcome)] = 1.0f;
        return true;
    }
    return std::any_of(databases_.begin(), databases_.end(),
                       [&](const auto& database) { return database->lookup(state, out); });
}

std::optional<CubefulEquities> StaticEvaluator::cubeful(const State& state) const {
    for (const auto& database : databases_) {
        if (auto known = database->cubeful(state)) return known;
    }
    return std::nullopt;
}

void StaticEvaluator::evaluate(std::span<const State> states, float* out) {
    const auto row = static_cast<std::size_t>(classes().size());
    where_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!exact(states[i], out + i * row)) where_.push_back(i);
    }
    evaluations_ += where_.size();
    if (where_.size() == states.size()) {
        evaluator_.evaluate(states, out);
        for (std::size_t i = 0; i < states.size(); ++i) classes().leave_possible(states[i], out + i * row);
        return;
    }
    asked_.clear();
    for (const std::size_t i : where_) asked_.push_back(states[i]);
    values_.resize(asked_.size() * row);
    evaluator_.evaluate(asked_, values_.data());
    for (std::size_t i = 0; i < where_.size(); ++i) {
        float* value = out + where_[i] * row;
        std::copy_n(values_.data() + i * row, row, value);
        classes().leave_possible(asked_[i], value);
    }
}

Utility::Utility(const ClassTable& classes, std::vector<float> mine) : mine_(std::move(mine)), theirs_(mine_.size()) {
    if (mine_.size() != static_cast<std::size_t>(classes.size())) {
        throw std::invalid_argument("a utility of " + std::to_string(mine_.size()) + " values for a game with " +
                                    std::to_string(classes.size()) + " classes of results");
    }
    classes.flip(mine_.data(), theirs_.data());
}

float Utility::equity(const float* probabilities, bool own) const {
    float sum = 0;
    const std::vector<float>& equities = own ? mine_ : theirs_;
    for (std::size_t i = 0; i < equities.size(); ++i) sum += equities[i] * probabilities[i];
    return sum;
}

float Utility::stake(const float* probabilities, bool own) const {
    float sum = 0;
    const std::vector<float>& equities = own ? mine_ : theirs_;
    for (std::size_t i = 0; i < equities.size(); ++i) sum += std::abs(equities[i]) * probabilities[i];
    return sum;
}

std::vector<Chance> chances(const Ruleset& rules, const State& state) {
    std::vector<Chance> all;
    if (state.pending.steps != 0) {
        all.push_back({element(rules, state, 0, 0)});
        return all;
    }
    const bool chosen = state.pending.choose_double;
    for (int high = 1; high <= 6; ++high) {
        for (int low = chosen ? high : 1; low <= high; ++low) {
            const float share = (high == low ? 1.0f : 2.0f) / 36.0f;
            all.push_back({element(rules, state, high, low), chosen ? 1.0f : share, chosen});
        }
    }
    return all;
}

}  // namespace sheshbesh
