// Probabilities from the values of classes: the same bits on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace sheshbesh {

// e^x for x <= 0, with plain additions and multiplications in one order. Relative error below 1e-6; zero
// where the result would not be a normal number.
inline float exp_negative(float x) {
    constexpr float kLog2E = 1.44269504f;
    constexpr float kLn2High = 0.693359375f;  // exact in few bits, so that its multiples are exact, too
    constexpr float kLn2Low = -2.12194440e-4f;
    constexpr float kLeast = -87.0f;
    constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
    const float inside = std::max(x, kLeast);
    const float shifted = inside * kLog2E + kRounder;
    const float whole = shifted - kRounder;
    const float rest = (inside - whole * kLn2High) - whole * kLn2Low;
    // The series of e^rest; |rest| < 0.35 makes its eighth term 5e-9.
    float power = 1.0f / 5040;
    power = power * rest + 1.0f / 720;
    power = power * rest + 1.0f / 120;
    power = power * rest + 1.0f / 24;
    power = power * rest + 1.0f / 6;
    power = power * rest + 0.5f;
    power = power * rest + 1.0f;
    power = power * rest + 1.0f;
    // The rounder's low bits hold the whole number; it goes into the exponent.
    const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(shifted) << 23) + (127u << 23);
    const float result = power * std::bit_cast<float>(exponent);
    return x < kLeast ? 0.0f : result;
}

inline void softmax(std::span<float> values) {
    float most = values[0];
    for (const float value : values) most = std::max(most, value);
    for (float& value : values) value = exp_negative(value - most);
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    const auto share = static_cast<float>(1.0 / sum);
    for (float& value : values) value *= share;
}

}  // namespace sheshbesh
