// Arguments from Python for a static evaluator: a net, the rules it plays, exact databases.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sheshbesh/engine/static_evaluator.h"

namespace sheshbesh {

// `class_map[i]`: the class of the rules that class i of the net counts for; none: the same classes.
using ClassMap = std::optional<std::vector<int>>;

inline Evaluator make_evaluator(const std::shared_ptr<const Net>& net, const Ruleset& rules,
                                const ClassMap& class_map) {
    return class_map ? Evaluator(net, rules, *class_map) : Evaluator(net, rules);
}

inline StaticEvaluator make_static_evaluator(const std::shared_ptr<const Net>& net, const Ruleset& rules,
                                             const ClassMap& class_map,
                                             const std::vector<std::shared_ptr<ExactValues>>& databases) {
    return StaticEvaluator(make_evaluator(net, rules, class_map), {databases.begin(), databases.end()});
}

}  // namespace sheshbesh
