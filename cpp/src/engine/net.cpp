#include "sheshbesh/engine/net.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/hash.h"
#include "sheshbesh/types.h"

namespace sheshbesh {

namespace {

constexpr std::string_view kMagic = "SSHNET01";
constexpr int kMaxLayers = 6;
constexpr int kMaxWidth = 2048;
// Beyond it no sum of sixteen bits could reach the largest activation.
constexpr int kMaxShift = 8;
constexpr int kMaxActivation = 127;
constexpr std::size_t kChecksumBytes = 8;

[[noreturn]] void fail(const std::string& what) { throw NetFormatError("net: " + what); }

// Little-endian numbers in sequence; the error names the place where a file is too short.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    T number(const char* what) {
        using Word =
            std::conditional_t<sizeof(T) == 1, std::uint8_t,
                               std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
        need(sizeof(T), what);
        Word word = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            word = static_cast<Word>(word | static_cast<Word>(static_cast<Word>(bytes_[at_ + i]) << (8 * i)));
        }
        at_ += sizeof(T);
        return std::bit_cast<T>(word);
    }

    template <class T>
    std::vector<T> numbers(std::size_t count, const char* what) {
        need(count * sizeof(T), what);
        std::vector<T> values(count);
        for (T& value : values) value = number<T>(what);
        return values;
    }

    std::size_t left() const { return bytes_.size() - at_; }

private:
    void need(std::size_t size, const char* what) const {
        if (size > left()) {
            fail("ends at byte " + std::to_string(bytes_.size()) + " inside " + what + ", which begins at byte " +
                 std::to_string(at_) + " and takes " + std::to_string(size));
        }
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

std::span<const std::byte> checked_content(std::span<const std::byte> file) {
    if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
        fail("the file does not begin with " + std::string(kMagic));
    }
    if (file.size() < kMagic.size() + kChecksumBytes) fail("the file ends after its first bytes");
    const auto content = file.first(file.size() - kChecksumBytes);
    if (Reader(file.last(kChecksumBytes)).number<std::uint64_t>("the checksum") != fnv1a(content)) {
        fail("the checksum does not match: the file is damaged or incomplete");
    }
    return content.subspan(kMagic.size());
}

std::string layer_name(std::size_t layer) { return "hidden layer " + std::to_string(layer + 1); }

void check_finite(const std::vector<float>& values, const std::string& what) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) fail(what + " " + std::to_string(i) + " is not finite");
    }
}

// The largest size a sum of weight times activation can have.
template <class Weight>
std::int64_t reach(const Weight* weights, std::size_t in) {
    std::int64_t total = 0;
    for (std::size_t j = 0; j < in; ++j) total += std::abs(static_cast<int>(weights[j]));
    return total * kMaxActivation;
}

Net::Dense read_dense(Reader& reader, int in, int out, std::size_t number) {
    const std::string name = layer_name(number);
    Net::Dense layer;
    layer.in = in;
    layer.out = out;
    const auto size = static_cast<std::size_t>(in) * static_cast<std::size_t>(out);
    layer.weight = reader.numbers<std::int8_t>(size, "the weights of a hidden layer");
    layer.bias = reader.numbers<std::int32_t>(static_cast<std::size_t>(out), "the biases of a hidden layer");
    layer.scale = reader.numbers<float>(static_cast<std::size_t>(out), "the scales of a hidden layer");
    if (std::find(layer.weight.begin(), layer.weight.end(), std::int8_t{-128}) != layer.weight.end()) {
        fail("a weight of " + name + " is -128; the least is -127");
    }
    check_finite(layer.scale, "scale of " + name + ", output");
    for (int i = 0; i < out; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t largest =
            reach(&layer.weight[at * static_cast<std::size_t>(in)], static_cast<std::size_t>(in)) +
            std::abs(std::int64_t{layer.bias[at]});
        if (largest > std::numeric_limits<std::int32_t>::max()) {
            fail("output " + std::to_string(i) + " of " + name + " can reach " + std::to_string(largest) +
                 ", too much for 32 bits");
        }
    }
    return layer;
}

// The least and the most that the first layer can sum up to, for each of its outputs.
class Bounds {
public:
    explicit Bounds(std::span<const std::int16_t> bias)
        : low_(bias.begin(), bias.end()), high_(bias.begin(), bias.end()) {}

