// Counts of checkers and sets of points: the two words everything else is written in.
//
// A side is seen in its own numbering, 24 (start) down to 1; it bears off past 1.
//
//   index     0     1 .. 24     25      26
//   meaning  off    points     hand     bar
//
// `Counts` holds one nibble per index, so a side has at most fifteen checkers.
// `Mask` holds one bit per index; bit 0 is never set in a mask of checkers.
#pragma once

#include <bit>
#include <cstdint>

namespace sheshbesh {

__extension__ typedef unsigned __int128 Counts;
using Mask = std::uint32_t;

constexpr int kOff = 0;
constexpr int kHand = 25;
constexpr int kBar = 26;
constexpr int kMaxCheckers = 15;
constexpr int kMaxSteps = 4;

constexpr Mask bit(int index) { return Mask{1} << index; }
constexpr Mask range(int low, int high) { return (bit(high) << 1) - bit(low); }

constexpr Mask kPoints = range(1, 24);
constexpr Mask kHome = range(1, 6);
constexpr Mask kStartQuarter = range(19, 24);

constexpr int count(Counts counts, int index) { return static_cast<int>(counts >> (4 * index)) & 15; }
constexpr Counts one(int index) { return Counts{1} << (4 * index); }

constexpr int top(Mask mask) { return 31 - std::countl_zero(mask); }
constexpr int lowest(Mask mask) { return std::countr_zero(mask); }

namespace detail {

// Gathers bit 0 of each of the sixteen nibbles of a word into sixteen neighbouring bits.
constexpr Mask gather(std::uint64_t nibbles) {
    nibbles &= 0x1111111111111111ull;
    nibbles = (nibbles | (nibbles >> 3)) & 0x0303030303030303ull;
    nibbles = (nibbles | (nibbles >> 6)) & 0x000F000F000F000Full;
    nibbles = (nibbles | (nibbles >> 12)) & 0x000000FF000000FFull;
    return static_cast<Mask>(nibbles | (nibbles >> 24)) & 0xFFFF;
}

constexpr Mask gather(std::uint64_t low, std::uint64_t high) { return gather(low) | (gather(high) << 16); }

}  // namespace detail

// The indices (off excluded) that hold at least one checker.
constexpr Mask occupied(Counts counts) {
    const auto low = static_cast<std::uint64_t>(counts);
    const auto high = static_cast<std::uint64_t>(counts >> 64);
    return detail::gather(low | (low >> 1) | (low >> 2) | (low >> 3), high | (high >> 1) | (high >> 2) | (high >> 3)) &
           ~bit(kOff);
}

// The indices (off excluded) that hold at least two checkers.
constexpr Mask stacked(Counts counts) {
    const auto low = static_cast<std::uint64_t>(counts);
    const auto high = static_cast<std::uint64_t>(counts >> 64);
    return detail::gather((low >> 1) | (low >> 2) | (low >> 3), (high >> 1) | (high >> 2) | (high >> 3)) & ~bit(kOff);
}

// The indices (off excluded) that hold exactly `wanted` checkers.
constexpr Mask holding(Counts counts, int wanted) {
    const auto pattern = 0x1111111111111111ull * static_cast<std::uint64_t>(wanted);
    const auto low = static_cast<std::uint64_t>(counts) ^ pattern;
    const auto high = static_cast<std::uint64_t>(counts >> 64) ^ pattern;
    return ~detail::gather(low | (low >> 1) | (low >> 2) | (low >> 3), high | (high >> 1) | (high >> 2) | (high >> 3)) &
           (range(1, kBar));
}

// Own pips of a side: a checker on the bar or in hand has 25 to go.
constexpr int pips(Counts counts) {
    int total = 25 * (count(counts, kBar) + count(counts, kHand));
    for (int point = 1; point <= 24; ++point) total += point * count(counts, point);
    return total;
}

// A small counter-based generator (SplitMix64): the same sequence on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    // Uniform in 0 .. bound-1; the bias of one part in 2^32 does not matter for play-outs.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

private:
    std::uint64_t state_;
};

}  // namespace sheshbesh
