// Vectors of the core as NumPy arrays that own them, and rows of positions as states.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sheshbesh/rows.h"

namespace sheshbesh {

template <typename T>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>, nanobind::c_contig>;
template <typename T>
using Rows = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>, nanobind::c_contig>;
using StateRows =
    nanobind::ndarray<const std::uint8_t, nanobind::shape<-1, static_cast<nanobind::ssize_t>(row::kWidth)>,
                      nanobind::c_contig, nanobind::device::cpu>;

namespace detail {

template <typename T>
std::pair<T*, nanobind::capsule> handed_over(std::vector<T>&& values) {
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = kept->data();
    nanobind::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    (void)kept.release();  // the capsule deletes it
    return {data, std::move(owner)};
}

}  // namespace detail

template <typename T>
Array<T> array(std::vector<T>&& values) {
    const std::size_t size = values.size();
    const auto [data, owner] = detail::handed_over(std::move(values));
    return Array<T>(data, {size}, owner);
}

template <typename T>
Rows<T> table(std::vector<T>&& values, std::size_t width) {
    const std::size_t height = values.size() / width;
    const auto [data, owner] = detail::handed_over(std::move(values));
    return Rows<T>(data, {height, width}, owner);
}

inline std::vector<State> states_of(const Ruleset& rules, const StateRows& rows) {
    std::vector<State> states;
    states.reserve(rows.shape(0));
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        try {
            states.push_back(read_row(rules, rows.data() + i * row::kWidth));
        } catch (const std::invalid_argument& fault) {
            throw std::invalid_argument("row " + std::to_string(i) + ": " + fault.what());
        }
    }
    return states;
}

}  // namespace sheshbesh
