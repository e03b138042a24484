// The Python face of self-play: games in, arrays out. Conversion only.
#include "bind.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "arrays.h"
#include "released.h"
#include "sheshbesh/engine/hash.h"
#include "sheshbesh/engine/inputs.h"
#include "sheshbesh/engine/selfplay.h"
#include "sheshbesh/engine/static_evaluator.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

using SlotRows = nb::ndarray<const std::uint8_t, nb::shape<-1, kPositionSlots>, nb::c_contig, nb::device::cpu>;
using RuleRows = nb::ndarray<const std::uint8_t, nb::shape<-1, kRuleSlots>, nb::c_contig, nb::device::cpu>;

using Databases = std::vector<std::shared_ptr<ExactValues>>;

StaticEvaluator evaluator_of(const Ruleset& rules, const nb::bytes& net, const Databases& databases = {}) {
    const auto* data = static_cast<const std::byte*>(net.data());
    return StaticEvaluator(Evaluator(Net::parse(std::span(data, net.size())), rules),
                           {databases.begin(), databases.end()});
}

nb::tuple play_games(const Ruleset& rules, const nb::bytes& net, int games, std::uint64_t seed, float lambda,
                     float explore, float near, float near_margin, int random_plies, int longest_game, float keep,
                     float races, float known, float holding, float priming, float late, float running, int plies,
                     float inner, const Databases& databases) {
    if (games < 0 || random_plies < 0 || longest_game < 1 || plies < 0) {
        throw std::invalid_argument("games, random_plies and plies are counted from 0, longest_game from 1");
    }
    Searcher searcher(evaluator_of(rules, net, databases), {});
    SelfPlayOptions options;
    options.games = games;
    options.seed = seed;
    options.lambda = lambda;
    options.explore = explore;
    options.near = near;
    options.near_margin = near_margin;
    options.random_plies = random_plies;
    options.longest_game = longest_game;
    options.keep = keep;
    options.races = races;
    options.known = known;
    options.holding = holding;
    options.priming = priming;
    options.late = late;
    options.running = running;
    options.plies = plies;
    options.inner = inner;
    Samples samples;
    {
        const Released released;
        samples = self_play(searcher, options);
    }
    const auto classes = static_cast<std::size_t>(searcher.evaluator().classes().size());
    return nb::make_tuple(table(std::move(samples.slots), kPositionSlots), table(std::move(samples.targets), classes),
                          samples.games, samples.plays, samples.results);
}

// The upper half of a float, rounded: enough for a whole number up to 256 over a power of two.
std::uint16_t bfloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// For each value of each slot the units it adds, as bfloat16.
struct Spreads {
    struct Entry {
        std::uint16_t unit;
        std::uint16_t amount;
    };
    std::array<std::array<std::vector<Entry>, 256>, kSlots> of;

    explicit Spreads(const std::vector<float>& factors) {
        for (int slot = 0; slot < kSlots; ++slot) {
            for (int value = 0; value < slot_values(slot); ++value) {
                for (const Unit& unit : units(slot, value)) {
                    const float amount = static_cast<float>(unit.times) * factors[static_cast<std::size_t>(unit.index)];
                    of[static_cast<std::size_t>(slot)][static_cast<std::size_t>(value)].push_back(
                        {static_cast<std::uint16_t>(unit.index), bfloat(amount)});
                }
            }
        }
    }
};

// Slots as rows of units: what the first layer is trained on.
Rows<std::uint16_t> expand(const SlotRows& slots, const RuleRows& rules, const std::vector<float>& factors) {
    const std::size_t height = slots.shape(0);
    const auto width = static_cast<std::size_t>(unit_count());
    if (rules.shape(0) != height) throw std::invalid_argument("as many rows of rules as of positions are needed");
    if (factors.size() != width) throw std::invalid_argument("one factor a unit is needed");
    std::vector<std::uint16_t> out(height * width, 0);
    {
        const Released released;
        const auto spreads = std::make_unique<Spreads>(factors);
        for (std::size_t row = 0; row < height; ++row) {
            std::uint16_t* const target = out.data() + row * width;
            const auto put = [&](std::size_t slot, std::uint8_t value) {
                for (const auto& [unit, amount] : spreads->of[slot][value]) target[unit] = amount;
            };
            for (std::size_t i = 0; i < kPositionSlots; ++i) put(i, slots.data()[row * kPositionSlots + i]);
            for (std::size_t i = 0; i < kRuleSlots; ++i) {
                put(kPositionSlots + i, rules.data()[row * kRuleSlots + i]);
            }
        }
    }
    return table(std::move(out), width);
}

}  // namespace

void bind_training(nb::module_& m) {
    m.attr("POSITION_SLOTS") = kPositionSlots;
    m.attr("RULE_SLOTS") = kRuleSlots;
    m.def(
        "fnv1a",
        [](const nb::bytes& data) { return fnv1a(std::span(static_cast<const std::byte*>(data.data()), data.size())); },
        "data"_a, "The checksum of net files.");
    m.def(
        "rule_slots",
        [](const Ruleset& rules) {
            Slots slots;
            Extractor(rules).rules_only(slots);
            return nb::bytes(slots.data() + kPositionSlots, kRuleSlots);
        },
        "rules"_a, "The slots that hold the rules themselves.");
    m.def(
        "unit_scale", [] { return std::vector<int>(unit_scale().begin(), unit_scale().end()); },
        "The largest amount of each unit of the first layer.");
    m.def(
        "slot_units",
        [] {
            std::vector<std::vector<std::vector<std::pair<int, int>>>> table(kSlots);
            for (int slot = 0; slot < kSlots; ++slot) {
                for (int value = 0; value < slot_values(slot); ++value) {
                    auto& entry = table[static_cast<std::size_t>(slot)].emplace_back();
                    for (const Unit& unit : units(slot, value)) entry.emplace_back(unit.index, unit.times);
                }
            }
            return table;
        },
        "For each slot and each of its values the units (index, times).");
    m.def("self_play", &play_games, "rules"_a, "net"_a, nb::kw_only(), "games"_a, "seed"_a, "decay"_a, "explore"_a,
          "near"_a = 0.0f, "near_margin"_a = 0.05f, "random_plies"_a, "longest_game"_a, "keep"_a, "races"_a = 1.0f,
          "known"_a = 1.0f, "holding"_a = 0.0f, "priming"_a = 0.0f, "late"_a = 0.0f, "running"_a = 0.0f, "plies"_a = 0,
          "inner"_a = 0.0f, "databases"_a = nb::list(),
          "Games of a net (a file's bytes) with itself: (slots, targets, games, plays, results by class "
          "as White sees them). `decay` is lambda; with `plies` a target is a search of that depth over all throws, "
          "and with 1 "
          "the luck of later throws is taken out of it too. "
          "`races` and `known` are the shares of the positions without contact, and of those in `databases`, that "
          "are looked at; `holding`, `priming`, `late` and `running` the shares of the games that begin there; `inner` "
          "that "
          "of the replies on the way of two plies which are samples too. Values in the exact `databases` replace those "
          "of the net.");
    m.def("expand_slots", &expand, "slots"_a, "rules"_a, "factors"_a,
          "Units of positions, each times its factor, as the bits of bfloat16.");
}

}  // namespace sheshbesh
