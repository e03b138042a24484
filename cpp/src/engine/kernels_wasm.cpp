// The kernel for WebAssembly: one in each of the two builds, since a module with an instruction that the engine does
// not know is refused whole.
#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#include <array>
#include <span>

#include "kernels.h"

namespace sheshbesh {

namespace {

#ifdef __wasm_relaxed_simd__

namespace relaxed {
#include "kernel_vectors_128.h"

using Bytes = v128_t;

constexpr int kTall = 4;

inline Bytes load_bytes(const std::int8_t* from) { return wasm_v128_load(from); }
inline Bytes spread(const std::uint8_t* from) { return wasm_v128_load32_splat(from); }

// What is left open in the instruction asks for a second operand above 127 or for a sum of two products that
// leaves sixteen bits: activations are 0 to 127, weights -128 to 127.
inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    sums = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(weights, activations, sums);
}

#include "kernel_body.h"
}  // namespace relaxed

constexpr std::array kKernels = {
    Kernel{Isa::wasm_relaxed, Packing::fours, relaxed::first, relaxed::dense, relaxed::fine, relaxed::sums}};

#else

namespace simd {
#include "kernel_vectors_128.h"

// Sixteen bytes as two vectors of sixteen bits: those at even and at odd places.
struct Bytes {
    v128_t even;
    v128_t odd;
};

constexpr int kTall = 2;

inline Bytes load_bytes(const std::int8_t* from) {
    const v128_t bytes = wasm_v128_load(from);
    return {wasm_i16x8_shr(wasm_i16x8_shl(bytes, 8), 8), wasm_i16x8_shr(bytes, 8)};
}
inline Bytes spread(const std::uint8_t* from) {
    const v128_t bytes = wasm_v128_load32_splat(from);
    return {wasm_v128_and(bytes, wasm_i16x8_splat(0xFF)), wasm_u16x8_shr(bytes, 8)};
}

// Two products fit in sixteen bits: 2 * 127 * 128 < 2^15.
inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    const v128_t pairs =
        wasm_i16x8_add(wasm_i16x8_mul(activations.even, weights.even), wasm_i16x8_mul(activations.odd, weights.odd));
    sums = wasm_i32x4_add(sums, wasm_i32x4_extadd_pairwise_i16x8(pairs));
}

#include "kernel_body.h"
}  // namespace simd

constexpr std::array kKernels = {
    Kernel{Isa::wasm_simd, Packing::fours, simd::first, simd::dense, simd::fine, simd::sums}};

#endif

}  // namespace

std::span<const Kernel> machine_kernels() { return kKernels; }

}  // namespace sheshbesh

#endif
