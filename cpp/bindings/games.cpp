// Positions as arrays, and games for learning: NumPy in and out, without copies where the core has the memory.
#include "sheshbesh/games.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bind.h"
#include "released.h"
#include "sheshbesh/rows.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sheshbesh {
namespace {

// A game with a generator of its own, for Python's loops: one call a decision.
class SingleGame {
public:
    SingleGame(const Ruleset& rules, std::uint64_t seed, bool first_double, int longest)
        : rules_(rules), game_(rules_, {first_double, longest}, seed) {
        reset();
    }
    ~SingleGame() = default;
    SingleGame(const SingleGame&) = delete;
    SingleGame& operator=(const SingleGame&) = delete;
    SingleGame(SingleGame&&) = delete;
    SingleGame& operator=(SingleGame&&) = delete;

    int reset() {
        last_ = {};
        game_.restart(generator_);
        return actions();
    }
    // The number of legal decisions that follow; 0 at the end.
    int step(int action) {
        if (action < 0 || action >= actions()) {
            throw std::invalid_argument("there are " + std::to_string(actions()) + " legal actions, and " +
                                        std::to_string(action) + " is none of them");
        }
        last_ = game_.step(generator_, static_cast<std::size_t>(action));
        return actions();
    }
    void write(std::uint8_t* observation, std::int8_t* mask, std::size_t width) {
        write_row(game_.state(), observation);
        observation[row::kDice] = static_cast<std::uint8_t>(game_.dice().high);
        observation[row::kDice + 1] = static_cast<std::uint8_t>(game_.dice().low);
        observation[row::kDice + 2] = static_cast<std::uint8_t>(game_.dice().steps);
        const auto legal = static_cast<std::size_t>(actions());
        std::fill_n(mask, legal, std::int8_t{1});
        std::fill(mask + legal, mask + width, std::int8_t{0});
    }
    // What it goes on from, with the outcome of the last decision.
    struct Memory {
        Game::Memory game;
        Game::Outcome last;
    };
    Memory memory() const { return {game_.memory(), last_}; }
    void recall(const Memory& memory) {
        game_.recall(generator_, memory.game);
        last_ = memory.last;
    }
    int actions() const { return is_over() ? 0 : static_cast<int>(game_.actions()); }
    bool is_over() const { return last_.ended || last_.truncated; }
    const Game::Outcome& last() const { return last_; }
    const Game& game() const { return game_; }

private:
    Ruleset rules_;
    Generator generator_;
    Game game_;
    Game::Outcome last_;
};

// Plain values as bytes of this build, and back; refuses those of another length.
template <typename T>
nb::bytes bytes_of(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return nb::bytes(reinterpret_cast<const char*>(values), count * sizeof(T));
}
template <typename T>
void from_bytes(const nb::bytes& bytes, std::size_t begin, T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() != begin + count * sizeof(T)) {
        throw std::invalid_argument("that is not what this version remembers of a game");
    }
    std::memcpy(values, bytes.c_str() + begin, count * sizeof(T));
}

// The memory of the games seen as an array, which keeps the games alive.
template <typename T>
nb::ndarray<nb::numpy, T, nb::c_contig> seen(std::vector<T>& values, std::vector<std::size_t> shape, nb::handle owner) {
    return nb::ndarray<nb::numpy, T, nb::c_contig>(values.data(), shape.size(), shape.data(), owner);
}

using ObservationRow = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MaskRow = nb::ndarray<std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chosen = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<std::int32_t> span_of(const Chosen& chosen) { return {chosen.data(), chosen.size()}; }

// Where every game's decisions lead: (offsets of the games, rows), rows as in rows.h.
nb::tuple afterstates(const Games& games) {
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint8_t> rows;
    {
        const Released released;
        for (std::size_t i = 0; i < games.size(); ++i) {
            const Game& game = games[i];
            for (std::size_t action = 0; action < game.actions(); ++action) {
                rows.resize(rows.size() + row::kWidth);
                write_row(game.after(action), rows.data() + rows.size() - row::kWidth);
            }
            offsets.push_back(static_cast<std::int64_t>(rows.size() / row::kWidth));
        }
    }
    return nb::make_tuple(array(std::move(offsets)), table(std::move(rows), row::kWidth));
}

void bind_rows(nb::module_& m) {
    m.attr("ROW") = row::kWidth;
    m.attr("OBSERVATION") = row::kObservation;
    m.def("most_actions", &most_actions, "rules"_a, "No decision of a game has more legal actions.");
    m.def(
        "to_rows",
        [](const std::vector<State>& states) {
            std::vector<std::uint8_t> rows(states.size() * row::kWidth);
            for (std::size_t i = 0; i < states.size(); ++i) write_row(states[i], rows.data() + i * row::kWidth);
            return table(std::move(rows), row::kWidth);
        },
        "states"_a, "Positions as rows of bytes; see rows.h.");
    m.def(
        "from_rows", [](const Ruleset& rules, const StateRows& rows) { return states_of(rules, rows); }, "rules"_a,
        "rows"_a, "The positions that rows stand for; ValueError names the first row that is none, and why.");
}

}  // namespace

