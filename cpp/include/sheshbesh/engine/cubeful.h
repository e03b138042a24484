// What a position is worth with a cube, and when to turn it: the model of cube/model.py for the inner
// loop of a rollout.
//
// Everything is said for one player, "me", whoever is on roll. Worths may be points or chances to win a
// match. The model is Rick Janowski's ("Take-Points in Money Games", 1993): with a dead cube the worth is a
// straight line in the chance of winning; with a live one it is straight between the points where the other
// side is indifferent between take and drop; the efficiency says where between the two the truth lies. One
// number serves where nothing better is known. Where a table has the equities of a money game they tell how
// much of a live cube's worth can be had in that very position, which is nothing before the last throw, and that
// share holds at a score, too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/judge.h"

namespace sheshbesh {

// The cube at one value.
struct CubeHeight {
    std::vector<float> worth;  // of each class to me, seen with me on roll
    float cash = 1;            // worth of their dropping my double from here
    float drop = -1;           // worth of my dropping theirs
    bool mine = true;          // whether I, or they, would ever turn the cube from here
    bool theirs = true;
    bool mine_free = false;  // whether turning it costs that side nothing, so that it does so at once
    bool theirs_free = false;
    // Whether CubefulEquities hold from here: points, none of them held back, and a cube with doubles to come.
    bool tabled = false;
};

enum class CubeOwner : std::uint8_t { nobody, mine, theirs };

struct CubePlace {
    int height = 0;  // doublings since the start
    CubeOwner owner = CubeOwner::nobody;

    bool operator==(const CubePlace&) const = default;
};

enum class CubeAction : std::uint8_t { hold, turn, drop };  // drop: turned and not taken

class CubeWorth {
public:
    // `heights`: from the present value up; nobody turns the cube from the last one. Throws
    // std::invalid_argument if there are none or too many, or one has another number of classes.
    CubeWorth(const ClassTable& classes, std::vector<CubeHeight> heights, float efficiency);

    int heights() const { return static_cast<int>(heights_.size()); }

    // Worth to me of probabilities seen by the side on roll (`own`: whether that is me) which does not turn
    // the cube now; `money`: what a table knows of the position with a cube in a money game.
    double holding(const float* probabilities, bool own, CubePlace place,
                   const std::optional<CubefulEquities>& money = {}) const;

    struct Decision {
        CubeAction action = CubeAction::hold;
        double worth = 0;  // to me
    };
    // The best the side on roll can do before it throws, and what that is worth. Where turning is as good as
    // holding, it turns. There are no beavers.
    Decision decide(const float* probabilities, bool own, CubePlace place,
                    const std::optional<CubefulEquities>& money = {}) const;

    // The same where a table knows the equities, at a place that is `tabled`.
    double holding(const CubefulEquities& known, bool own, CubePlace place) const;
    Decision decide(const CubefulEquities& known, bool own, CubePlace place) const;

    // Whether what a table knows of the cube holds here.
    bool tabled(CubePlace place) const { return heights_[static_cast<std::size_t>(place.height)].tabled; }
    // Whether nobody will turn the cube any more.
    bool dead(CubePlace place) const { return !may_turn(true, place) && !may_turn(false, place); }

    // The place after a turn by me or by them that was taken.
    static CubePlace taken(CubePlace place, bool mine) {
        return {place.height + 1, mine ? CubeOwner::theirs : CubeOwner::mine};
    }
    // What a finished class, seen by the side on roll, is worth to me.
    double worth(int index, bool own, CubePlace place) const;

private:
    // One height in worths, for given probabilities.
    struct Line {
        double win = 0;
        double lose = 0;
        double tie = 0;
        double cash = 0;
        double drop = 0;
        double take_point = 0;
        double cash_point = 1;
        const CubeHeight* height = nullptr;
    };
    struct Ladder;

    void fill(Ladder& ladder, const float* probabilities, bool own, int from) const;
    void rate(Ladder& ladder, const float* probabilities, bool own, const CubefulEquities& money) const;
    double between(const Ladder& ladder, CubePlace place) const;
    double untied(const Ladder& ladder, CubePlace place) const;
    bool may_turn(bool mine, CubePlace place) const;
    Decision choose(double hold, double take, bool own, CubePlace place) const;

    int wins_;
    int classes_;
    std::vector<CubeHeight> heights_;
    std::vector<std::vector<float>> theirs_;  // the worths seen with them on roll, still to me
    std::vector<float> points_;               // of each class in a money game, to the side on roll
    double efficiency_;
};

}  // namespace sheshbesh
