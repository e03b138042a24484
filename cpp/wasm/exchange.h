// The bytes that a call of api.cpp takes, and those that it leaves: little-endian and without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sheshbesh/rows.h"

#define SSB_EXPORT(name) __attribute__((export_name(#name))) name

namespace sheshbesh {

std::string& fault_text();

// What the caller hands over, read from front to back.
class Input {
public:
    std::byte* resize(std::size_t size) {
        bytes_.resize(size);
        at_ = 0;
        return bytes_.data();
    }
    std::span<const std::byte> take(std::size_t size) {
        if (bytes_.size() - at_ < size) {
            throw std::invalid_argument("the input has " + std::to_string(bytes_.size()) + " bytes and ends at " +
                                        std::to_string(at_) + " of " + std::to_string(at_ + size));
        }
        at_ += size;
        return std::span(bytes_).subspan(at_ - size, size);
    }
    template <class T>
    T number() {
        static_assert(std::is_arithmetic_v<T>);
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    template <class T>
    std::vector<T> numbers(std::size_t count) {
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
        return values;
    }
    std::size_t left() const { return bytes_.size() - at_; }

private:
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
};

class Output {
public:
    void clear() { bytes_.clear(); }
    std::byte* grow(std::size_t size) {
        bytes_.resize(bytes_.size() + size);
        return bytes_.data() + bytes_.size() - size;
    }
    template <class T>
    void add(std::span<const T> values) {
        static_assert(std::is_arithmetic_v<T>);
        if (!values.empty()) std::memcpy(grow(values.size_bytes()), values.data(), values.size_bytes());
    }
    template <class T>
    void add(T value) {
        add(std::span<const T>(&value, 1));
    }
    void add(const State& state) { write_row(state, reinterpret_cast<std::uint8_t*>(grow(row::kWidth))); }
    const std::byte* data() const { return bytes_.data(); }

    // A text, ended by a zero.
    void add(std::string_view text) {
        add(std::span<const char>(text));
        add('\0');
    }

private:
    std::vector<std::byte> bytes_;
};

// What the last call has left.
inline Output output;

}  // namespace sheshbesh
