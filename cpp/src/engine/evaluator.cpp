#include "sheshbesh/engine/evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "kernels.h"
#include "softmax.h"

namespace sheshbesh {

namespace {

// The output's weights take sixteen bits, the kernels eight: a weight is 256 * high + low + 128, each
// within -128 .. 127, and the 128 is added as 128 times the sum of all activations.
class OutputLayer {
public:
    OutputLayer(const Net& net, Packing packing)
        : classes_(net.classes()), layer_(packing, net.widths().back(), 2 * classes_ + 1, halves(net)) {}

    const PackedLayer& layer() const { return layer_; }

    // The exact sum of a class, from the sums of one position.
    std::int32_t sum(const std::int32_t* sums, int k) const {
        // Unsigned: a part may wrap round where the whole, which the net's check bounds, does not.
        const auto part = [sums](int i) { return static_cast<std::uint32_t>(sums[i]); };
        return static_cast<std::int32_t>(256u * part(k) + part(classes_ + k) + 128u * part(2 * classes_));
    }

private:
    static std::vector<std::int8_t> halves(const Net& net) {
        const auto in = static_cast<std::size_t>(net.widths().back());
        const auto size = static_cast<std::size_t>(net.classes()) * in;
        std::vector<std::int8_t> weights(2 * size + in, 1);
        for (std::size_t i = 0; i < size; ++i) {
            const int rest = net.output_weight()[i] - 128;
            const auto low = static_cast<std::int8_t>(rest);
            weights[i] = static_cast<std::int8_t>((rest - low) / 256);
            weights[size + i] = low;
        }
        return weights;
    }

    int classes_;
    PackedLayer layer_;
};

std::vector<int> straight(const Net& net, const Ruleset& rules) {
    const int classes = ClassTable(rules).size();
    if (net.classes() != classes) {
        throw NetFormatError("net: it has " + std::to_string(net.classes()) + " classes, the rule set " +
                             std::to_string(classes));
    }
    std::vector<int> mapping(static_cast<std::size_t>(classes));
    for (int i = 0; i < classes; ++i) mapping[static_cast<std::size_t>(i)] = i;
    return mapping;
}

// A bit for each slot of a position, in a few words.
constexpr int kMarkWords = (kPositionSlots + 63) / 64;
using Marks = std::array<std::uint64_t, kMarkWords>;

// Marks the bytes that are not 0, all below 128, of words made by `word` for every eighth slot. Slots of
// the rules may fill up the last word.
template <class Word>
Marks marks(Word word) {
    static_assert((kPositionSlots + 7) / 8 * 8 <= kSlots);
    Marks found{};
    for (int begin = 0; begin < kPositionSlots; begin += 8) {
        const std::uint64_t used = ((word(begin) + 0x7F7F7F7F7F7F7F7Full) >> 7) & 0x0101010101010101ull;
        // Gathers bit 0 of the eight bytes in the highest byte, that of the lowest byte first.
        const std::uint64_t bits = (used * 0x0102040810204080ull) >> 56;
        found[static_cast<std::size_t>(begin / 64)] |= bits << (begin % 64);
    }
    constexpr int kLast = kPositionSlots % 64;
    if constexpr (kLast != 0) found.back() &= (std::uint64_t{1} << kLast) - 1;
    return found;
}

std::uint64_t word_at(const Slots& slots, int begin) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, slots.data() + begin, sizeof(word));
    return word;
}

template <class Visit>
void for_marked(const Marks& marks, Visit visit) {
    for (int i = 0; i < kMarkWords; ++i) {
        for (std::uint64_t left = marks[static_cast<std::size_t>(i)]; left != 0; left &= left - 1) {
            visit(64 * i + std::countr_zero(left));
        }
    }
}

// The rows that a sum gains or loses.
class Rows {
public:
    void clear() { size_ = 0; }
    // Adds a row if it `counts`; without a branch, which nobody could predict.
    void add(const std::int16_t* row, bool counts) {
        rows_[size_] = row;
        size_ += counts ? 1 : 0;
    }
    std::size_t size() const { return size_; }
    std::span<const std::int16_t* const> all() const { return std::span(rows_).first(size_); }

private:
    std::array<const std::int16_t*, kSlots + 1> rows_;
    std::size_t size_ = 0;
};

