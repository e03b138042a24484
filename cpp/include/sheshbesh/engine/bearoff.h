// Exact databases of the bear-off, made with the generator itself, so that every rule about it is right.
//
// One-sided: how many turns a side needs, as a distribution, when it plays for the fewest turns on
// average. Two-sided: the value of every pair of positions with few checkers, by backward induction; where a game has
// three checkers, of every race, home or not.
// Where throws go on within a turn, what is owed is an inner state of the one-sided database; where the checkers left
// are paid, it holds how many are left after each turn.
// Otherwise both hold once all checkers of both sides are home: then no side can ever stand in the other's way,
// in any movement and with any contact, and no other history of the game is asked.
//
// What a bear-off does not ask stays out of `bearoff_rules`, so games that differ elsewhere share a database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/cubeful_utility.h"
#include "sheshbesh/engine/static_evaluator.h"
#include "sheshbesh/ruleset.h"
#include "sheshbesh/state.h"

namespace sheshbesh {

constexpr int kTwoSidedCheckers = 6;
// With more, all races are too many.
constexpr int kRaceCheckers = 3;
// Raised whenever a database's content or layout changes.
constexpr std::uint32_t kBearoffVersion = 2;

class FileReader;

enum class Sides : std::uint8_t { one = 1, two = 2 };

// A file that is no database, is damaged, or belongs to other rules. The message names the fault.
class BearoffFormatError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// Called with the share done, 0 to 1, now and then; what it throws ends the work.
using BearoffProgress = std::function<void(double)>;

// Home positions are numbered by what is left on the board: fewer checkers first, and every step leads
// to a lower number. 0 is all off; those of at most `checkers` checkers are the first `home_positions`.
class HomeIndex {
public:
    // The counts of off and of the points 1 to 6 as they lie in Counts.
    using Word = std::uint32_t;

    static constexpr bool all_home(Counts side) { return side >> 28 == 0; }
    static constexpr Word word(Counts side) { return static_cast<Word>(side); }
    static constexpr std::uint32_t of(Word word) {
        std::uint32_t index = 0;
        std::uint32_t behind = 0;
        for (std::uint32_t place = 0; place < 6; ++place) {
            behind += word >> (24 - 4 * place) & 15;
            index += kMultisets[place][behind & 15];
        }
        return index;
    }
    // n + 5 choose 6 and so on: how many ways at most n - 1 checkers stand on `place` + 1 points.
    static constexpr std::array<std::array<std::uint32_t, 16>, 6> kMultisets = [] {
        std::array<std::array<std::uint32_t, 16>, 6> table{};
        for (std::size_t n = 0; n < 16; ++n) table[0][n] = static_cast<std::uint32_t>(n);
        for (std::size_t place = 1; place < 6; ++place) {
            for (std::size_t n = 1; n < 16; ++n) table[place][n] = table[place][n - 1] + table[place - 1][n];
        }
        return table;
    }();
};

// 924 for six checkers, 54,264 for fifteen.
std::uint32_t home_positions(int checkers);

// Why a rule set has no such database; empty if it has.
std::string_view bearoff_obstacle(const Ruleset& rules, Sides sides);
// Whether the two-sided database holds every race: with three checkers at most, where a race asks for no other rules
// than a bear-off.
bool holds_races(const Ruleset& rules);
// The rule set reduced to what is asked once all checkers are home, with its number of checkers.
Ruleset bearoff_rules(const Ruleset& rules);
// What a database is found by: equal where the databases are.
std::uint64_t bearoff_key(const Ruleset& rules, Sides sides);
// The database as a file for `OneSided::parse` or `TwoSided::parse`. Throws std::invalid_argument where
// there is an obstacle.
std::vector<std::byte> generate_bearoff(const Ruleset& rules, Sides sides, const BearoffProgress& progress);

// Whether a double goes on through the higher ones once all checkers of both sides are home.
bool doubles_go_on(const Ruleset& rules);
// Whether wins pay differently by what the loser has left, some of it borne off.
bool pays_what_is_left(const Ruleset& rules);

// What a win is, by how many checkers the loser has left in their home. `slot` numbers the different
// results in the order of `left`.
struct BearoffWins {
    std::array<GameResult, kMaxCheckers + 1> result{};
    std::array<std::uint8_t, kMaxCheckers + 1> slot{};
    int slots = 0;  // among 1 to `most` left

