// Remembers the static values of positions. A value found here has the bits that were stored, so what
// is searched with it does not depend on what it happens to remember.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sheshbesh/state.h"

namespace sheshbesh {

// A number for a position, over everything in which two positions can differ.
std::uint64_t hash(const State& state);

// One place for each hash: of two positions that share one, the later stays.
class ValueCache {
public:
    // `entries` is rounded up to a power of two; with 0 nothing is remembered. `row`: floats per value.
    ValueCache(std::size_t entries, int row);

    bool enabled() const { return !keys_.empty(); }

    // Asks the memory for the place of a hash that will be looked for soon.
    void prefetch(std::uint64_t hash) const {
        __builtin_prefetch(&keys_[place(hash)]);
        __builtin_prefetch(&values_[place(hash) * row_]);
    }
    // The value of a position, or null. Lives until the next `store`.
    const float* find(std::uint64_t hash, const State& state) const {
        const std::size_t at = place(hash);
        // A place never used holds no checkers; a board without any is never remembered.
        return state.mine != 0 && keys_[at] == state ? &values_[at * row_] : nullptr;
    }
    void store(std::uint64_t hash, const State& state, const float* value);

private:
    std::size_t place(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (keys_.size() - 1); }

    std::size_t row_;
    std::vector<State> keys_;
    std::vector<float> values_;
};

// Finds positions that occur more than once: different throws often lead to the same board, and every
// throw that cannot be played leaves it as it is.
class Repeats {
public:
    // For each position the place of the first that equals it. Lives until the next call.
    std::span<const std::uint32_t> firsts(std::span<const State> states);
    // The hashes of those positions.
    std::span<const std::uint64_t> hashes() const { return hashes_; }

private:
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> firsts_;
    std::vector<std::uint32_t> table_;  // open addressing: place + 1
};

}  // namespace sheshbesh
