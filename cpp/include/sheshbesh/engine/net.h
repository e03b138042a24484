// A trained net in whole numbers: what is shipped and what plays.
//
// All sums are exact, so every instruction set gives the same bits. With `a` the activations (0..127):
//
//   first layer   s[j] = bias[j] + sum over slots of row(slot, value)[j]      16 bit, never overflows
//                 a[j] = clamp((s[j] + half) >> shift, 0, 127)
//   dense layers  s[i] = bias[i] + sum of weight[i][j] * a[j]                 8-bit weights, 32-bit sums
//                 a[i] = clamp(round_to_even(float(s[i]) * scale[i]), 0, 127)
//   the last one  a[i] = clamp(round_to_even(float(s[i]) * scale[i] * 128), 0, 127 * 128) / 128
//   output        z[k] = float(sum of weight[k][j] * a[j]) * scale[k] + bias[k]     16-bit weights
//                 p = softmax(z), by the own exp of this library
//
// Seven bits of activation let the AVX2 path add two products in sixteen bits without saturating. What the
// output reads is finer: nothing behind it would even out the rounding, and most of a net's error came from
// there. It is kept as two bytes of seven bits each, whole steps and 128ths, and summed in two passes; each
// sum is as large as one of whole steps at most, so it overflows no more easily. A net of a single hidden
// layer reads the whole steps of that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "sheshbesh/engine/aligned.h"
#include "sheshbesh/engine/inputs.h"

namespace sheshbesh {

// A file that is no net, is damaged, or was made for other inputs. The message names the fault.
class NetFormatError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// File, little-endian, no padding:
//   char magic[8] = "SSHNET01"
//   u32 input_set, units, layers (hidden layers, first included), classes, width[layers], shift
//   i16 first_weight[units][width0]; i16 first_bias[width0]
//   for each further hidden layer: i8 weight[out][in]; i32 bias[out]; f32 scale[out]
//   i16 weight[classes][in]; f32 bias[classes]; f32 scale[classes]
//   u64 fnv1a of everything before it
// Widths are multiples of 64 for the first layer, of 16 for the others, at most 2048; 1 to 6 hidden layers.
// `shift` is 0 to 8, `half` is half of 1 << shift, rounded down. No 32-bit sum may overflow either.
class Net {
public:
    // Throws NetFormatError, also when some position could overflow the sixteen bits of the first layer
    // (checked exactly for up to fifteen checkers a side).
    static std::shared_ptr<const Net> parse(std::span<const std::byte> file);

    int classes() const { return classes_; }
    std::span<const int> widths() const { return widths_; }
    std::size_t parameters() const { return parameters_; }

    struct Dense {
        int in = 0;
        int out = 0;
        std::vector<std::int8_t> weight;  // [out][in]
        std::vector<std::int32_t> bias;
        std::vector<float> scale;
    };

    // The summed row of a slot's value; `widths()[0]` entries, 64-byte aligned. Value 0 is all zeros.
    const std::int16_t* row(int slot, int value) const { return rows_.data() + first_row(slot, value); }
    std::span<const std::int16_t> first_bias() const { return first_bias_; }
    int shift() const { return shift_; }
    const std::vector<Dense>& dense() const { return dense_; }
    std::span<const std::int16_t> output_weight() const { return output_weight_; }  // [classes][in]
    std::span<const float> output_bias() const { return output_bias_; }
    std::span<const float> output_scale() const { return output_scale_; }

private:
    class Parser;

    std::size_t first_row(int slot, int value) const {
        return row_offset_[static_cast<std::size_t>(slot)] +
               static_cast<std::size_t>(value) * static_cast<std::size_t>(widths_[0]);
    }

    int classes_ = 0;
    int shift_ = 0;
    std::size_t parameters_ = 0;
    std::vector<int> widths_;
    std::vector<std::size_t> row_offset_;
    AlignedVector<std::int16_t> rows_;
    std::vector<std::int16_t> first_bias_;
    std::vector<Dense> dense_;
    std::vector<std::int16_t> output_weight_;
    std::vector<float> output_bias_;
    std::vector<float> output_scale_;
};

}  // namespace sheshbesh