    // A slot that takes any of its values whatever the others are. `rows`: those of its values in order.
    void add_free_slot(std::span<const std::int32_t> rows) {
        std::vector<std::int32_t> least(width());
        std::vector<std::int32_t> most(width());
        for (std::size_t row = 0; row < rows.size(); row += width()) {
            for (std::size_t j = 0; j < width(); ++j) {
                least[j] = std::min(least[j], rows[row + j]);
                most[j] = std::max(most[j], rows[row + j]);
            }
        }
        add(least, most);
    }

    // Slots that share fifteen checkers: the best and the worst way to place at most that number, slot by slot.
    void add_side(const std::vector<std::span<const std::int32_t>>& slots) {
        std::vector<std::int32_t> least((kMaxCheckers + 1) * width());
        std::vector<std::int32_t> most((kMaxCheckers + 1) * width());
        for (const std::span<const std::int32_t> rows : slots) {
            const std::size_t values = rows.size() / width();
            for (std::size_t checkers = kMaxCheckers; checkers > 0; --checkers) {
                for (std::size_t here = 1; here <= checkers && here < values; ++here) {
                    const std::int32_t* row = &rows[here * width()];
                    const std::size_t to = checkers * width();
                    const std::size_t from = (checkers - here) * width();
                    for (std::size_t j = 0; j < width(); ++j) {
                        least[to + j] = std::min(least[to + j], least[from + j] + row[j]);
                        most[to + j] = std::max(most[to + j], most[from + j] + row[j]);
                    }
                }
            }
        }
        const std::size_t all = kMaxCheckers * width();
        add(std::span(least).subspan(all), std::span(most).subspan(all));
    }

    void check() const {
        using Limits = std::numeric_limits<std::int16_t>;
        for (std::size_t j = 0; j < width(); ++j) {
            if (low_[j] < Limits::min() || high_[j] > Limits::max()) {
                fail("output " + std::to_string(j) + " of the first layer can reach " +
                     std::to_string(high_[j] > Limits::max() ? high_[j] : low_[j]) + ", too much for 16 bits");
            }
        }
    }

private:
    std::size_t width() const { return low_.size(); }
    void add(std::span<const std::int32_t> least, std::span<const std::int32_t> most) {
        for (std::size_t j = 0; j < width(); ++j) {
            low_[j] += least[j];
            high_[j] += most[j];
        }
    }

    std::vector<std::int64_t> low_;
    std::vector<std::int64_t> high_;
};

}  // namespace

// Fills a net from a file, part by part in the order of the file.
class Net::Parser {
public:
    Parser(std::span<const std::byte> file, Net& net) : reader_(checked_content(file)), net_(net) {}

    void parse() {
        read_header();
        read_first_layer();
        for (std::size_t layer = 1; layer < net_.widths_.size(); ++layer) {
            net_.dense_.push_back(read_dense(reader_, net_.widths_[layer - 1], net_.widths_[layer], layer));
            net_.parameters_ += net_.dense_.back().weight.size() + net_.dense_.back().bias.size();
        }
        read_output();
        if (reader_.left() != 0) fail(std::to_string(reader_.left()) + " bytes follow the last layer");
    }

private:
    int header_number(int low, int high, const char* what) {
        const auto value = reader_.number<std::uint32_t>("the header");
        if (value < static_cast<std::uint32_t>(low) || value > static_cast<std::uint32_t>(high)) {
            fail(std::string(what) + " is " + std::to_string(value) + ", not in " + std::to_string(low) + " to " +
                 std::to_string(high));
        }
        return static_cast<int>(value);
    }

