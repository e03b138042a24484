// The text id of a position; its format is told in src/sheshbesh/rules/ids.py.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheshbesh/description.h"

namespace sheshbesh {

inline constexpr int kLongestId = 200;

struct ReadId {
    Description description;
    std::vector<Problem> problems;  // empty: the description is that of a position
};

// What an id says, for as long as its text is there. Where that cannot be read it is the only problem.
ReadId read_id(const Ruleset& rules, std::string_view text);

std::string write_id(const Ruleset& rules, const State& state);

}  // namespace sheshbesh
