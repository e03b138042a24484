#include "sheshbesh/engine/move_filter.h"

#include <algorithm>
#include <cstddef>

namespace sheshbesh {

namespace {

// Keeps weights small of which little was seen.
constexpr double kRidge = 0.5;

}  // namespace

MoveFilter::MoveFilter(const Ruleset& rules) : rules_(rules), sums_(kFeatures) {
    for (Phase& phase : phases_) {
        phase.products.resize(static_cast<std::size_t>(kFeatures) * kFeatures);
        phase.targets.resize(kFeatures);
    }
}

// Races, else by which sides still have checkers in the other's home.
std::size_t MoveFilter::phase_of(const State& state) const {
    const Mask mine = occupied(state.mine);
    const Mask theirs = occupied(state.theirs);
    const Mask entering = bit(kBar) | bit(kHand);
    const bool waiting = ((mine | theirs) & entering) != 0;
    if (!waiting && rules_.movement == Movement::contrary &&
        (mine == 0 || theirs == 0 || top(mine) < lowest(rules_.mirrored(theirs & kPoints)))) {
        return 0;
    }
    const bool mine_back = (mine & (kStartQuarter | entering)) != 0;
    const bool theirs_back = (theirs & (kStartQuarter | entering)) != 0;
    return std::size_t{1} + (mine_back ? 1 : 0) + (theirs_back ? 2 : 0);
}

// Where enemies are that may come to my points; they move up my numbers, in games of contrary movement.
void MoveFilter::read_enemies(const State& state) {
    for (auto& exposure : exposure_) exposure.fill(0);
    behind_ = 0;
    std::array<int, 26> enemies{};
    enemies[0] = count(state.theirs, kBar) + count(state.theirs, kHand);
    for (int point = 1; point <= 24; ++point) {
        enemies[static_cast<std::size_t>(rules_.mirrored(point))] = count(state.theirs, point);
    }
    int passed = 0;
    for (int point = 1; point <= 24; ++point) {
        passed += enemies[static_cast<std::size_t>(point - 1)];
        if (passed == 0) continue;
        behind_ |= bit(point);
        int near = 0;
        int far = 0;
        for (int distance = 1; distance <= std::min(point, 12); ++distance) {
            (distance <= 6 ? near : far) += std::min(enemies[static_cast<std::size_t>(point - distance)], 2);
        }
        exposure_[static_cast<std::size_t>(point)] = {1.0f, static_cast<float>(std::min(near, 1)),
                                                      static_cast<float>(std::min(near, 5)),
                                                      static_cast<float>(std::min(far, 3))};
    }
}

int MoveFilter::features(Counts mine, Mask hits, std::array<Feature, 160>& found) const {
    int size = 0;
    const auto add = [&](int number, float value) { found[static_cast<std::size_t>(size++)] = {number, value}; };
    const Mask made = stacked(mine) & kPoints;
    for (Mask left = occupied(mine) | bit(kOff); left != 0; left &= left - 1) {
        const int index = lowest(left);
        const int checkers = count(mine, index);
        // Those off may be many: each counts.
        if (index == kOff) {
            add(index * kSteps, static_cast<float>(checkers));
            continue;
        }
        for (int step = 0; step < std::min(checkers, kSteps); ++step) add(index * kSteps + step, 1);
        if (checkers > 1 && (behind_ & bit(index)) != 0) add(kWall + index, 1);
        if (checkers == 1 && index <= 24 && (behind_ & bit(index)) != 0) {
            const auto& exposure = exposure_[static_cast<std::size_t>(index)];
            for (int i = 0; i < kExposures; ++i) {
                add(kLone + (index - 1) / 6 * kExposures + i, exposure[static_cast<std::size_t>(i)]);
            }
        }
    }
    for (Mask pairs = made & (made >> 1); pairs != 0; pairs &= pairs - 1) add(kPair + lowest(pairs), 1);
    for (; hits != 0; hits &= hits - 1) add(kHit + lowest(hits), 1);
    return size;
}

void MoveFilter::add_sample(const State& before, std::span<const State> after, std::span<const double> equities) {
    if (after.size() < 2) return;
    Phase& phase = phases_[phase_of(before)];
    read_enemies(before);
    double equity_mean = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::array<Feature, 160> found;
    const auto row = [&](int number) { return phase.products.data() + static_cast<std::size_t>(number) * kFeatures; };
    for (std::size_t i = 0; i < after.size(); ++i) {
        // The position after the play is seen by the enemy, unless the turn goes on.
        const bool passed = after[i].black_on_roll != before.black_on_roll;
        const Counts mine = passed ? after[i].theirs : after[i].mine;
        const Counts theirs = passed ? after[i].mine : after[i].theirs;
        Mask hits = 0;
        const Mask gone = occupied(before.theirs) & ~occupied(theirs) & kPoints;
        if (rules_.contact == Contact::hit) hits = rules_.mirrored(gone);
        const int size = features(mine, hits, found);
        equity_mean += equities[i] / static_cast<double>(after.size());
        for (int a = 0; a < size; ++a) {
            const Feature& one = found[static_cast<std::size_t>(a)];
            const auto value = static_cast<double>(one.value);
            sums_[static_cast<std::size_t>(one.number)] += value;
            phase.targets[static_cast<std::size_t>(one.number)] += value * equities[i];
            double* products = row(one.number);
            for (int b = 0; b < size; ++b) {
                const Feature& other = found[static_cast<std::size_t>(b)];
                products[other.number] += value * static_cast<double>(other.value);
            }
        }
    }
    // Only differences between plays of one throw are to be explained.
    for (int a = 0; a < kFeatures; ++a) {
        const double value = sums_[static_cast<std::size_t>(a)];
        if (value == 0) continue;
        phase.targets[static_cast<std::size_t>(a)] -= value * equity_mean;
        double* products = row(a);
        for (int b = 0; b < kFeatures; ++b) {
            products[b] -= value * sums_[static_cast<std::size_t>(b)] / static_cast<double>(after.size());
        }
    }
}

void MoveFilter::fit() {
    for (Phase& phase : phases_) fit(phase);
}

// Solves the normal equations by the LDL decomposition, in a fixed order and without roots.
void MoveFilter::fit(Phase& phase) const {
    constexpr auto kSize = static_cast<std::size_t>(kFeatures);
    std::vector<double> lower = phase.products;
    std::vector<double> solution = phase.targets;
    std::vector<double> scaled(kSize);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return lower[i * kSize + j]; };
    for (std::size_t i = 0; i < kSize; ++i) at(i, i) += kRidge;
    for (std::size_t j = 0; j < kSize; ++j) {
        for (std::size_t k = 0; k < j; ++k) scaled[k] = at(j, k) * at(k, k);
        for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * scaled[k];
        for (std::size_t i = j + 1; i < kSize; ++i) {
            for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * scaled[k];
            at(i, j) /= at(j, j);
        }
    }
    for (std::size_t i = 0; i < kSize; ++i) {
        for (std::size_t k = 0; k < i; ++k) solution[i] -= at(i, k) * solution[k];
    }
    for (std::size_t i = 0; i < kSize; ++i) solution[i] /= at(i, i);
    for (std::size_t i = kSize; i-- > 0;) {
        for (std::size_t k = i + 1; k < kSize; ++k) solution[i] -= at(k, i) * solution[k];
    }
    std::transform(solution.begin(), solution.end(), phase.weights.begin(),
                   [](double value) { return static_cast<float>(value); });
}

