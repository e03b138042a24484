// The frame of a bear-off database in a file: header, arrays of numbers, checksum; little-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sheshbesh/engine/bearoff.h"
#include "sheshbesh/engine/hash.h"

namespace sheshbesh {

static_assert(std::endian::native == std::endian::little, "files are written as the memory lies");

constexpr char kBearoffMagic[8] = {'S', 'S', 'H', 'B', 'E', 'A', 'R', '1'};

// Floats in a row of a two-sided database; see TwoSided.
constexpr std::size_t two_sided_width(int slots) { return (slots == 1 ? 1 : 2 * static_cast<std::size_t>(slots)) + 3; }

class FileWriter {
public:
    FileWriter(Sides sides, std::uint64_t key) {
        put(std::span(kBearoffMagic));
        put(kBearoffVersion);
        put(static_cast<std::uint32_t>(sides));
        put(key);
    }

    template <class T>
    void put(const std::vector<T>& values) {
        put(std::span(values));
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    void put(T value) {
        put(std::span(&value, 1));
    }
    template <class T, std::size_t Extent>
    void put(std::span<T, Extent> values) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + values.size_bytes());
        if (!values.empty()) std::memcpy(bytes_.data() + before, values.data(), values.size_bytes());
    }

    std::vector<std::byte> finish() {
        put(fnv1a(bytes_));
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

class FileReader {
public:
    FileReader(std::span<const std::byte> file, Sides sides, std::uint64_t key) : rest_(file) {
        constexpr std::size_t kFrame = 8 + 4 + 4 + 8 + 8;
        if (file.size() < kFrame || std::memcmp(file.data(), kBearoffMagic, sizeof kBearoffMagic) != 0) {
            throw BearoffFormatError("not a bear-off database");
        }
        rest_ = file.subspan(8);
        const auto version = number<std::uint32_t>();
        if (version != kBearoffVersion) {
            throw BearoffFormatError("a bear-off database of version " + std::to_string(version) + ", not " +
                                     std::to_string(kBearoffVersion));
        }
        if (number<std::uint32_t>() != static_cast<std::uint32_t>(sides) || number<std::uint64_t>() != key) {
            throw BearoffFormatError("a bear-off database of other rules");
        }
        std::uint64_t sum = 0;
        std::memcpy(&sum, file.data() + file.size() - sizeof sum, sizeof sum);
        if (fnv1a(file.first(file.size() - sizeof sum)) != sum) throw BearoffFormatError("a damaged bear-off database");
        rest_ = rest_.first(rest_.size() - sizeof sum);
    }

    template <class T>
    T number() {
        std::vector<T> one;
        read(one, 1);
        return one.front();
    }
    template <class T>
    void read(std::vector<T>& values, std::size_t count) {
        if (rest_.size() / sizeof(T) < count) throw BearoffFormatError("a bear-off database that ends too soon");
        values.resize(count);
        std::memcpy(values.data(), rest_.data(), count * sizeof(T));
        rest_ = rest_.subspan(count * sizeof(T));
    }
    void finish() const {
        if (!rest_.empty()) throw BearoffFormatError("a bear-off database with something behind its end");
    }

private:
    std::span<const std::byte> rest_;
};

}  // namespace sheshbesh
