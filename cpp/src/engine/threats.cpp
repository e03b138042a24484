#include "threats.h"

#include <cstdint>

namespace sheshbesh {

namespace {

constexpr int kEntry = 25;

// Where checkers of `standing` can land with these dice in this order, each with as many dice as it can.
Mask landed(Mask standing, Mask open, int first, int second) {
    const Mask once = standing >> first;
    return once | ((once & open) >> second);
}

// The same where one checker has to enter first.
Mask landed_entering(Mask others, Mask open, int first, int second) {
    const Mask entered = bit(kEntry - first) & open;
    return entered == 0 ? 0 : entered | ((others | entered) >> second);
}

Mask landed_by_double(const Thrower& thrower, Mask open, int die) {
    Mask standing = thrower.standing;
    Mask all = 0;
    int left = thrower.double_steps;
    if (thrower.must_enter > 0) {
        all = bit(kEntry - die) & open;
        if (all == 0 || thrower.must_enter > 1) return all;
        standing = (standing & ~bit(kEntry)) | all;
        --left;
    }
    for (; left > 0; --left) {
        standing >>= die;
        all |= standing;
        standing &= open;
    }
    return all;
}

Mask landed_by_two(const Thrower& thrower, Mask open, int high, int low) {
    if (thrower.must_enter == 0) {
        return landed(thrower.standing, open, high, low) | landed(thrower.standing, open, low, high);
    }
    if (thrower.must_enter > 1) return (bit(kEntry - high) | bit(kEntry - low)) & open;
    const Mask others = thrower.standing & ~bit(kEntry);
    return landed_entering(others, open, high, low) | landed_entering(others, open, low, high);
}

}  // namespace

Threats threats(const Thrower& thrower, Mask targets) {
    Threats found;
    if (targets == 0 || (thrower.standing >> lowest(targets)) <= 1) return found;
    const Mask open = kPoints & ~thrower.walls;
    // Without a branch, which nobody could predict; point 0 is nowhere.
    const auto count = [&found, targets](Mask landed, int throws) {
        const Mask hit = landed & targets;
        found.throws += hit != 0 ? throws : 0;
        found.pips += throws * top(hit | bit(0));
    };
    for (int high = 1; high <= 6; ++high) {
        count(landed_by_double(thrower, open, high), 1);
        for (int low = 1; low < high; ++low) count(landed_by_two(thrower, open, high, low), 2);
    }
    return found;
}

int ways_on(Mask walls, int point) {
    // Bit 12 of the window is the checker's own point; what lies beyond the last one is open.
    constexpr int kAhead = 12;
    const std::uint64_t near = std::uint64_t{walls & kPoints} << kAhead >> point;
    const auto open = [near](int pips) { return ((near >> (kAhead - pips)) & 1) == 0; };
    int ways = 0;
    for (int high = 1; high <= 6; ++high) {
        ways += open(high) && open(2 * high) ? 1 : 0;
        for (int low = 1; low < high; ++low) {
            ways += (open(high) || open(low)) && open(high + low) ? 2 : 0;
        }
    }
    return ways;
}

}  // namespace sheshbesh
