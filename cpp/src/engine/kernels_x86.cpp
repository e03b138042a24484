// The kernels for x86-64. Nothing in here runs unless the processor and the system were asked.
#include "kernels.h"

#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define SHESHBESH_X86 1
#endif

#ifdef SHESHBESH_X86

#if defined(__GNUC__) && !defined(__clang__)
// GCC's own headers begin some vectors undefined on purpose, and GCC 12 warns of it (its bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <cpuid.h>
#include <immintrin.h>

#include <array>
#include <cstring>
#include <vector>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Everything between the two is compiled for the instructions named.
#define SHESHBESH_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define SHESHBESH_BEGIN(isa) SHESHBESH_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define SHESHBESH_END _Pragma("clang attribute pop")
#else
#define SHESHBESH_BEGIN(isa) _Pragma("GCC push_options") SHESHBESH_PRAGMA(GCC target(isa))
#define SHESHBESH_END _Pragma("GCC pop_options")
#endif

namespace sheshbesh {

namespace {

std::int32_t four_bytes(const std::uint8_t* bytes) {
    std::int32_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
}

SHESHBESH_BEGIN("avx2")
namespace avx2 {
#include "kernel_vectors_256.h"

inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    const __m256i pairs = _mm256_maddubs_epi16(activations, weights);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    hold(sums);
}

#include "kernel_body.h"
}  // namespace avx2
SHESHBESH_END

SHESHBESH_BEGIN("avx2,avxvnni")
namespace avx_vnni {
#include "kernel_vectors_256.h"

inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums) : "x"(activations), "x"(weights));
}

#include "kernel_body.h"
}  // namespace avx_vnni
SHESHBESH_END

SHESHBESH_BEGIN("avx512f,avx512bw")
namespace avx512 {
#include "kernel_vectors_512.h"

inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    const __m512i pairs = _mm512_maddubs_epi16(activations, weights);
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
    hold(sums);
}

#include "kernel_body.h"
}  // namespace avx512
SHESHBESH_END

SHESHBESH_BEGIN("avx512f,avx512bw,avx512vnni")
namespace avx512_vnni {
#include "kernel_vectors_512.h"

inline void add_products(Sums& sums, Bytes activations, Bytes weights) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(activations), "v"(weights));
}

#include "kernel_body.h"
}  // namespace avx512_vnni
SHESHBESH_END

// Tiles: sixteen positions times sixteen outputs at once. No intrinsics: those of GCC 12 do not tell the
// compiler that a tile is read from memory.
SHESHBESH_BEGIN("avx512f,avx512bw,avx512vnni")
namespace amx {

constexpr int kRows = 16;  // positions of a tile
constexpr int kOutputs = 16;
constexpr int kInputs = 64;
// Fewer positions than this fill so little of a tile that vectors are as fast.
constexpr int kFewPositions = 8;

// What LDTILECFG reads: all eight tiles of sixteen rows of 64 bytes.
struct Shapes {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::array<std::uint8_t, 14> reserved{};
    std::array<std::uint16_t, 16> row_bytes{64, 64, 64, 64, 64, 64, 64, 64};
    std::array<std::uint8_t, 16> rows{16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Shapes) == 64);

inline void begin(const Shapes& shapes) { __asm__ volatile("ldtilecfg %0" : : "m"(shapes) : "memory"); }
inline void end() { __asm__ volatile("tilerelease" : : : "memory"); }

template <int Tile>
inline void clear() {
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(Tile));
}

template <int Tile>
inline void load(const void* from, std::ptrdiff_t stride) {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(Tile) : "memory");
}

template <int Tile>
inline void store(void* to, std::ptrdiff_t stride) {
    __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(Tile) : "memory");
}

// Adds the products of unsigned bytes of `Positions` and signed ones of `Weights`.
template <int Sums, int Positions, int Weights>
inline void multiply() {
    __asm__ volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sums), "i"(Positions), "i"(Weights));
}

template <int Tile, class To>
inline void put(const PackedLayer& layer, int position, int positions, int output, const To& to) {
    alignas(kCacheLine) std::array<std::int32_t, kRows * kOutputs> sums;
    store<Tile>(sums.data(), kOutputs * sizeof(std::int32_t));
    const __m512i bias = avx512_vnni::load_sums(layer.bias.data() + output);
    for (int p = 0; p < kRows && position + p < positions; ++p) {
        const __m512i row = avx512_vnni::load_sums(sums.data() + p * kOutputs);
        to.put(layer, position + p, output, _mm512_add_epi32(row, bias));
    }
}

// Up to two tiles of positions times up to two of outputs: tiles 0 to 3 hold the sums, 4 and 5 the
// positions, 6 and 7 the weights.
template <bool kTwoHigh, bool kTwoWide, class To>
inline void tile_block(const PackedLayer& layer, const std::uint8_t* in, int position, int positions, int output,
                       const To& to) {
    const std::ptrdiff_t stride = layer.stride;
    const std::uint8_t* high = in + position * stride;
    const std::int8_t* left = layer.fours.data() + output * stride;
    clear<0>();
    if constexpr (kTwoWide) clear<1>();
    if constexpr (kTwoHigh) clear<2>();
    if constexpr (kTwoHigh && kTwoWide) clear<3>();
    for (std::ptrdiff_t j = 0; j < stride; j += kInputs) {
        load<4>(high + j, stride);
        load<6>(left + j * kOutputs, kInputs);
        multiply<0, 4, 6>();
        if constexpr (kTwoWide) {
            load<7>(left + (stride + j) * kOutputs, kInputs);
            multiply<1, 4, 7>();
        }
        if constexpr (kTwoHigh) {
            load<5>(high + kRows * stride + j, stride);
            multiply<2, 5, 6>();
        }
        if constexpr (kTwoHigh && kTwoWide) multiply<3, 5, 7>();
    }
    put<0>(layer, position, positions, output, to);
    if constexpr (kTwoWide) put<1>(layer, position, positions, output + kOutputs, to);
    if constexpr (kTwoHigh) put<2>(layer, position + kRows, positions, output, to);
    if constexpr (kTwoHigh && kTwoWide) put<3>(layer, position + kRows, positions, output + kOutputs, to);
}