    void read_header() {
        const auto input_set = reader_.number<std::uint32_t>("the header");
        if (input_set != static_cast<std::uint32_t>(kInputSet)) {
            fail("made for input set " + std::to_string(input_set) + "; this program has set " +
                 std::to_string(kInputSet));
        }
        const auto height = reader_.number<std::uint32_t>("the header");
        if (height != static_cast<std::uint32_t>(unit_count())) {
            fail("made for " + std::to_string(height) + " units; input set " + std::to_string(kInputSet) + " has " +
                 std::to_string(unit_count()));
        }
        const int layers = header_number(1, kMaxLayers, "the number of hidden layers");
        net_.classes_ = header_number(1, kMaxClasses, "the number of classes");
        for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
            const int step = layer == 0 ? 64 : 16;
            const int width = header_number(step, kMaxWidth, "the width of a hidden layer");
            if (width % step != 0) {
                fail("the width of " + layer_name(layer) + " is " + std::to_string(width) + ", no multiple of " +
                     std::to_string(step));
            }
            net_.widths_.push_back(width);
        }
        net_.shift_ = header_number(0, kMaxShift, "the shift");
    }

    void read_first_layer() {
        const auto width = static_cast<std::size_t>(net_.widths_[0]);
        const auto height = static_cast<std::size_t>(unit_count());
        const auto weight = reader_.numbers<std::int16_t>(height * width, "the weights of the first layer");
        net_.first_bias_ = reader_.numbers<std::int16_t>(width, "the biases of the first layer");
        net_.parameters_ += weight.size() + width;

        std::size_t rows = 0;
        for (int slot = 0; slot < kSlots; ++slot) {
            net_.row_offset_.push_back(rows * width);
            rows += static_cast<std::size_t>(slot_values(slot));
        }
        net_.row_offset_.push_back(rows * width);
        const std::vector<std::int32_t> sums = summed_rows(weight, rows * width);
        check_bounds(sums);
        // A single row may pass sixteen bits where no sum can: sums wrap round and come back.
        net_.rows_.resize(sums.size());
        std::transform(sums.begin(), sums.end(), net_.rows_.begin(),
                       [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
    }

    std::vector<std::int32_t> summed_rows(const std::vector<std::int16_t>& weight, std::size_t size) const {
        const auto width = static_cast<std::size_t>(net_.widths_[0]);
        std::vector<std::int32_t> sums(size);
        for (int slot = 0; slot < kSlots; ++slot) {
            for (int value = 0; value < slot_values(slot); ++value) {
                std::int32_t* row = &sums[net_.first_row(slot, value)];
                for (const Unit& unit : units(slot, value)) {
                    const std::int16_t* added = &weight[static_cast<std::size_t>(unit.index) * width];
                    for (std::size_t j = 0; j < width; ++j) row[j] += unit.times * added[j];
                }
            }
        }
        return sums;
    }

    void check_bounds(std::span<const std::int32_t> sums) const {
        const auto rows_of = [&](int slot) {
            const auto at = static_cast<std::size_t>(slot);
            return sums.subspan(net_.row_offset_[at], net_.row_offset_[at + 1] - net_.row_offset_[at]);
        };
        Bounds bounds(net_.first_bias_);
        for (int side = 0; side < 2; ++side) {
            std::vector<std::span<const std::int32_t>> places;
            places.reserve(kSideSlots);
            for (int index = 0; index < kSideSlots; ++index) places.push_back(rows_of(count_slot(side, index)));
            bounds.add_side(places);
        }
        for (int slot = 2 * kSideSlots; slot < kSlots; ++slot) bounds.add_free_slot(rows_of(slot));
        bounds.check();
    }

    void read_output() {
        const auto in = static_cast<std::size_t>(net_.widths_.back());
        const auto classes = static_cast<std::size_t>(net_.classes_);
        net_.output_weight_ = reader_.numbers<std::int16_t>(classes * in, "the weights of the output");
        net_.output_bias_ = reader_.numbers<float>(classes, "the biases of the output");
        net_.output_scale_ = reader_.numbers<float>(classes, "the scales of the output");
        net_.parameters_ += classes * in + classes;
        check_finite(net_.output_bias_, "bias of the output, class");
        check_finite(net_.output_scale_, "scale of the output, class");
        for (std::size_t k = 0; k < classes; ++k) {
            const std::int64_t largest = reach(&net_.output_weight_[k * in], in);
            if (largest > std::numeric_limits<std::int32_t>::max()) {
                fail("class " + std::to_string(k) + " of the output can reach " + std::to_string(largest) +
                     ", too much for 32 bits");
            }
            // Far inside what a float holds, so that the difference of two classes is still a number.
            constexpr double kMostLogit = 1e30;
            const double logit = static_cast<double>(largest) * std::abs(static_cast<double>(net_.output_scale_[k])) +
                                 std::abs(static_cast<double>(net_.output_bias_[k]));
            if (logit > kMostLogit) fail("class " + std::to_string(k) + " of the output can pass 1e30");
        }
    }

    Reader reader_;
    Net& net_;
};

std::shared_ptr<const Net> Net::parse(std::span<const std::byte> file) {
    auto net = std::make_shared<Net>();
    Parser(file, *net).parse();
    return net;
}

}  // namespace sheshbesh
