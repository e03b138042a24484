// The value of a position with a cube: one model for money play and for every score of a match.
//
// A position is described by the chance that the first side, "mine", wins a game that has a winner, and by the
// mean value of its wins and losses at each height of the cube. Values may be points or match-winning chances
// (MWC): the model only asks that more is better.
//
// The model is Rick Janowski's ("Take-Points in Money Games", 1993) carried over to any values. With a *dead*
// cube nobody turns it again and the value is a straight line in the winning chance. With a fully *live* cube
// the chance moves in small steps, so that every double is made exactly where the other side is indifferent
// between take and drop; the value is straight between such points. The *efficiency* is where between the
// two a real cube lies: 0 dead, 1 live.
//
// No side has to double. Where a gammon gains so much more than the cash that the other side would be let off,
// which happens at some scores, a point of indifference is no reason to turn the cube, and the line runs
// straight past it.
//
// Two cases do not depend on the efficiency:
// * A turn that costs nothing, because the other side wins the match at the present height anyway (the trailer
//   after the Crawford game, or the owner of a cube with which the other side has enough): the cube is turned
//   at once. Up to the cash point that is the value of a live cube, beyond it that of the pass; a side that
//   plays on there for a gammon may lose the pass again, so that too lies between dead and live.
// * A centred cube that is dead for both sides once it was turned, as at 2-away 2-away: turning it gives nothing
//   away, so it has the value of a live one, but never more than its owner's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sheshbesh {

// Values nearer to each other than this are equal: turning a cube that costs nothing is right.
constexpr double kEven = 1e-9;

// The cube at one value, in values for my side.
struct CubeHeight {
    double win = 1;    // mean value of the games I win at this height
    double lose = -1;  // and of those I lose
    double cash = 1;   // of their dropping my double from here
    double drop = -1;  // of my dropping theirs
    bool mine = true;  // whether I, or they, would ever turn the cube from here
    bool theirs = true;
    bool mine_free = false;  // whether turning it costs that side nothing, so that it does so at once
    bool theirs_free = false;
};

enum class CubeOwner : std::uint8_t { nobody, mine, theirs };

struct CubePlace {
    int height = 0;  // doublings since the start
    CubeOwner owner = CubeOwner::nobody;

    bool operator==(const CubePlace&) const = default;
};

// Equities of the side on roll, in points with the cube at 1, if it does not double before this throw: with the
// cube in the middle, its own, or the other side's. Money play without Jacoby and beavers; both sides play and
// double for the most points. A double then has the equity min(2 * theirs, 1). NaN in games where a throw in the
// bear-off may have to be passed: a cube that doubles faster than the game ends has no finite value.
struct CubefulEquities {
    float centred = 0;
    float owned = 0;
    float theirs = 0;
};

// The efficiency by the owner of the cube.
using CubeEfficiencies = std::array<double, 3>;

// The exact cubeful equities of one position in a database, as efficiencies: how far the equities of its money game lie
// from a dead cube to a live one. `win` and `lose` are the mean points of the games won and lost by the side on
// roll, both positive, `chance` its chance; `own`: whether the side on roll is me.
CubeEfficiencies known_efficiencies(const CubefulEquities& money, double chance, double win, double lose, bool own);

class CubeModel {
public:
    static constexpr std::size_t kMostHeights = 16;

    // `heights`: from the present value up, each further one the double of the one before. Throws
    // std::invalid_argument if there are none or too many.
    CubeModel(std::span<const CubeHeight> heights, double efficiency);

    std::size_t size() const { return size_; }
    const CubeHeight& height(std::size_t n) const { return lines_[n].height; }
    // My chance of winning from which I take a double from a height, with a live cube afterwards.
    double take_point(std::size_t n) const { return lines_[n].take_point; }
    // The chance above which they drop mine.
    double cash_point(std::size_t n) const { return lines_[n].cash_point; }

    // Uses efficiencies known of this very position. They cover whether there is a turn to come at all, so the
    // cases that do not depend on the efficiency are not treated apart.
    void set_known(const CubeEfficiencies& efficiency);

    // The value if nobody turns the cube again.
    double dead(double chance, int height) const;
    // The value with a fully live cube.
    double live(double chance, CubePlace place) const;
    // The value with this cube, between dead and live.
    double value(double chance, CubePlace place) const;

private:
    struct Line {
        CubeHeight height;
        double take_point = 0;
        double cash_point = 1;
    };

    const Line& line(int height) const { return lines_[static_cast<std::size_t>(height)]; }

    std::array<Line, kMostHeights> lines_;
    std::size_t size_;
    CubeEfficiencies efficiency_;
    bool is_known_ = false;
};

}  // namespace sheshbesh
