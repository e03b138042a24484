// The vectors of kernel_body.h in 512 bits. Included like it.

using Shorts = __m512i;
using Sums = __m512i;
using Bytes = __m512i;

constexpr int kShorts = 32;
constexpr int kLanes = 16;
// 32 registers: up to 24 sums, two weights, an activation, what products need.
constexpr int kTall = 12;
constexpr int kWide = 2;

inline Shorts load_shorts(const std::int16_t* from) { return _mm512_load_si512(from); }
inline void store_shorts(std::int16_t* to, Shorts shorts) { _mm512_store_si512(to, shorts); }
inline Shorts plus(Shorts a, Shorts b) { return _mm512_add_epi16(a, b); }
inline Shorts minus(Shorts a, Shorts b) { return _mm512_sub_epi16(a, b); }

inline void store_activations(std::uint8_t* to, Shorts shorts, int half, int shift) {
    // Saturation does no harm: 32767 >> 8 is still 127.
    const __m512i rounded = _mm512_adds_epi16(shorts, _mm512_set1_epi16(static_cast<short>(half)));
    const __m512i shifted = _mm512_sra_epi16(rounded, _mm_cvtsi32_si128(shift));
    const __m512i positive = _mm512_max_epi16(shifted, _mm512_setzero_si512());
    const __m512i clamped = _mm512_min_epi16(positive, _mm512_set1_epi16(127));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi16_epi8(clamped));
}

inline Sums load_sums(const std::int32_t* from) { return _mm512_load_si512(from); }
inline void store_sums(std::int32_t* to, Sums sums) { _mm512_storeu_si512(to, sums); }

inline void store_bytes(std::uint8_t* to, __m512i words) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(words));
}

// To the nearest whole number of 0 to `most`.
inline __m512i rounded(__m512 steps, float most) {
    return _mm512_cvtps_epi32(_mm512_min_ps(_mm512_max_ps(steps, _mm512_setzero_ps()), _mm512_set1_ps(most)));
}

inline __m512 scaled(Sums sums, const float* scale) {
    return _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_load_ps(scale));
}

inline void store_activations(std::uint8_t* to, Sums sums, const float* scale) {
    store_bytes(to, rounded(scaled(sums, scale), 127.0f));
}

inline void store_fine(std::uint8_t* high, std::uint8_t* low, Sums sums, const float* scale) {
    const __m512 steps = _mm512_mul_ps(scaled(sums, scale), _mm512_set1_ps(static_cast<float>(kFine)));
    const __m512i whole = rounded(steps, 127.0f * kFine);
    store_bytes(high, _mm512_srli_epi32(whole, 7));
    store_bytes(low, _mm512_and_si512(whole, _mm512_set1_epi32(kFine - 1)));
}

// Pins sums to one register: without it GCC keeps copies of all sums of a tile, half of them on the stack.
inline void hold(Sums& sums) { __asm__("" : "+v"(sums)); }

inline Bytes load_bytes(const std::int8_t* from) { return _mm512_load_si512(from); }
inline Bytes spread(const std::uint8_t* from) { return _mm512_set1_epi32(four_bytes(from)); }
