// The vectors of kernel_body.h in 256 bits. Included like it.

using Shorts = __m256i;
using Sums = __m256i;
using Bytes = __m256i;

constexpr int kShorts = 16;
constexpr int kLanes = 8;
// Sixteen registers: eight sums, two weights, an activation, what products need.
constexpr int kTall = 4;
constexpr int kWide = 2;

inline const __m256i* vectors(const void* memory) { return static_cast<const __m256i*>(memory); }
inline __m256i* vectors(void* memory) { return static_cast<__m256i*>(memory); }

inline Shorts load_shorts(const std::int16_t* from) { return _mm256_load_si256(vectors(from)); }
inline void store_shorts(std::int16_t* to, Shorts shorts) { _mm256_store_si256(vectors(to), shorts); }
inline Shorts plus(Shorts a, Shorts b) { return _mm256_add_epi16(a, b); }
inline Shorts minus(Shorts a, Shorts b) { return _mm256_sub_epi16(a, b); }

inline void store_activations(std::uint8_t* to, Shorts shorts, int half, int shift) {
    // Saturation does no harm: 32767 >> 8 is still 127.
    const __m256i rounded = _mm256_adds_epi16(shorts, _mm256_set1_epi16(static_cast<short>(half)));
    const __m256i shifted = _mm256_sra_epi16(rounded, _mm_cvtsi32_si128(shift));
    const __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(shifted), _mm256_extracti128_si256(shifted, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_max_epi8(packed, _mm_setzero_si128()));
}

inline Sums load_sums(const std::int32_t* from) { return _mm256_load_si256(vectors(from)); }
inline void store_sums(std::int32_t* to, Sums sums) { _mm256_storeu_si256(vectors(to), sums); }

inline void store_bytes(std::uint8_t* to, __m256i words) {
    const __m128i shorts = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(shorts, shorts));
}

// To the nearest whole number of 0 to `most`.
inline __m256i rounded(__m256 steps, float most) {
    return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(steps, _mm256_setzero_ps()), _mm256_set1_ps(most)));
}

inline __m256 scaled(Sums sums, const float* scale) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_load_ps(scale));
}

inline void store_activations(std::uint8_t* to, Sums sums, const float* scale) {
    store_bytes(to, rounded(scaled(sums, scale), 127.0f));
}

inline void store_fine(std::uint8_t* high, std::uint8_t* low, Sums sums, const float* scale) {
    const __m256 steps = _mm256_mul_ps(scaled(sums, scale), _mm256_set1_ps(static_cast<float>(kFine)));
    const __m256i whole = rounded(steps, 127.0f * kFine);
    store_bytes(high, _mm256_srli_epi32(whole, 7));
    store_bytes(low, _mm256_and_si256(whole, _mm256_set1_epi32(kFine - 1)));
}

// Pins sums to one register: without it GCC keeps copies of all sums of a tile, half of them on the stack.
inline void hold(Sums& sums) { __asm__("" : "+x"(sums)); }

inline Bytes load_bytes(const std::int8_t* from) { return _mm256_load_si256(vectors(from)); }
inline Bytes spread(const std::uint8_t* from) { return _mm256_set1_epi32(four_bytes(from)); }
