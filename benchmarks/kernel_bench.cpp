// How fast nets are evaluated on one core: every instruction set, several shapes and batch sizes.
//
//   cmake -S . -B build/core && cmake --build build/core --target kernel_bench && build/core/kernel_bench [ISA]
//
// Positions are all candidates of the throws of random backgammon games, in the order of the generator.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "engine/nets.h"
#include "shapes.h"
#include "sheshbesh/engine/evaluator.h"
#include "sheshbesh/movegen.h"

namespace {

using namespace sheshbesh;

// Processor time of this process, seconds, so that other processes matter less.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The shortest time of one `run`, seconds, of as many as fit into a third of a second.
template <class Run>
double shortest(Run run) {
    double best = 1e9;
    for (const double until = seconds() + 0.33; seconds() < until;) {
        const double begin = seconds();
        run();
        best = std::min(best, seconds() - begin);
    }
    return best;
}

// The candidates of each throw lie together; `ends` says where each throw's end.
struct Positions {
    std::vector<State> states;
    std::vector<std::size_t> ends;
};

Positions play(const Ruleset& rules, std::size_t wanted) {
    Random random(1);
    Generator generator;
    Positions found;
    State state = start(rules, false);
    while (found.states.size() < wanted) {
        const Throw dice =
            element(rules, state, static_cast<int>(random.below(6)) + 1, static_cast<int>(random.below(6)) + 1);
        const std::vector<Play>& plays = generator.plays(rules, state, dice);
        if (plays.empty()) {
            state = start(rules, false);
            continue;
        }
        for (const Play& candidate : plays) found.states.push_back(position_after(rules, state, dice, candidate));
        found.ends.push_back(found.states.size());
        state = found.states[found.states.size() - 1 - random.below(static_cast<std::uint32_t>(plays.size()))];
    }
    return found;
}

void evaluate_in(Evaluator& evaluator, const std::vector<State>& states, std::size_t batch, float* out) {
    for (std::size_t at = 0; at + batch <= states.size(); at += batch) {
        evaluator.evaluate(std::span(states).subspan(at, batch), out);
    }
}

void report(const std::vector<int>& widths, const Ruleset& rules, const Positions& positions, const std::string& only) {
    std::string shape;
    for (const int width : widths) shape += std::to_string(width) + "-";
    const auto net = Net::parse(test::random_net(widths, 6, 1).file());
    std::printf("\n%s6, %zu parameters: thousands of evaluations a second\n", shape.c_str(), net->parameters());
    std::printf("%-12s %9s %9s %9s %9s\n", "", "each roll", "1", "20", "4096");
    std::vector<float> out(6 * 4096);
    for (const Isa isa : available_isas()) {
        if (!only.empty() && only != name(isa)) continue;
        force_isa(isa);
        Evaluator evaluator(net, rules);
        const double rolls = shortest([&] {
            std::size_t begin = 0;
            for (const std::size_t end : positions.ends) {
                evaluator.evaluate(std::span(positions.states).subspan(begin, end - begin), out.data());
                begin = end;
            }
        });
        std::printf("%-12s %9.0f", std::string(name(isa)).c_str(),
                    static_cast<double>(positions.states.size()) / rolls / 1000);
        for (const std::size_t batch : {1, 20, 4096}) {
            const double time = shortest([&] { evaluate_in(evaluator, positions.states, batch, out.data()); });
            const std::size_t done = positions.states.size() / batch * batch;
            std::printf(" %9.0f", static_cast<double>(done) / time / 1000);
        }
        std::printf("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string only = argc > 1 ? argv[1] : "";
    const Ruleset rules = test::hitting();
    const Positions positions = play(rules, 4096);
    const Extractor extractor(rules);
    Slots slots;
    std::uint64_t changed = 0;
    Slots last{};
    for (const State& state : positions.states) {
        extractor.extract(state, slots);
        for (std::size_t i = 0; i < slots.size(); ++i) changed += slots[i] != last[i];
        last = slots;
    }
    unsigned sum = 0;
    const double time = shortest([&] {
        for (const State& state : positions.states) {
            extractor.extract(state, slots);
            sum += slots[kPositionSlots - 1];
        }
    });
    std::printf("%zu positions of %zu throws; %.1f slots differ from one to the next (%u)\n", positions.states.size(),
                positions.ends.size(), static_cast<double>(changed) / static_cast<double>(positions.states.size()),
                sum);
    std::printf("extraction: %.0f ns a position\n", time / static_cast<double>(positions.states.size()) * 1e9);
    for (const auto& widths : std::vector<std::vector<int>>{{512, 256, 256}, {256, 64, 64}, {512, 512, 256, 256}}) {
        report(widths, rules, positions, only);
    }
    return 0;
}