void MoveFilter::look(const State& before) {
    phase_ = &phases_[phase_of(before)];
    read_enemies(before);
    before_ = before.mine;
    const auto weight = [&](int number) { return phase_->weights[static_cast<std::size_t>(number)]; };
    for (int index = 1; index < kIndices; ++index) {
        auto& stand = stand_[static_cast<std::size_t>(index)];
        const bool wall = (behind_ & bit(index)) != 0;
        float sum = 0;
        for (int checkers = 1; checkers <= kMaxCheckers; ++checkers) {
            if (checkers <= kSteps) sum += weight(index * kSteps + checkers - 1);
            float equity = sum;
            if (wall && checkers > 1) equity += weight(kWall + index);
            if (wall && checkers == 1 && index <= 24) {
                const auto& exposure = exposure_[static_cast<std::size_t>(index)];
                for (int i = 0; i < kExposures; ++i) {
                    equity += weight(kLone + (index - 1) / 6 * kExposures + i) * exposure[static_cast<std::size_t>(i)];
                }
            }
            stand[static_cast<std::size_t>(checkers)] = equity;
        }
    }
    for (int checkers = 0; checkers <= kMaxCheckers; ++checkers) {
        stand_[kOff][static_cast<std::size_t>(checkers)] = weight(0) * static_cast<float>(checkers);
    }
}

float MoveFilter::score(Counts mine, Mask hits) const {
    // What the play leaves as it was is the same for all plays.
    float sum = stand_[kOff][static_cast<std::size_t>(count(mine, kOff))];
    for (Mask left = occupied(mine ^ before_); left != 0; left &= left - 1) {
        const int index = lowest(left);
        const auto& stand = stand_[static_cast<std::size_t>(index)];
        sum += stand[static_cast<std::size_t>(count(mine, index))] -
               stand[static_cast<std::size_t>(count(before_, index))];
    }
    const Mask made = stacked(mine) & kPoints;
    for (Mask pairs = made & (made >> 1); pairs != 0; pairs &= pairs - 1) {
        sum += phase_->weights[static_cast<std::size_t>(kPair + lowest(pairs))];
    }
    for (; hits != 0; hits &= hits - 1) sum += phase_->weights[static_cast<std::size_t>(kHit + lowest(hits))];
    return sum;
}

}  // namespace sheshbesh
