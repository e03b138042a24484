// The checksum of our files: FNV-1a over bytes, http://www.isthe.com/chongo/tech/comp/fnv/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sheshbesh {

constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325ull;
constexpr std::uint64_t kFnvPrime = 0x100000001B3ull;

constexpr std::uint64_t fnv1a(std::span<const std::byte> bytes) {
    std::uint64_t hash = kFnvBasis;
    for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * kFnvPrime;
    return hash;
}

}  // namespace sheshbesh