// So few rows are fewer than any position has.
constexpr std::size_t kFewRows = 12;

const Kernel& active_kernel() {
    const Isa wanted = active_isa();
    return *std::ranges::find_if(kernels(), [wanted](const Kernel& kernel) { return kernel.isa == wanted; });
}

}  // namespace

struct Evaluator::Impl {
    Impl(std::shared_ptr<const Net> shared, const Ruleset& played, std::vector<int> mapping);

    void first_layer(const State& state, std::uint8_t* activations);
    void chunk(std::span<const State> states, float* out);
    void later_layers(int positions);
    float output_sum(int position, int k) const;
    void add_row(int slot, int value, Rows& rows) const { rows.add(net->row(slot, value), value != 0); }

    std::shared_ptr<const Net> net;
    Ruleset rules;
    ClassTable classes;
    std::vector<int> net_to_rules;
    Extractor extractor;
    const Kernel& kernel;
    std::vector<PackedLayer> layers;
    OutputLayer output;

    AlignedVector<std::int16_t> rule_sums;  // bias and rules: what all positions share
    AlignedVector<std::int16_t> sums;       // of the position in `slots`
    Slots slots{};
    Rows added;
    Rows removed;

    std::array<AlignedVector<std::uint8_t>, 2> activations;  // in turn: a layer reads one and writes the other
    AlignedVector<std::uint8_t> fractions;                   // 128ths of the activations that the output reads
    AlignedVector<std::int32_t> output_sums;
    AlignedVector<std::int32_t> fraction_sums;  // zero in a net of a single hidden layer
};

Evaluator::Impl::Impl(std::shared_ptr<const Net> shared, const Ruleset& played, std::vector<int> mapping)
    : net(std::move(shared)),
      rules(played),
      classes(rules),
      net_to_rules(std::move(mapping)),
      extractor(rules),
      kernel(active_kernel()),
      output(*net, kernel.packing) {
    if (net_to_rules.size() != static_cast<std::size_t>(net->classes())) {
        throw NetFormatError("net: " + std::to_string(net_to_rules.size()) + " classes are mapped, it has " +
                             std::to_string(net->classes()));
    }
    for (const int to : net_to_rules) {
        if (to < 0 || to >= classes.size()) {
            throw NetFormatError("net: a class is mapped to " + std::to_string(to) + " of the rule set, which has " +
                                 std::to_string(classes.size()));
        }
    }
    for (const Net::Dense& dense : net->dense()) {
        PackedLayer& layer = layers.emplace_back(kernel.packing, dense.in, dense.out, dense.weight);
        std::ranges::copy(dense.bias, layer.bias.begin());
        std::ranges::copy(dense.scale, layer.scale.begin());
    }
    const int widest = *std::ranges::max_element(net->widths());
    for (auto& buffer : activations) buffer.resize(static_cast<std::size_t>(kChunk * activation_stride(widest)));
    if (!layers.empty()) fractions.resize(activations[0].size());
    output_sums.resize(static_cast<std::size_t>(kChunk * output.layer().out));
    fraction_sums.resize(output_sums.size());

    rule_sums.assign(net->first_bias().begin(), net->first_bias().end());
    extractor.rules_only(slots);
    for (int slot = kPositionSlots; slot < kSlots; ++slot) add_row(slot, slots[static_cast<std::size_t>(slot)], added);
    sums.resize(rule_sums.size());
    // The position remembered first is the empty one.
    kernel.first({rule_sums.data(), added.all(), {}}, net->widths()[0], net->shift(), sums.data(),
                 activations[0].data());
    rule_sums = sums;
}

