// Random nets for tests, in the file format of net.h.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sheshbesh/engine/hash.h"
#include "sheshbesh/engine/inputs.h"
#include "sheshbesh/random.h"

namespace sheshbesh::test {

class NetWriter {
public:
    template <class T>
    void put(T value) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
        file_.insert(file_.end(), bytes.begin(), bytes.end());
    }
    template <class T>
    void put_all(std::span<const T> values) {
        for (const T value : values) put(value);
    }

    // The file so far with its checksum.
    std::vector<std::byte> finish() const {
        NetWriter whole = *this;
        whole.put(fnv1a(file_));
        return whole.file_;
    }

private:
    std::vector<std::byte> file_;
};

// All parts of a net file, to be changed at will.
struct NetParts {
    struct Layer {
        std::vector<std::int8_t> weight;
        std::vector<std::int32_t> bias;
        std::vector<float> scale;
    };

    std::uint32_t input_set = kInputSet;
    std::uint32_t units = 0;
    std::uint32_t classes = 0;
    std::uint32_t shift = 0;
    std::vector<std::uint32_t> widths;
    std::vector<std::int16_t> first_weight;
    std::vector<std::int16_t> first_bias;
    std::vector<Layer> dense;
    std::vector<std::int16_t> output_weight;
    std::vector<float> output_bias;
    std::vector<float> output_scale;

    std::vector<std::byte> file() const {
        NetWriter writer;
        for (const char letter : {'S', 'S', 'H', 'N', 'E', 'T', '0', '1'}) writer.put(letter);
        for (const auto number : {input_set, units, static_cast<std::uint32_t>(widths.size()), classes}) {
            writer.put(number);
        }
        writer.put_all(std::span<const std::uint32_t>(widths));
        writer.put(shift);
        writer.put_all(std::span<const std::int16_t>(first_weight));
        writer.put_all(std::span<const std::int16_t>(first_bias));
        for (const Layer& layer : dense) {
            writer.put_all(std::span<const std::int8_t>(layer.weight));
            writer.put_all(std::span<const std::int32_t>(layer.bias));
            writer.put_all(std::span<const float>(layer.scale));
        }
        writer.put_all(std::span<const std::int16_t>(output_weight));
        writer.put_all(std::span<const float>(output_bias));
        writer.put_all(std::span<const float>(output_scale));
        return writer.finish();
    }
};

inline int uniform(Random& random, int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

// Random weights of such sizes that activations neither vanish nor all reach the top, and classes differ.
inline NetParts random_net(const std::vector<int>& widths, int classes, std::uint64_t seed) {
    Random random(seed);
    NetParts net;
    net.units = static_cast<std::uint32_t>(unit_count());
    net.classes = static_cast<std::uint32_t>(classes);
    net.shift = 3;
    net.widths.assign(widths.begin(), widths.end());
    const auto size = [](int number) { return static_cast<std::size_t>(number); };
    net.first_weight.resize(size(unit_count()) * size(widths[0]));
    for (auto& weight : net.first_weight) weight = static_cast<std::int16_t>(uniform(random, -60, 60));
    net.first_bias.resize(size(widths[0]));
    for (auto& bias : net.first_bias) bias = static_cast<std::int16_t>(uniform(random, 0, 400));
    for (std::size_t layer = 1; layer < widths.size(); ++layer) {
        const int in = widths[layer - 1];
        const int out = widths[layer];
        NetParts::Layer& dense = net.dense.emplace_back();
        dense.weight.resize(size(in) * size(out));
        for (auto& weight : dense.weight) weight = static_cast<std::int8_t>(uniform(random, -127, 127));
        dense.bias.resize(size(out));
        for (auto& bias : dense.bias) bias = uniform(random, -20000, 20000);
        dense.scale.resize(size(out));
        // Some are powers of two: then many sums lie exactly between two activations.
        for (std::size_t i = 0; i < dense.scale.size(); ++i) {
            dense.scale[i] = i % 3 == 0 ? 1.0f / 512 : 1.0f / static_cast<float>(uniform(random, 300, 3000));
        }
    }
    net.output_weight.resize(size(classes) * size(widths.back()));
    for (auto& weight : net.output_weight) weight = static_cast<std::int16_t>(uniform(random, -32768, 32767));
    // A thirty-two bit sum holds 127 * 32768 times 516: wider layers get smaller weights.
    if (widths.back() > 500) {
        for (auto& weight : net.output_weight) weight = static_cast<std::int16_t>(weight / 5);
    }
    net.output_bias.resize(size(classes));
    for (auto& bias : net.output_bias) bias = static_cast<float>(uniform(random, -100, 100)) / 100.0f;
    net.output_scale.assign(size(classes), 1e-8f);
    return net;
}

}  // namespace sheshbesh::test
