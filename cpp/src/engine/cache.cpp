#include "sheshbesh/engine/cache.h"

#include <algorithm>
#include <bit>

namespace sheshbesh {

namespace {

// Each word is spread over the whole number before the next one joins; the multipliers are odd and dense.
std::uint64_t join(std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
    return sum ^ (sum >> 32);
}

}  // namespace

std::uint64_t hash(const State& state) {
    const Pending& owed = state.pending;
    const auto word = [](auto value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
    std::uint64_t sum = 0;
    for (const Counts side : {state.mine, state.theirs}) {
        sum = join(sum, static_cast<std::uint64_t>(side));
        sum = join(sum, static_cast<std::uint64_t>(side >> 64));
    }
    sum = join(sum, word(state.pinned_mine, 32) | state.pinned_theirs);
    const std::uint64_t flags = word(state.black_on_roll, 0) | word(state.i_started, 1) | word(state.they_started, 2) |
                                word(state.my_mother_lost, 3) | word(state.their_mother_lost, 4) | word(owed.rest, 5) |
                                word(owed.then_throw, 6) | word(owed.choose_double, 7);
    sum = join(sum, flags | word(state.turns_mine, 8) | word(state.turns_theirs, 16) | word(owed.die, 24) |
                        word(owed.second, 32) | word(owed.steps, 40));
    return sum;
}

ValueCache::ValueCache(std::size_t entries, int row) : row_(static_cast<std::size_t>(row)) {
    if (entries == 0) return;
    keys_.resize(std::bit_ceil(entries));
    values_.resize(keys_.size() * row_);
}

void ValueCache::store(std::uint64_t hash, const State& state, const float* value) {
    const std::size_t at = place(hash);
    keys_[at] = state;
    std::copy_n(value, row_, &values_[at * row_]);
}

std::span<const std::uint32_t> Repeats::firsts(std::span<const State> states) {
    hashes_.resize(states.size());
    firsts_.resize(states.size());
    const std::size_t size = std::bit_ceil(2 * states.size() + 1);
    table_.assign(size, 0);
    for (std::uint32_t i = 0; i < states.size(); ++i) {
        hashes_[i] = hash(states[i]);
        // The upper half: neighbours in a ValueCache are found by the lower one.
        std::size_t at = static_cast<std::size_t>(hashes_[i] >> 32) & (size - 1);
        while (table_[at] != 0) {
            const std::uint32_t other = table_[at] - 1;
            if (hashes_[other] == hashes_[i] && states[other] == states[i]) break;
            at = (at + 1) & (size - 1);
        }
        if (table_[at] == 0) table_[at] = i + 1;
        firsts_[i] = table_[at] - 1;
    }
    return firsts_;
}

}  // namespace sheshbesh
