// A rule set from its answers to the axes: numbers by the names of axes.h, and the setup.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "convert.h"
#include "sheshbesh/axes.h"
#include "sheshbesh/ruleset.h"

namespace sheshbesh {

inline Ruleset make_ruleset(const std::map<std::string, int>& answers, const std::map<int, int>& setup) {
    Ruleset rules;
    for (const auto& [name, value] : answers) {
        const auto axis = std::ranges::find(kAxes, name, &Axis::name);
        if (axis == kAxes.end()) throw std::invalid_argument("no axis of the core: " + name);
        if (value < 0 || value >= axis->values) throw std::invalid_argument("out of range: " + name);
        axis->store(rules, value);
    }
    if (answers.size() != kAxes.size()) throw std::invalid_argument("an axis of the core was not given");
    Board board{};
    for (const auto& [point, checkers] : setup) {
        if (point < 1 || point > 24) throw std::invalid_argument("a point must be 1 to 24");
        board[static_cast<std::size_t>(point)] = checkers;
    }
    rules.setup = to_counts(board);
    return rules;
}

}  // namespace sheshbesh
