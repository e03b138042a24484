#include "sheshbesh/engine/player.h"

#include <span>
#include <vector>

namespace sheshbesh {

namespace {

// The first of the best candidates of a decision.
template <class Value>
std::size_t best_of(const Decision& decision, Value equity) {
    std::size_t found = decision.first;
    float highest = equity(found);
    for (std::size_t i = decision.first + 1; i < decision.last; ++i) {
        const float value = equity(i);
        if (value > highest) {
            found = i;
            highest = value;
        }
    }
    return found;
}

bool keeps_turn(const State& before, const State& after) { return before.black_on_roll == after.black_on_roll; }

}  // namespace

void GreedyPlayer::choose(std::span<const State> candidates, std::span<Decision> decisions) {
    const auto row = static_cast<std::size_t>(evaluator_.classes().size());
    values_.resize(candidates.size() * row);
    evaluator_.evaluate(candidates, values_.data());
    for (Decision& decision : decisions) {
        decision.chosen = best_of(decision, [&](std::size_t i) {
            return money_.equity(values_.data() + i * row, keeps_turn(decision.before, candidates[i]));
        });
    }
}

void SearchPlayer::choose(std::span<const State>, std::span<Decision> decisions) {
    for (Decision& decision : decisions) {
        decision.chosen = decision.first;
        if (decision.last - decision.first < 2) continue;
        std::vector<Throw> throws;
        std::vector<std::size_t> begins;
        std::size_t begin = decision.first;
        for (const Decision::Choice& choice : std::span(decision.choices).first(decision.size)) {
            if (choice.last == begin) continue;
            throws.push_back(choice.dice);
            begins.push_back(begin);
            begin = choice.last;
        }
        const Searcher::Chosen best = searcher_.best_of_throws(decision.before, throws, money_);
        decision.chosen = begins[best.which] + best.candidate.index;
    }
}

void WrittenPlayer::choose(std::span<const State> candidates, std::span<Decision> decisions) {
    for (Decision& decision : decisions) {
        decision.chosen = best_of(decision, [&](std::size_t i) {
            const float value = values_.value(candidates[i]);
            return keeps_turn(decision.before, candidates[i]) ? value : -value;
        });
    }
}

void RandomPlayer::choose(std::span<const State>, std::span<Decision> decisions) {
    for (Decision& decision : decisions) {
        const auto plays = static_cast<std::uint32_t>(decision.last - decision.first);
        decision.chosen = decision.first + decision.chance->below(plays);
    }
}

}  // namespace sheshbesh
