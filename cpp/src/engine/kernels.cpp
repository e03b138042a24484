// The baseline kernel, and the choice among all.
#include "kernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheshbesh/random.h"

namespace sheshbesh {

PackedLayer::PackedLayer(Packing packing, int inputs, int outputs, std::span<const std::int8_t> weights)
    : in(inputs), out((outputs + 15) / 16 * 16), stride(activation_stride(inputs)) {
    bias.resize(static_cast<std::size_t>(out));
    scale.resize(static_cast<std::size_t>(out));
    if (packing == Packing::rows) {
        rows.resize(static_cast<std::size_t>(in) * static_cast<std::size_t>(out));
        std::copy(weights.begin(), weights.end(), rows.begin());
        return;
    }
    fours.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(out));
    for (int i = 0; i < outputs; ++i) {
        for (int j = 0; j < in; ++j) {
            fours[static_cast<std::size_t>((i / 16 * (stride / 4) + j / 4) * 64 + i % 16 * 4 + j % 4)] =
                weights[static_cast<std::size_t>(i * in + j)];
        }
    }
}

namespace {

constexpr int kMostInputs = 2048;

// A page waits for its first move while code runs that is not yet optimised.
#ifdef __wasm__
constexpr Proof kStartProof = Proof::brief;
#else
constexpr Proof kStartProof = Proof::whole;
#endif

void baseline_first(const RowSum& rows, int width, int shift, std::int16_t* sums, std::uint8_t* activations) {
    // Sums are made in the unsigned type, where they may wrap round.
    constexpr int kBlock = 64;
    std::array<std::uint16_t, kBlock> block;
    const int half = (1 << shift) >> 1;
    for (int begin = 0; begin < width; begin += kBlock) {
        for (int j = 0; j < kBlock; ++j)
            block[static_cast<std::size_t>(j)] = static_cast<std::uint16_t>(rows.from[begin + j]);
        for (const std::int16_t* row : rows.added) {
            for (int j = 0; j < kBlock; ++j) {
                auto& sum = block[static_cast<std::size_t>(j)];
                sum = static_cast<std::uint16_t>(sum + static_cast<std::uint16_t>(row[begin + j]));
            }
        }
        for (const std::int16_t* row : rows.removed) {
            for (int j = 0; j < kBlock; ++j) {
                auto& sum = block[static_cast<std::size_t>(j)];
                sum = static_cast<std::uint16_t>(sum - static_cast<std::uint16_t>(row[begin + j]));
            }
        }
        for (int j = 0; j < kBlock; ++j) {
            const auto sum = static_cast<std::int16_t>(block[static_cast<std::size_t>(j)]);
            sums[begin + j] = sum;
            activations[begin + j] = static_cast<std::uint8_t>(std::clamp((sum + half) >> shift, 0, 127));
        }
    }
}

// Calls `use` with each position, output and sum, bias included.
template <class Use>
void baseline_products(const PackedLayer& layer, const std::uint8_t* in, int positions, Use use) {
    std::array<std::int16_t, kMostInputs> wide;
    for (int p = 0; p < positions; ++p) {
        std::copy(in + p * layer.stride, in + p * layer.stride + layer.in, wide.begin());
        for (int i = 0; i < layer.out; ++i) {
            const std::int16_t* row = layer.rows.data() + i * layer.in;
            std::int32_t sum = 0;
            for (int j = 0; j < layer.in; ++j) sum += row[j] * wide[static_cast<std::size_t>(j)];
            use(p, i, sum + layer.bias[static_cast<std::size_t>(i)]);
        }
    }
}

void baseline_sums(const PackedLayer& layer, const std::uint8_t* in, int positions, std::int32_t* out) {
    baseline_products(layer, in, positions, [&](int p, int i, std::int32_t sum) { out[p * layer.out + i] = sum; });
}

// To the nearest whole number of 0 to `most`, to the even one of two.
int rounded(float steps, float most) {
    // Adding 1.5 * 2^23 leaves no place for a fraction: what is cut off rounds to even.
    constexpr float kRounder = 12582912.0f;
    const float whole = (std::min(std::max(steps, 0.0f), most) + kRounder) - kRounder;
    return static_cast<int>(whole);
}

void baseline_dense(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* out) {
    const int stride = activation_stride(layer.out);
    baseline_products(layer, in, positions, [&](int p, int i, std::int32_t sum) {
        const float scaled = static_cast<float>(sum) * layer.scale[static_cast<std::size_t>(i)];
        out[p * stride + i] = static_cast<std::uint8_t>(rounded(scaled, 127.0f));
    });
}

void baseline_fine(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* high,
                   std::uint8_t* low) {
    const int stride = activation_stride(layer.out);
    baseline_products(layer, in, positions, [&](int p, int i, std::int32_t sum) {
        const float scaled = static_cast<float>(sum) * layer.scale[static_cast<std::size_t>(i)];
        const int whole = rounded(scaled * kFine, 127.0f * kFine);
        high[p * stride + i] = static_cast<std::uint8_t>(whole / kFine);
        low[p * stride + i] = static_cast<std::uint8_t>(whole % kFine);
    });
}

// Numbers for the proof of a kernel: all sizes of a chunk, full and ragged blocks, both ends of each range.
class Trial {
public:
    explicit Trial(Random& random) : random_(random) {}

