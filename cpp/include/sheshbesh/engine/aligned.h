// Vectors that begin at a cache line: what the kernels load and store.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sheshbesh {

constexpr std::size_t kCacheLine = 64;

template <class T>
struct CacheLineAllocator {
    using value_type = T;

    CacheLineAllocator() = default;
    template <class Other>
    explicit CacheLineAllocator(const CacheLineAllocator<Other>&) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kCacheLine}));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t{kCacheLine}); }

    bool operator==(const CacheLineAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace sheshbesh