void bind_games(nb::module_& m) {
    bind_rows(m);
    nb::class_<SingleGame>(m, "Game", "A game played one decision at a time; see games.h.")
        .def(nb::init<const Ruleset&, std::uint64_t, bool, int>(), "rules"_a, "seed"_a, nb::kw_only(),
             "first_double"_a = true, "longest"_a = 2000)
        .def("reset", &SingleGame::reset, "Begins a new game: the number of legal actions.")
        .def("step", &SingleGame::step, "action"_a,
             "Makes a decision: the number of legal actions that follow, 0 at the end. ValueError for an illegal one.")
        .def(
            "memory",
            [](const SingleGame& self) {
                const SingleGame::Memory memory = self.memory();
                return bytes_of(&memory, 1);
            },
            "What it goes on from, dice to come included, as bytes of this build.")
        .def(
            "recall",
            [](SingleGame& self, const nb::bytes& bytes) {
                SingleGame::Memory memory;
                from_bytes(bytes, 0, &memory, 1);
                self.recall(memory);
            },
            "memory"_a, "Goes on from there; ValueError for what a game of this build does not remember.")
        .def_prop_ro("actions", &SingleGame::actions)
        .def_prop_ro("is_over", &SingleGame::is_over)
        .def_prop_ro("truncated", [](const SingleGame& self) { return self.last().truncated; })
        .def_prop_ro(
            "reward", [](const SingleGame& self) { return self.last().reward; },
            "Points won by the side that made the last decision.")
        .def_prop_ro("black_on_roll", [](const SingleGame& self) { return self.game().state().black_on_roll; })
        .def_prop_ro("state", [](const SingleGame& self) { return self.game().state(); })
        .def_prop_ro(
            "dice",
            [](const SingleGame& self) {
                const Throw& dice = self.game().dice();
                return std::tuple(dice.high, dice.low, dice.steps);
            },
            "(high, low, steps); steps is 0 where a double is to be named.")
        .def(
            "write",
            [](SingleGame& self, const ObservationRow& observation, const MaskRow& mask) {
                if (observation.size() != row::kObservation) throw std::invalid_argument("the row is too short");
                if (mask.size() < static_cast<std::size_t>(self.actions())) {
                    throw std::invalid_argument("the mask is too short");
                }
                self.write(observation.data(), mask.data(), mask.size());
            },
            "observation"_a, "mask"_a, "Writes the position with its dice, and which actions are legal.")
        .def(
            "after",
            [](const SingleGame& self, std::size_t action) {
                if (action >= self.game().actions()) throw std::invalid_argument("that is no legal action");
                return self.game().after(action);
            },
            "action"_a, "The position after a legal action.")
        .def(
            "afterstates",
            [](const SingleGame& self) {
                const auto actions = static_cast<std::size_t>(self.actions());
                std::vector<std::uint8_t> rows(actions * row::kWidth);
                for (std::size_t i = 0; i < actions; ++i)
                    write_row(self.game().after(i), rows.data() + i * row::kWidth);
                return table(std::move(rows), row::kWidth);
            },
            "The positions after each legal action, as rows.");

    nb::class_<Games>(m, "Games", "Many games of one rule set, in arrays that stay where they are; see games.h.")
        .def(
            "__init__",
            [](Games* self, const Ruleset& rules, std::size_t count, std::uint64_t seed, bool first_double,
               int longest) { new (self) Games(rules, {first_double, longest}, count, seed); },
            "rules"_a, "count"_a, "seed"_a, nb::kw_only(), "first_double"_a = true, "longest"_a = 2000)
        .def("__len__", &Games::size)
        .def("reset", &Games::reset, nb::call_guard<Released>())
        .def(
            "step",
            [](Games& self, const Chosen& chosen) {
                const Released released;
                self.step(span_of(chosen));
            },
            "actions"_a)
        .def(
            "choose_at_random",
            [](Games& self, const Chosen& chosen) {
                const Released released;
                self.choose_at_random(span_of(chosen));
            },
            "actions"_a, "Fills the array with a legal action for each game, uniformly.")
        .def(
            "memory",
            [](const Games& self) {
                const Games::Memory memory = self.memory();
                return nb::bytes(bytes_of(&memory.random, 1) + bytes_of(memory.games.data(), memory.games.size()));
            },
            "What they go on from, dice to come included, as bytes of this build.")
        .def(
            "recall",
            [](Games& self, const nb::bytes& bytes) {
                Games::Memory memory;
                memory.games.resize(self.size());
                from_bytes(bytes, sizeof(Random), memory.games.data(), memory.games.size());
                std::memcpy(&memory.random, bytes.c_str(), sizeof(Random));
                self.recall(memory);
            },
            "memory"_a, "Go on from there; ValueError for what so many games of this build do not remember.")
        .def("afterstates", &afterstates, "(offsets of the games, rows): the positions after every legal action.")
        .def_prop_ro("observations",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.observations, {games.size(), row::kObservation}, self);
                     })
        .def_prop_ro("masks",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.masks, {games.size(), games.width()}, self);
                     })
        .def_prop_ro("actions",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.actions, {games.size()}, self);
                     })
        .def_prop_ro("rewards",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.rewards, {games.size()}, self);
                     })
        .def_prop_ro("ended",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.ended, {games.size()}, self);
                     })
        .def_prop_ro("truncated",
                     [](const nb::object& self) {
                         Games& games = nb::cast<Games&>(self);
                         return seen(games.truncated, {games.size()}, self);
                     })
        .def_prop_ro("illegal", [](const nb::object& self) {
            Games& games = nb::cast<Games&>(self);
            return seen(games.illegal, {games.size()}, self);
        });
}

}  // namespace sheshbesh
