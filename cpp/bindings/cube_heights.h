// The heights of a cube as they cross from Python.
#pragma once

#include <tuple>
#include <vector>

#include "sheshbesh/engine/cubeful_utility.h"

namespace sheshbesh {

// Value of each class, cash, drop, then whether I and they turn the cube, and do so at no cost, and whether the
// equities of a database apply.
using HeightTuple = std::tuple<std::vector<float>, float, float, bool, bool, bool, bool, bool>;

inline std::vector<HeightValues> cube_heights(const std::vector<HeightTuple>& tuples) {
    std::vector<HeightValues> made;
    made.reserve(tuples.size());
    for (const auto& [equity, cash, drop, mine, theirs, mine_free, theirs_free, tabled] : tuples) {
        made.push_back({equity, cash, drop, mine, theirs, mine_free, theirs_free, tabled});
    }
    return made;
}

}  // namespace sheshbesh
