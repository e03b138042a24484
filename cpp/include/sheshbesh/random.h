// Chance for play-outs and tests. The dice of a game that people play come from elsewhere.
#pragma once

#include <cstdint>

namespace sheshbesh {

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
