#include "sheshbesh/playout.h"

#include <vector>

#include "sheshbesh/interrupt.h"
#include "sheshbesh/random.h"

namespace sheshbesh {

namespace {

constexpr std::uint64_t kUnchecked = 256;  // decisions between two looks whether to stop

std::uint64_t perft_throw(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice, int depth);

std::uint64_t perft_position(Generator& generator, const Ruleset& rules, const State& state, int depth) {
    if (depth == 0) return 1;
    if (state.pending.steps != 0) return perft_throw(generator, rules, state, element(rules, state, 0, 0), depth);
    std::uint64_t total = 0;
    for (int high = 1; high <= 6; ++high) {
        for (int low = state.pending.choose_double ? high : 1; low <= high; ++low) {
            total += perft_throw(generator, rules, state, element(rules, state, high, low), depth);
        }
    }
    return total;
}

std::uint64_t perft_throw(Generator& generator, const Ruleset& rules, const State& state, const Throw& dice,
                          int depth) {
    const std::vector<Play>& found = generator.plays(rules, state, dice);
    if (depth == 1) return found.size();
    check_interrupt();
    const std::vector<Play> plays = found;  // the generator is used again below
    std::uint64_t total = 0;
    for (const Play& play : plays) {
        total += perft_position(generator, rules, position_after(rules, state, dice, play), depth - 1);
    }
    return total;
}

// The next throw: none to make where an element is owed, any double where one is to be named.
Throw next_throw(const Ruleset& rules, const State& state, Random& random) {
    const int first = static_cast<int>(random.below(6)) + 1;
    const int second = state.pending.choose_double ? first : static_cast<int>(random.below(6)) + 1;
    return element(rules, state, first, second);
}

}  // namespace

std::uint64_t perft(const Ruleset& rules, const State& state, int depth) {
    Generator generator;
    return perft_position(generator, rules, state, depth);
}

PlayoutCount play_at_random(const Ruleset& rules, std::uint64_t decisions, std::uint64_t seed, int longest_game) {
    Generator generator;
    Random random(seed);
    PlayoutCount total;
    State state = start(rules, false);
    int length = 0;
    while (total.decisions < decisions) {
        if (total.decisions % kUnchecked == 0) check_interrupt();
        const Throw dice = next_throw(rules, state, random);
        const std::vector<Play>& plays = generator.plays(rules, state, dice);
        if (plays.empty() || length == longest_game) {
            state = start(rules, random.below(2) == 1);
            ++total.games;
            length = 0;
            continue;
        }
        const Play& chosen = plays[random.below(static_cast<std::uint32_t>(plays.size()))];
        total.positions += plays.size();
        total.checksum = (total.checksum ^ static_cast<std::uint64_t>(chosen.mine >> 4)) * 0x9E3779B97F4A7C15ull;
        ++total.decisions;
        ++length;
        state = position_after(rules, state, dice, chosen);
    }
    return total;
}

}  // namespace sheshbesh