    template <class T>
    void fill(AlignedVector<T>& values, int low, int high) {
        for (T& value : values) value = static_cast<T>(number(low, high));
    }
    int number(int low, int high) {
        // One in eight at an end of the range.
        const std::uint32_t kind = random_.below(16);
        if (kind < 2) return kind == 0 ? low : high;
        return low + static_cast<int>(random_.below(static_cast<std::uint32_t>(high - low + 1)));
    }

private:
    Random& random_;
};

bool first_agrees(const Kernel& kernel, Trial& trial, int width, int shift) {
    const auto size = static_cast<std::size_t>(width);
    std::array<AlignedVector<std::int16_t>, 6> rows;
    for (auto& row : rows) {
        row.resize(size);
        trial.fill(row, -32768, 32767);
    }
    const std::array<const std::int16_t*, 3> added = {rows[1].data(), rows[2].data(), rows[3].data()};
    const std::array<const std::int16_t*, 2> removed = {rows[4].data(), rows[5].data()};
    bool same = true;
    for (std::size_t count = 0; count <= added.size(); ++count) {
        const RowSum sum{rows[0].data(), std::span(added).first(count),
                         std::span(removed).first(std::min(count, removed.size()))};
        std::array<AlignedVector<std::int16_t>, 2> sums;
        std::array<AlignedVector<std::uint8_t>, 2> activations;
        for (std::size_t which = 0; which < 2; ++which) {
            sums[which].resize(size);
            activations[which].resize(size);
            (which == 0 ? kBaselineKernel : kernel)
                .first(sum, width, shift, sums[which].data(), activations[which].data());
        }
        same = same && sums[0] == sums[1] && activations[0] == activations[1];
    }
    return same;
}

bool dense_agrees(const Kernel& kernel, Trial& trial, int in, int out, int positions) {
    AlignedVector<std::int8_t> weights(static_cast<std::size_t>(in * out));
    trial.fill(weights, -128, 127);
    AlignedVector<std::uint8_t> inputs(static_cast<std::size_t>(kChunk * activation_stride(in)));
    trial.fill(inputs, 0, 127);
    AlignedVector<std::int32_t> bias(static_cast<std::size_t>(out));
    trial.fill(bias, -100000, 100000);
    std::array<AlignedVector<std::int32_t>, 2> sums;
    // Of each: coarse activations, then the whole steps and the 128ths of fine ones.
    std::array<std::array<AlignedVector<std::uint8_t>, 3>, 2> activations;
    for (std::size_t which = 0; which < 2; ++which) {
        const Kernel& tried = which == 0 ? kBaselineKernel : kernel;
        PackedLayer layer(tried.packing, in, out, weights);
        std::copy(bias.begin(), bias.end(), layer.bias.begin());
        // Powers of two, so that many sums lie exactly between two activations.
        for (std::size_t i = 0; i < layer.scale.size(); ++i) layer.scale[i] = 1.0f / static_cast<float>(64 << (i % 8));
        const int stride = activation_stride(layer.out);
        auto& [coarse, high, low] = activations[which];
        sums[which].resize(static_cast<std::size_t>(kChunk * layer.out));
        for (auto& plane : activations[which]) plane.resize(static_cast<std::size_t>(kChunk * stride));
        tried.sums(layer, inputs.data(), positions, sums[which].data());
        tried.dense(layer, inputs.data(), positions, coarse.data());
        tried.fine(layer, inputs.data(), positions, high.data(), low.data());
        // Beyond its outputs and positions a kernel may write what it likes.
        sums[which].resize(static_cast<std::size_t>(positions * layer.out));
        for (auto& plane : activations[which]) {
            for (int p = 0; p < kChunk; ++p) {
                const auto begin = plane.begin() + p * stride;
                std::fill(p < positions ? begin + layer.out : begin, begin + stride, std::uint8_t{0});
            }
        }
    }
    return sums[0] == sums[1] && activations[0] == activations[1];
}

std::vector<Kernel> proved_kernels() {
    std::vector<Kernel> proved = {kBaselineKernel};
    std::ranges::copy_if(machine_kernels(), std::back_inserter(proved),
                         [](const Kernel& kernel) { return agrees(kernel, kStartProof); });
    return proved;
}

constexpr std::array kIsas = {Isa::baseline,    Isa::avx2, Isa::avx_vnni,  Isa::avx512,
                              Isa::avx512_vnni, Isa::amx,  Isa::wasm_simd, Isa::wasm_relaxed};

bool available(Isa isa) {
    return std::ranges::any_of(kernels(), [isa](const Kernel& kernel) { return kernel.isa == isa; });
}

Isa first_choice() {
    if (const char* wanted = std::getenv("SHESHBESH_ISA")) {
        for (const Isa isa : kIsas) {
            if (name(isa) == wanted && available(isa)) return isa;
        }
    }
    return kernels().back().isa;
}

std::atomic<Isa>& choice() {
    static std::atomic<Isa> chosen = first_choice();
    return chosen;
}

}  // namespace

