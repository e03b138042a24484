// Net evaluation of many positions at once.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/inputs.h"
#include "sheshbesh/engine/net.h"

namespace sheshbesh {

// The instruction sets a kernel exists for. All give the same bits.
enum class Isa : std::uint8_t { baseline, avx2, avx_vnni, avx512, avx512_vnni, amx, wasm_simd, wasm_relaxed };

std::string_view name(Isa isa);
// Those that this machine can run, slowest first; `baseline` is always there.
std::vector<Isa> available_isas();
// The path that evaluators made from now on take: the fastest available, or SHESHBESH_ISA from the
// environment (read once; an unknown or unavailable name is ignored), or what `force_isa` set.
Isa active_isa();
// Throws std::invalid_argument for a path that this machine cannot run.
void force_isa(Isa isa);

// A net bound to a rule set, with its scratch memory: one per thread.
class Evaluator {
public:
    // Throws NetFormatError if the net has another number of classes than the rule set; see `mapped`.
    Evaluator(std::shared_ptr<const Net> net, const Ruleset& rules);
    // For a net made for other scoring: `net_to_rules[i]` is the class of `rules` that the net's class i
    // counts for.
    Evaluator(std::shared_ptr<const Net> net, const Ruleset& rules, std::vector<int> net_to_rules);
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    const Ruleset& rules() const;
    const ClassTable& classes() const;

    // The probability of each class for the side on roll, before it throws: states.size() rows of
    // classes().size(). The net alone: finished games are not recognised. A row does not depend on
    // what else is in the batch, on the path or on the thread.
    void evaluate(std::span<const State> states, float* out);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sheshbesh