void Evaluator::Impl::first_layer(const State& state, std::uint8_t* to) {
    // Positions that follow each other are mostly near each other: either the rows that changed are
    // exchanged in the last sum, or all are summed anew, whichever touches fewer.
    Slots next;
    extractor.extract(state, next);
    added.clear();
    removed.clear();
    for_marked(marks([&](int at) { return word_at(next, at) ^ word_at(slots, at); }), [&](int slot) {
        add_row(slot, next[static_cast<std::size_t>(slot)], added);
        add_row(slot, slots[static_cast<std::size_t>(slot)], removed);
    });
    const std::int16_t* from = sums.data();
    if (added.size() + removed.size() > kFewRows) {
        const Marks used = marks([&](int at) { return word_at(next, at); });
        int rows = 0;
        for (const std::uint64_t word : used) rows += std::popcount(word);
        if (added.size() + removed.size() > static_cast<std::size_t>(rows)) {
            added.clear();
            removed.clear();
            for_marked(used, [&](int slot) { add_row(slot, next[static_cast<std::size_t>(slot)], added); });
            from = rule_sums.data();
        }
    }
    kernel.first({from, added.all(), removed.all()}, net->widths()[0], net->shift(), sums.data(), to);
    slots = next;
}

// From the activations of the first layer to the sums of the output.
void Evaluator::Impl::later_layers(int positions) {
    for (const PackedLayer& layer : layers) {
        if (&layer == &layers.back()) {
            kernel.fine(layer, activations[0].data(), positions, activations[1].data(), fractions.data());
            kernel.sums(output.layer(), fractions.data(), positions, fraction_sums.data());
        } else {
            kernel.dense(layer, activations[0].data(), positions, activations[1].data());
        }
        std::swap(activations[0], activations[1]);
    }
    kernel.sums(output.layer(), activations[0].data(), positions, output_sums.data());
}

// The sum of weights times activations of a class, in whole steps.
float Evaluator::Impl::output_sum(int position, int k) const {
    const int begin = position * output.layer().out;
    const std::int64_t sum =
        std::int64_t{kFine} * output.sum(output_sums.data() + begin, k) + output.sum(fraction_sums.data() + begin, k);
    return static_cast<float>(sum) / kFine;
}

void Evaluator::Impl::chunk(std::span<const State> states, float* out) {
    const int positions = static_cast<int>(states.size());
    const int stride = activation_stride(net->widths()[0]);
    for (int p = 0; p < positions; ++p) {
        first_layer(states[static_cast<std::size_t>(p)], activations[0].data() + p * stride);
    }
    later_layers(positions);
    for (int p = 0; p < positions; ++p) {
        std::array<float, kMaxClasses> values;
        for (int k = 0; k < net->classes(); ++k) {
            const auto at = static_cast<std::size_t>(k);
            values[at] = output_sum(p, k) * net->output_scale()[at] + net->output_bias()[at];
        }
        softmax(std::span(values).first(static_cast<std::size_t>(net->classes())));
        float* row = out + p * classes.size();
        std::fill_n(row, classes.size(), 0.0f);
        for (std::size_t k = 0; k < net_to_rules.size(); ++k) row[net_to_rules[k]] += values[k];
    }
}

Evaluator::Evaluator(std::shared_ptr<const Net> net, const Ruleset& rules) {
    std::vector<int> mapping = straight(*net, rules);
    impl_ = std::make_unique<Impl>(std::move(net), rules, std::move(mapping));
}

Evaluator::Evaluator(std::shared_ptr<const Net> net, const Ruleset& rules, std::vector<int> net_to_rules)
    : impl_(std::make_unique<Impl>(std::move(net), rules, std::move(net_to_rules))) {}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

const Ruleset& Evaluator::rules() const { return impl_->rules; }
const ClassTable& Evaluator::classes() const { return impl_->classes; }

void Evaluator::evaluate(std::span<const State> states, float* out) {
    const auto width = static_cast<std::size_t>(impl_->classes.size());
    while (!states.empty()) {
        const std::size_t now = std::min<std::size_t>(states.size(), kChunk);
        impl_->chunk(states.first(now), out);
        states = states.subspan(now);
        out += now * width;
    }
}

}  // namespace sheshbesh