const Kernel kBaselineKernel = {Isa::baseline,  Packing::rows, baseline_first,
                                baseline_dense, baseline_fine, baseline_sums};

bool agrees(const Kernel& kernel, Proof proof) {
    Random random(20);
    Trial trial(random);
    // A short proof leaves out shifts and sizes, no part of the arithmetic: every height of a tile is in it.
    const int shifts = proof == Proof::whole ? 1 : 4;
    const int most = proof == Proof::whole ? kChunk : 8;
    for (int shift = 0; shift <= 8; shift += shifts) {
        if (!first_agrees(kernel, trial, shift % 2 == 0 ? 64 : 704, shift)) return false;
    }
    for (int positions = 1; positions <= most; positions += positions < 26 ? 1 : 19) {
        const int in = std::array{64, 16, 208}[static_cast<std::size_t>(positions % 3)];
        const int out = std::array{16, 32, 48, 112}[static_cast<std::size_t>(positions % 4)];
        if (!dense_agrees(kernel, trial, in, out, positions)) return false;
    }
    return true;
}

std::span<const Kernel> kernels() {
    static const std::vector<Kernel> proved = proved_kernels();
    return proved;
}

std::string_view name(Isa isa) {
    switch (isa) {
        case Isa::baseline:
            return "baseline";
        case Isa::avx2:
            return "avx2";
        case Isa::avx_vnni:
            return "avx_vnni";
        case Isa::avx512:
            return "avx512";
        case Isa::avx512_vnni:
            return "avx512_vnni";
        case Isa::amx:
            return "amx";
        case Isa::wasm_simd:
            return "wasm_simd";
        case Isa::wasm_relaxed:
            return "wasm_relaxed";
    }
    return "unknown";
}

std::vector<Isa> available_isas() {
    std::vector<Isa> isas;
    for (const Kernel& kernel : kernels()) isas.push_back(kernel.isa);
    return isas;
}

Isa active_isa() { return choice(); }

void force_isa(Isa isa) {
    if (!available(isa)) throw std::invalid_argument("this machine cannot run " + std::string(name(isa)));
    choice() = isa;
}

}  // namespace sheshbesh