    BearoffWins(const Ruleset& rules, int most);
};

// File: "SSHBEAR1", u32 version, u32 sides, u64 key, then here u32 number of floats, f32 turns on average
// [positions], u32 first float [positions + 1], u16 turns at least [positions], the last two again for the
// turns until the first checker is off (of positions with all checkers), the floats. Where doubles go on: u32 where
// each position is after those from 1-1, 2-2 ... 6-6 on [positions][6]. Where 1-2 earns a double: u32 where it is
// after the best one [positions]. Where the checkers left are paid: u32 number of rows and of floats, u32 first row
// [positions + 1], u32 first float [rows + 1], u8 fewest left [rows], the floats. u64 fnv1a of all that.
class OneSided {
public:
    static std::shared_ptr<const OneSided> parse(std::span<const std::byte> file, const Ruleset& rules);

    // The chance that something is not done before turn n, for n >= 1.
    struct Turns {
        int sure = 0;                   // it is never done before this turn
        std::span<const float> beyond;  // of turn sure + 1, sure + 2 ...; 0 thereafter

        float at(int n) const {
            const int place = n - sure - 1;
            if (place < 0) return 1.0f;
            return place < static_cast<int>(beyond.size()) ? beyond[static_cast<std::size_t>(place)] : 0.0f;
        }
    };

    // How many checkers are left after a turn: the chance of `fewest`, of one more ...; of none where they lack.
    struct Left {
        int fewest = 1;
        std::span<const float> chances;
    };

    // `kNever` where the last checker can never be borne off.
    static constexpr float kNever = std::numeric_limits<float>::infinity();
    float average(std::uint32_t index) const { return average_[index]; }
    Turns to_end(std::uint32_t index) const { return turns(all_, index); }
    bool is_full(std::uint32_t index) const { return index >= full_; }
    // Of a position with all checkers.
    Turns to_first(std::uint32_t index) const { return turns(first_, index - full_); }

    // After `turns` turns, 1 or more; where the checkers left are paid.
    Left left(std::uint32_t index, int turns) const;
    // Where a position is after what is owed, played for the fewest turns; nothing if no database covers that.
    std::optional<std::uint32_t> after_chain(std::uint32_t index, int die) const {
        return chains_.empty() ? std::nullopt
                               : std::optional(chains_[std::size_t{index} * 6 + static_cast<std::size_t>(die) - 1]);
    }
    std::optional<std::uint32_t> after_named(std::uint32_t index) const {
        return named_.empty() ? std::nullopt : std::optional(named_[index]);
    }

private:
    struct Spread {
        std::vector<std::uint32_t> begin;
        std::vector<std::uint16_t> sure;
    };
    void read_left(FileReader& reader, std::uint32_t positions);
    Turns turns(const Spread& spread, std::uint32_t index) const {
        const std::size_t from = spread.begin[index];
        return {spread.sure[index], std::span(floats_).subspan(from, spread.begin[index + 1] - from)};
    }

    std::uint32_t full_ = 0;  // the first position with all checkers
    std::vector<float> average_;
    Spread all_;
    Spread first_;
    std::vector<float> floats_;
    std::vector<std::uint32_t> chains_;
    std::vector<std::uint32_t> named_;
    std::vector<std::uint32_t> left_begin_;  // the first row of a position
    std::vector<std::uint32_t> row_begin_;   // the first float of a row
    std::vector<std::uint8_t> row_fewest_;
    std::vector<float> left_floats_;
};

// What a two-sided database holds. The positions of a side are numbered so that every step leads to a lower number,
// from 0, all off; a position is paired with those of the other side below `met_by`.
class Pairs {
public:
    explicit Pairs(const Ruleset& rules);