template <bool kTwoWide, class To>
inline void tile_columns(const PackedLayer& layer, const std::uint8_t* in, int positions, int output, const To& to) {
    for (int position = 0; position < positions; position += 2 * kRows) {
        if (positions - position > kRows) {
            tile_block<true, kTwoWide>(layer, in, position, positions, output, to);
        } else {
            tile_block<false, kTwoWide>(layer, in, position, positions, output, to);
        }
    }
}

template <class To>
inline void tiled(const PackedLayer& layer, const std::uint8_t* in, int positions, const To& to) {
    static constexpr Shapes kShapes;
    begin(kShapes);
    int output = 0;
    for (; output + 2 * kOutputs <= layer.out; output += 2 * kOutputs) {
        tile_columns<true>(layer, in, positions, output, to);
    }
    if (output < layer.out) tile_columns<false>(layer, in, positions, output, to);
    end();
}

inline void dense(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* out) {
    if (positions < kFewPositions) return avx512_vnni::dense(layer, in, positions, out);
    tiled(layer, in, positions, avx512_vnni::ToActivations{out, activation_stride(layer.out)});
}

inline void fine(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* high,
                 std::uint8_t* low) {
    if (positions < kFewPositions) return avx512_vnni::fine(layer, in, positions, high, low);
    tiled(layer, in, positions, avx512_vnni::ToFine{high, low, activation_stride(layer.out)});
}

inline void sums(const PackedLayer& layer, const std::uint8_t* in, int positions, std::int32_t* out) {
    if (positions < kFewPositions) return avx512_vnni::sums(layer, in, positions, out);
    tiled(layer, in, positions, avx512_vnni::ToSums{out, layer.out});
}

}  // namespace amx
SHESHBESH_END

// Which instructions the processor has and the system saves the registers of.
struct Machine {
    bool avx2 = false;
    bool avx_vnni = false;
    bool avx512 = false;
    bool avx512_vnni = false;
    bool amx = false;
};

std::uint64_t saved_registers() {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (std::uint64_t{high} << 32) | low;
}

// Tiles are given to a process only when it asks.
bool granted_tiles() {
#ifdef __linux__
    constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

Machine detect_machine() {
    Machine machine;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned kSystemSaves = 1u << 27;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSystemSaves) == 0) return machine;
    const std::uint64_t saved = saved_registers();
    const auto saves = [saved](std::uint64_t wanted) { return (saved & wanted) == wanted; };
    constexpr std::uint64_t kVectors = 0x6;
    constexpr std::uint64_t kLongVectors = kVectors | 0xE0;
    constexpr std::uint64_t kTiles = 0x60000;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return machine;
    const unsigned most = a;
    const auto has = [](unsigned word, int index) { return ((word >> index) & 1) != 0; };
    machine.avx2 = saves(kVectors) && has(b, 5);
    machine.avx512 = machine.avx2 && saves(kLongVectors) && has(b, 16) && has(b, 30);
    machine.avx512_vnni = machine.avx512 && has(c, 11);
    machine.amx = machine.avx512_vnni && saves(kTiles) && has(d, 24) && has(d, 25) && granted_tiles();
    if (most >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) machine.avx_vnni = machine.avx2 && has(a, 4);
    return machine;
}

}  // namespace

std::span<const Kernel> machine_kernels() {
    static const std::vector<Kernel> found = [] {
        const Machine machine = detect_machine();
        std::vector<Kernel> all;
        const auto add = [&all](bool runs, const Kernel& kernel) {
            if (runs) all.push_back(kernel);
        };
        constexpr auto kFours = Packing::fours;
        add(machine.avx2, {Isa::avx2, kFours, avx2::first, avx2::dense, avx2::fine, avx2::sums});
        add(machine.avx_vnni,
            {Isa::avx_vnni, kFours, avx_vnni::first, avx_vnni::dense, avx_vnni::fine, avx_vnni::sums});
        add(machine.avx512, {Isa::avx512, kFours, avx512::first, avx512::dense, avx512::fine, avx512::sums});
        add(machine.avx512_vnni,
            {Isa::avx512_vnni, kFours, avx512_vnni::first, avx512_vnni::dense, avx512_vnni::fine, avx512_vnni::sums});
        add(machine.amx, {Isa::amx, kFours, avx512_vnni::first, amx::dense, amx::fine, amx::sums});
        return all;
    }();
    return found;
}

}  // namespace sheshbesh

#elif !defined(__wasm_simd128__)

namespace sheshbesh {

std::span<const Kernel> machine_kernels() { return {}; }

}  // namespace sheshbesh

#endif
