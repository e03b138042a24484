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

enum class Colour : std::uint8_t { white, black };

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

// Bit 0 of each nibble: whether any bit of it is set, and whether any but bit 0 is.
constexpr std::uint64_t any(std::uint64_t nibbles) {
    return nibbles | (nibbles >> 1) | (nibbles >> 2) | (nibbles >> 3);
}
constexpr std::uint64_t many(std::uint64_t nibbles) { return (nibbles >> 1) | (nibbles >> 2) | (nibbles >> 3); }

constexpr std::uint64_t low_half(Counts counts) { return static_cast<std::uint64_t>(counts); }
constexpr std::uint64_t high_half(Counts counts) { return static_cast<std::uint64_t>(counts >> 64); }

}  // namespace detail

// The indices (off excluded) that hold at least one checker.
constexpr Mask occupied(Counts counts) {
    return detail::gather(detail::any(detail::low_half(counts)), detail::any(detail::high_half(counts))) & ~bit(kOff);
}

// The indices (off excluded) that hold at least two checkers.
constexpr Mask stacked(Counts counts) {
    return detail::gather(detail::many(detail::low_half(counts)), detail::many(detail::high_half(counts))) & ~bit(kOff);
}

// The indices (off excluded) that hold exactly `wanted` checkers.
constexpr Mask holding(Counts counts, int wanted) {
    const auto pattern = 0x1111111111111111ull * static_cast<std::uint64_t>(wanted);
    const auto low = detail::any(detail::low_half(counts) ^ pattern);
    const auto high = detail::any(detail::high_half(counts) ^ pattern);
    return ~detail::gather(low, high) & range(1, kBar);
}

// Own pips of a side: a checker on the bar or in hand has 25 to go.
constexpr int pips(Counts counts) {
    int total = 25 * (count(counts, kBar) + count(counts, kHand));
    for (int point = 1; point <= 24; ++point) total += point * count(counts, point);
    return total;
}

}  // namespace sheshbesh
