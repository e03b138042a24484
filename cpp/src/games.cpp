#include "sheshbesh/games.h"

#include <algorithm>
#include <stdexcept>

#include "sheshbesh/rows.h"

namespace sheshbesh {

Game::Game(const Ruleset& rules, const GameOptions& options, std::uint64_t seed)
    : rules_(&rules), options_(options), random_(seed) {}

void Game::restart(Generator& generator) {
    state_ = start(*rules_, random_.below(2) == 1);
    decisions_ = 0;
    throw_dice(generator, options_.first_double);
}

void Game::throw_dice(Generator& generator, bool may_double) {
    if (state_.pending.choose_double) {
        dice_ = Throw{};
        plays_.clear();
        return;
    }
    int first = 0;
    int second = 0;
    do {
        first = static_cast<int>(random_.below(6)) + 1;
        second = static_cast<int>(random_.below(6)) + 1;
    } while (first == second && !may_double);
    dice_ = element(*rules_, state_, first, second);
    plays_ = generator.plays(*rules_, state_, dice_);
}

Game::Outcome Game::step(Generator& generator, std::size_t action) {
    if (naming()) {
        const int number = static_cast<int>(action) + 1;
        dice_ = element(*rules_, state_, number, number);
        plays_ = generator.plays(*rules_, state_, dice_);
        return {};
    }
    const bool black = state_.black_on_roll;
    state_ = position_after(*rules_, state_, dice_, plays_[action]);
    const GameResult over = result(*rules_, state_);
    if (over.kind != Kind::none) {
        plays_.clear();
        const bool on_roll_decided = state_.black_on_roll == black;
        const int sign = over.winner == Winner::nobody                         ? 0
                         : (over.winner == Winner::on_roll) == on_roll_decided ? 1
                                                                               : -1;
        return {sign * over.points, true, false};
    }
    if (++decisions_ >= options_.longest) {
        plays_.clear();
        return {0, false, true};
    }
    throw_dice(generator, true);
    return {};
}

void Game::recall(Generator& generator, const Memory& memory) {
    random_ = memory.random;
    state_ = memory.state;
    dice_ = memory.dice;
    decisions_ = memory.decisions;
    plays_.clear();
    if (!naming() && result(*rules_, state_).kind == Kind::none) plays_ = generator.plays(*rules_, state_, dice_);
}

State Game::after(std::size_t action) const {
    return naming() ? state_ : position_after(*rules_, state_, dice_, plays_[action]);
}

std::size_t most_actions(const Ruleset& rules) {
    constexpr std::size_t kDoubles = 6;
    const std::size_t n = rules.checkers;
    return std::max({(n + 4) * (n + 3) * (n + 2) * (n + 1) / 24, n * n + 3 * n + 1, kDoubles});
}

Games::Games(const Ruleset& rules, const GameOptions& options, std::size_t count, std::uint64_t seed)
    : observations(count * row::kObservation),
      masks(count * most_actions(rules)),
      actions(count),
      rewards(count),
      ended(count),
      truncated(count),
      illegal(count),
      rules_(rules),
      width_(most_actions(rules)),
      random_(seed) {
    if (count == 0) throw std::invalid_argument("at least one game is played");
    games_.reserve(count);
    Random seeds(seed ^ 0x5DEECE66Dull);
    for (std::size_t i = 0; i < count; ++i) games_.emplace_back(rules_, options, seeds.next());
    reset();
}

void Games::reset() {
    std::fill(rewards.begin(), rewards.end(), 0.0f);
    std::fill(ended.begin(), ended.end(), std::uint8_t{0});
    std::fill(truncated.begin(), truncated.end(), std::uint8_t{0});
    std::fill(illegal.begin(), illegal.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < size(); ++i) {
        games_[i].restart(generator_);
        show(i);
    }
}

void Games::step(std::span<const std::int32_t> chosen) {
    if (chosen.size() != size()) throw std::invalid_argument("one action a game is needed");
    for (std::size_t i = 0; i < size(); ++i) {
        Game& game = games_[i];
        const std::int32_t action = chosen[i];
        illegal[i] = action < 0 || static_cast<std::size_t>(action) >= game.actions();
        const Game::Outcome outcome =
            illegal[i] != 0 ? Game::Outcome{} : game.step(generator_, static_cast<std::size_t>(action));
        rewards[i] = static_cast<float>(outcome.reward);
        ended[i] = outcome.ended;
        truncated[i] = outcome.truncated;
        if (outcome.ended || outcome.truncated) game.restart(generator_);
        show(i);
    }
}

Games::Memory Games::memory() const {
    Memory memory{random_, {}};
    memory.games.reserve(size());
    for (const Game& game : games_) memory.games.push_back(game.memory());
    return memory;
}

void Games::recall(const Memory& memory) {
    if (memory.games.size() != size()) throw std::invalid_argument("that is the memory of another number of games");
    random_ = memory.random;
    for (std::size_t i = 0; i < size(); ++i) {
        games_[i].recall(generator_, memory.games[i]);
        show(i);
    }
}

void Games::choose_at_random(std::span<std::int32_t> chosen) {
    if (chosen.size() != size()) throw std::invalid_argument("one action a game is needed");
    for (std::size_t i = 0; i < size(); ++i) {
        chosen[i] = static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(actions[i])));
    }
}

void Games::show(std::size_t index) {
    const Game& game = games_[index];
    std::uint8_t* const observation = observations.data() + index * row::kObservation;
    write_row(game.state(), observation);
    observation[row::kDice] = static_cast<std::uint8_t>(game.dice().high);
    observation[row::kDice + 1] = static_cast<std::uint8_t>(game.dice().low);
    observation[row::kDice + 2] = static_cast<std::uint8_t>(game.dice().steps);
    // Only the places that change are written: a mask has thousands, and a throw some twenty plays.
    const auto before = static_cast<std::size_t>(actions[index]);
    const std::size_t now = game.actions();
    std::int8_t* const mask = masks.data() + index * width_;
    if (now > before) std::fill(mask + before, mask + now, std::int8_t{1});
    if (now < before) std::fill(mask + now, mask + before, std::int8_t{0});
    actions[index] = static_cast<std::int32_t>(now);
}

}  // namespace sheshbesh
