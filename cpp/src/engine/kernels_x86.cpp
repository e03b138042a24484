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

Machine look() {
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
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return machine;
    const unsigned most = a;
    const auto has = [](unsigned word, int index) { return ((word >> index) & 1) != 0; };
    machine.avx2 = saves(kVectors) && has(b, 5);
    machine.avx512 = machine.avx2 && saves(kLongVectors) && has(b, 16) && has(b, 30);
    machine.avx512_vnni = machine.avx512 && has(c, 11);
    if (most >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) machine.avx_vnni = machine.avx2 && has(a, 4);
    return machine;
}

}  // namespace

std::span<const Kernel> machine_kernels() {
    static const std::vector<Kernel> found = [] {
        const Machine machine = look();
        std::vector<Kernel> all;
        if (machine.avx2) all.push_back({Isa::avx2, Packing::fours, avx2::first, avx2::dense, avx2::sums});
        if (machine.avx_vnni) {
            all.push_back({Isa::avx_vnni, Packing::fours, avx_vnni::first, avx_vnni::dense, avx_vnni::sums});
        }
        if (machine.avx512) all.push_back({Isa::avx512, Packing::fours, avx512::first, avx512::dense, avx512::sums});
        if (machine.avx512_vnni) {
            all.push_back(
                {Isa::avx512_vnni, Packing::fours, avx512_vnni::first, avx512_vnni::dense, avx512_vnni::sums});
        }
        return all;
    }();
    return found;
}

}  // namespace sheshbesh

#else

namespace sheshbesh {

std::span<const Kernel> machine_kernels() { return {}; }

}  // namespace sheshbesh

#endif
