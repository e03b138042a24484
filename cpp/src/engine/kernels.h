// The arithmetic of nets, once for each instruction set. Every set gives the same whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sheshbesh/engine/aligned.h"
#include "sheshbesh/engine/evaluator.h"

namespace sheshbesh {

// How weights lie in memory: row after row, widened to sixteen bits, for a compiler to vectorise; or in
// blocks of sixteen outputs, in a block the four weights of four neighbouring inputs side by side, for
// instructions that multiply bytes in fours. A block of 64 inputs is then also a tile of AMX.
enum class Packing : std::uint8_t { rows, fours };

// A dense layer as the kernels read it.
struct PackedLayer {
    PackedLayer(Packing packing, int inputs, int outputs, std::span<const std::int8_t> weights);

    int in;
    int out;                           // a multiple of 16; outputs that the net has not are zero
    int stride;                        // from one position's inputs to the next one's: `in` rounded up to 64
    AlignedVector<std::int16_t> rows;  // [out][in]
    AlignedVector<std::int8_t> fours;  // [out / 16][stride / 4][16][4]
    AlignedVector<std::int32_t> bias;  // zero at first
    AlignedVector<float> scale;        // zero at first
};

// Rounds up to what positions of a layer of `width` activations are apart.
constexpr int activation_stride(int width) { return (width + 63) / 64 * 64; }

// Steps of an activation that the output reads in a step of one that a hidden layer reads.
constexpr int kFine = 128;

// Positions that are taken through the layers together; the size of activation buffers.
constexpr int kChunk = 64;

// Which rows of the first layer make up a sum.
struct RowSum {
    const std::int16_t* from;  // the sum to start from
    std::span<const std::int16_t* const> added;
    std::span<const std::int16_t* const> removed;
};

struct Kernel {
    Isa isa;
    Packing packing;
    // sums = from + added - removed, modulo 2^16; activations as in net.h. `width`: a multiple of 64; all
    // pointers but the activations' at the start of a cache line. `sums` may be `from`.
    void (*first)(const RowSum& rows, int width, int shift, std::int16_t* sums, std::uint8_t* activations);
    // Activations of the next layer, activation_stride(layer.out) apart, for up to kChunk positions; in all
    // three functions `in` is readable for kChunk positions, however many there are.
    void (*dense)(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* out);
    // The same in 128ths, for the output to read: the whole steps in `high`, what remains in `low`.
    void (*fine)(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* high,
                 std::uint8_t* low);
    // The plain sums, bias included: layer.out for each position.
    void (*sums)(const PackedLayer& layer, const std::uint8_t* in, int positions, std::int32_t* out);
};

// The kernels of this machine that agree with the baseline, slowest first; the baseline is the first.
std::span<const Kernel> kernels();

// Whether a kernel gives the same numbers as the baseline on random ones: in all shifts and sizes, or in a few.
enum class Proof : std::uint8_t { whole, brief };
bool agrees(const Kernel& kernel, Proof proof);

// Those that this build and this machine could run: untested.
extern const Kernel kBaselineKernel;
std::span<const Kernel> machine_kernels();

}  // namespace sheshbesh
