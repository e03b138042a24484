// Nets of random weights, written in the format of net.h: enough to tell positions apart.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "sheshbesh/engine/net.h"
#include "sheshbesh/random.h"

namespace sheshbesh::test {

class NetFile {
public:
    template <class T>
    void put(T value) {
        const auto at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
    }
    // Whole numbers of -reach .. reach.
    template <class T>
    void put_random(Random& random, std::size_t count, int reach) {
        for (std::size_t i = 0; i < count; ++i) {
            put(static_cast<T>(static_cast<int>(random.below(static_cast<std::uint32_t>(2 * reach + 1))) - reach));
        }
    }
    void put_same(std::size_t count, float value) {
        for (std::size_t i = 0; i < count; ++i) put(value);
    }
    std::vector<std::byte> finish() {
        std::uint64_t sum = 0xCBF29CE484222325ull;
        for (const std::byte byte : bytes_) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3ull;
        put(sum);
        return bytes_;
    }

private:
    std::vector<std::byte> bytes_;
};

inline std::vector<std::byte> random_net_file(int classes, const std::vector<int>& widths, std::uint64_t seed) {
    Random random(seed);
    NetFile file;
    for (const char letter : {'S', 'S', 'H', 'N', 'E', 'T', '0', '1'}) file.put(letter);
    const auto units = static_cast<std::size_t>(unit_count());
    for (const int number : {kInputSet, unit_count(), static_cast<int>(widths.size()), classes}) file.put(number);
    for (const int width : widths) file.put(width);
    constexpr int kShift = 2;
    file.put(kShift);
    auto in = static_cast<std::size_t>(widths.front());
    file.put_random<std::int16_t>(random, units * in, 20);
    file.put_random<std::int16_t>(random, in, 100);
    for (std::size_t layer = 1; layer < widths.size(); ++layer) {
        const auto out = static_cast<std::size_t>(widths[layer]);
        file.put_random<std::int8_t>(random, out * in, 127);
        file.put_random<std::int32_t>(random, out, 2000);
        file.put_same(out, 1.0f / 512);
        in = out;
    }
    const auto results = static_cast<std::size_t>(classes);
    file.put_random<std::int16_t>(random, results * in, 1000);
    file.put_same(results, 0.0f);
    file.put_same(results, 1.0f / 100000);
    return file.finish();
}

inline std::shared_ptr<const Net> random_net(int classes, const std::vector<int>& widths, std::uint64_t seed) {
    const std::vector<std::byte> file = random_net_file(classes, widths, seed);
    return Net::parse(file);
}

}  // namespace sheshbesh::test