    bool races() const { return races_; }
    // Each position of a side, by its number.
    const std::vector<Counts>& sides() const { return sides_; }
    std::optional<std::uint32_t> number(Counts side) const;
    std::uint32_t met_by(std::uint32_t side) const {
        return static_cast<std::uint32_t>(begin_[side + 1] - begin_[side]);
    }
    std::size_t at(std::uint32_t on_roll, std::uint32_t other) const { return begin_[on_roll] + other; }
    std::size_t size() const { return begin_.back(); }

    // The different results of winning, and which of them it is against each position; 0 for all off.
    const std::vector<GameResult>& results() const { return results_; }
    std::uint8_t slot(std::uint32_t loser) const { return slot_[loser]; }

private:
    int checkers_;
    bool races_;
    std::vector<Counts> sides_;
    std::vector<std::size_t> begin_;  // of each position's pairs
    std::vector<GameResult> results_;
    std::vector<std::uint8_t> slot_;
};

// File: as above, then f32 [pair][width]: the probabilities of each slot won, then lost (only the first of them if
// there is one slot), then the three cubeful equities.
class TwoSided {
public:
    explicit TwoSided(const Ruleset& rules) : pairs_(rules) {}
    static std::shared_ptr<const TwoSided> parse(std::span<const std::byte> file, const Ruleset& rules);

    const Pairs& pairs() const { return pairs_; }
    int slots() const { return static_cast<int>(pairs_.results().size()); }
    // None where the pair is not held; NaN where the game can last for ever.
    const float* row(Counts on_roll, Counts other) const;
    CubefulEquities cubeful(const float* row) const {
        const float* found = row + width_ - 3;
        return {found[0], found[1], found[2]};
    }

private:
    Pairs pairs_;
    std::size_t width_ = 4;
    std::vector<float> values_;
};

// The bear-off of a game as its static evaluator asks for it: the two-sided database where it reaches, else the product
// of two one-sided distributions. The second is what both sides' playing for the fewest turns would give:
// close, not exact.
class BearoffDatabase : public ExactValues {
public:
    // Either database may be absent.
    BearoffDatabase(const Ruleset& rules, std::shared_ptr<const OneSided> one, std::shared_ptr<const TwoSided> two);

    int classes() const { return classes_; }
    bool lookup(const State& state, float* out) const override;

    // Whether the value is that of the two-sided database.
    bool is_exact(const State& state) const;
    // Where that database reaches.
    std::optional<CubefulEquities> cubeful(const State& state) const override;
    // The values to the side on roll, me, of not turning a cube at each of these places before this throw. All throws
    // that lie ahead of both sides are played, with every double that is right: exact where each side has at most
    // kTwoSidedCheckers left. With more, both play for the fewest turns, and some of the positions after each turn
    // stand for all. None where the one-sided database does not reach, or throws go on or may have to be passed.
    std::optional<std::vector<double>> cube_values(const State& state, const CubefulUtility& cube,
                                                   std::span<const CubePlace> places) const;
    // Turns that each side needs on average, on roll first, where the one-sided database reaches.
    std::optional<std::array<float, 2>> average_turns(const State& state) const;

private:
    const float* two_sided(const State& state) const;
    bool from_two(const float* row, float* out) const;
    bool from_one(const State& state, std::uint32_t mine, std::uint32_t theirs, float* out) const;
    bool of_turns(std::uint32_t mine, std::uint32_t theirs, float* out) const;
    void by_left(std::uint32_t mine, std::uint32_t theirs, float* out) const;
    void flip(float* out) const;
    bool goes_on(const State& state) const;
    bool all_turns_alike(const State& state) const;

    Ruleset home_;  // reduced to what a bear-off asks
    int checkers_;
    int classes_;
    std::vector<int> class_of_slot_;
    std::vector<int> class_of_left_;  // of a win, by what the loser has left
    int plain_ = 0;                   // class of a win when the loser has some off
    int shutout_ = 0;                 // with none off
    int half_ = 0;
    bool paid_by_left_ = false;
    int progression_from_ = 0;  // 0: all turns are alike
    bool counts_both_ = false;  // whether the turns of both sides are counted for it
    std::shared_ptr<const OneSided> one_;
    std::shared_ptr<const TwoSided> two_;
};

}  // namespace sheshbesh
