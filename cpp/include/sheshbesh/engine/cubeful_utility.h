// The value of probabilities with a cube, and when to turn it: the cube model (cube_model.h) over the classes of
// a game's results, for the inner loop of a rollout.
//
// The point of view is that of one player, "me", whichever side is on roll. One efficiency serves where nothing
// better is known. Where a database has the equities of a money game, they give how much of a live cube's gain is
// had in that very position (nothing before the last throw), and that share holds at a score, too.
#pragma once

#include <optional>
#include <vector>

#include "sheshbesh/engine/classes.h"
#include "sheshbesh/engine/cube_model.h"

namespace sheshbesh {

// The cube at one height, with a value for each class of results. The other members as in CubeHeight.
struct HeightValues {
    std::vector<float> value;  // of each class to me, seen with me on roll
    float cash = 1;
    float drop = -1;
    bool mine = true;
    bool theirs = true;
    bool mine_free = false;
    bool theirs_free = false;
    // Whether CubefulEquities hold from here: points, none of them held back, and a cube with doubles to come.
    bool tabled = false;
};

enum class CubeAction : std::uint8_t { hold, turn, drop };  // drop: turned and not taken

class CubefulUtility {
public:
    // `heights`: from the present value up; nobody turns the cube from the last one. Throws
    // std::invalid_argument if there are none or too many, or one has another number of classes.
    CubefulUtility(const ClassTable& classes, std::vector<HeightValues> heights, float efficiency);

    int heights() const { return static_cast<int>(heights_.size()); }

    // The value to me of probabilities seen by the side on roll (`own`: whether that is me) which does not turn
    // the cube now; `money`: the equities of a money game from this position, where a database has them.
    double holding(const float* probabilities, bool own, CubePlace place,
                   const std::optional<CubefulEquities>& money = {}) const;

    struct Decision {
        CubeAction action = CubeAction::hold;
        double equity = 0;  // to me
    };
    // The best the side on roll can do before it throws, and its value. Where turning is as good as holding, it
    // turns. There are no beavers.
    Decision decide(const float* probabilities, bool own, CubePlace place,
                    const std::optional<CubefulEquities>& money = {}) const;

    // The same where a database has the equities, at a place that is `tabled`.
    double holding(const CubefulEquities& known, bool own, CubePlace place) const;
    Decision decide(const CubefulEquities& known, bool own, CubePlace place) const;

    // The same where the values to me of not turning the cube (`hold`) and of a turn that is taken (`take`) are known;
    // `take` is asked only where that side may turn it.
    Decision choose(double hold, double take, bool own, CubePlace place) const;
    // Whether I, or they, would ever turn the cube here.
    bool may_turn(bool mine, CubePlace place) const;

    // Whether the equities of a database hold here.
    bool tabled(CubePlace place) const { return heights_[static_cast<std::size_t>(place.height)].tabled; }
    // Whether neither side will turn the cube any more.
    bool dead(CubePlace place) const { return !may_turn(true, place) && !may_turn(false, place); }

    // The place after a turn by me or by them that was taken.
    static CubePlace taken(CubePlace place, bool mine) {
        return {place.height + 1, mine ? CubeOwner::theirs : CubeOwner::mine};
    }
    // The value to me of a finished class, seen by the side on roll.
    double equity(int index, bool own, CubePlace place) const;

private:
    // The model of one position, from one height up.
    struct Here {
        CubeModel model;
        int from;
        double chance;  // of my winning a game that has a winner
        double tie;
    };

    Here model_at(const float* probabilities, bool own, int from, const std::optional<CubefulEquities>& money) const;
    CubeEfficiencies known(const float* probabilities, bool own, const CubefulEquities& money) const;
    double holding(const Here& here, CubePlace place) const;

    int wins_;
    int classes_;
    std::vector<HeightValues> heights_;
    std::vector<std::vector<float>> theirs_;  // the values seen with them on roll, still to me
    std::vector<float> points_;               // of each class in a money game, to the side on roll
    double efficiency_;
};

}  // namespace sheshbesh
