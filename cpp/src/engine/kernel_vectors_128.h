// The vectors of kernel_body.h in the 128 bits of WebAssembly. Included like it.

using Shorts = v128_t;
using Sums = v128_t;

constexpr int kShorts = 8;
constexpr int kLanes = 4;
// A block of sixteen outputs: narrower tiles would have to begin within one.
constexpr int kWide = 4;

inline Shorts load_shorts(const std::int16_t* from) { return wasm_v128_load(from); }
inline void store_shorts(std::int16_t* to, Shorts shorts) { wasm_v128_store(to, shorts); }
inline Shorts plus(Shorts a, Shorts b) { return wasm_i16x8_add(a, b); }
inline Shorts minus(Shorts a, Shorts b) { return wasm_i16x8_sub(a, b); }

inline void store_activations(std::uint8_t* to, Shorts shorts, int half, int shift) {
    // Saturation does no harm: 32767 >> 8 is still 127.
    const v128_t rounded = wasm_i16x8_add_sat(shorts, wasm_i16x8_splat(static_cast<std::int16_t>(half)));
    const v128_t shifted = wasm_i16x8_shr(rounded, static_cast<std::uint32_t>(shift));
    const v128_t packed = wasm_i8x16_narrow_i16x8(shifted, shifted);
    wasm_v128_store64_lane(to, wasm_i8x16_max(packed, wasm_i8x16_splat(0)), 0);
}

inline Sums load_sums(const std::int32_t* from) { return wasm_v128_load(from); }
inline void store_sums(std::int32_t* to, Sums sums) { wasm_v128_store(to, sums); }

inline void store_bytes(std::uint8_t* to, v128_t words) {
    const v128_t shorts = wasm_i16x8_narrow_i32x4(words, words);
    wasm_v128_store32_lane(to, wasm_i8x16_narrow_i16x8(shorts, shorts), 0);
}

// To the nearest whole number of 0 to `most`, to the even one of two.
inline v128_t rounded(v128_t steps, float most) {
    const v128_t bounded = wasm_f32x4_pmin(wasm_f32x4_pmax(steps, wasm_f32x4_splat(0.0f)), wasm_f32x4_splat(most));
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(bounded));
}

inline v128_t scaled(Sums sums, const float* scale) {
    return wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums), wasm_v128_load(scale));
}

inline void store_activations(std::uint8_t* to, Sums sums, const float* scale) {
    store_bytes(to, rounded(scaled(sums, scale), 127.0f));
}

inline void store_fine(std::uint8_t* high, std::uint8_t* low, Sums sums, const float* scale) {
    const v128_t steps = wasm_f32x4_mul(scaled(sums, scale), wasm_f32x4_splat(static_cast<float>(kFine)));
    const v128_t whole = rounded(steps, 127.0f * kFine);
    store_bytes(high, wasm_u32x4_shr(whole, 7));
    store_bytes(low, wasm_v128_and(whole, wasm_i32x4_splat(kFine - 1)));
}

// The engine that runs this chooses the registers.
inline void hold(Sums&) {}
