#include "sheshbesh/engine/duel.h"

#include <algorithm>
#include <array>

#include "games.h"
#include "sheshbesh/interrupt.h"
#include "sheshbesh/movegen.h"

namespace sheshbesh {

namespace {

// One game of a pair. Both games of a pair throw the same dice; lots are drawn from a stream of their own,
// so that they do not move the dice.
struct Board {
    std::uint64_t pair = 0;  // counted from the first of this part
    bool first_is_black = false;
    Random dice_chance{0};
    Random play_chance{0};
    State state;
    int length = 0;
    bool active = false;
    std::size_t decision = 0;

    std::size_t player() const { return state.black_on_roll == first_is_black ? 0 : 1; }
};

class Duel {
public:
    Duel(const Ruleset& rules, Player& first, Player& second, const DuelOptions& options)
        : rules_(rules), options_(options), players_{&first, &second}, scores_(options.pairs) {}

    DuelResult run() {
        std::vector<Board> boards(2 * kSeats);
        for (Board& board : boards) sit_down(board);
        while (std::any_of(boards.begin(), boards.end(), [](const Board& board) { return board.active; })) {
            check_interrupt();
            for (Work& work : work_) {
                work.candidates.clear();
                work.decisions.clear();
            }
            for (Board& board : boards) {
                if (board.active) gather(board);
            }
            for (std::size_t i = 0; i < players_.size(); ++i) {
                players_[i]->choose(work_[i].candidates, work_[i].decisions);
            }
            for (Board& board : boards) {
                if (board.active) play(board);
            }
        }
        total_.pairs = options_.pairs;
        for (const Score& score : scores_) {
            total_.points += score.points;
            total_.squares += score.points * score.points;
            total_.staked += score.staked;
            total_.staked_squares += score.staked * score.staked;
            total_.products += score.points * score.staked;
        }
        return total_;
    }

private:
    struct Work {
        std::vector<State> candidates;
        std::vector<Decision> decisions;
    };
    struct Score {
        double points = 0;
        double staked = 0;
    };

    void sit_down(Board& board) {
        board.active = started_ < 2 * options_.pairs;
        if (!board.active) return;
        board.pair = started_ / 2;
        board.first_is_black = (started_ & 1) != 0;
        const std::uint64_t number = options_.first_pair + board.pair;
        board.dice_chance = stream(options_.seed, number, 2);
        board.play_chance = stream(options_.seed, number, 3);
        board.state = start(rules_, (number & 1) != 0);
        board.length = 0;
        ++started_;
    }

    void gather(Board& board) {
        Work& work = work_[board.player()];
        const Thrown thrown = next_throw(rules_, board.state, board.dice_chance);
        Decision decision;
        decision.before = board.state;
        decision.chance = &board.play_chance;
        decision.first = work.candidates.size();
        for (const Throw& dice : thrown.choices()) {
            for (const Play& play : generator_.plays(rules_, board.state, dice)) {
                work.candidates.push_back(position_after(rules_, board.state, dice, play));
            }
            decision.add(dice, work.candidates.size());
        }
        decision.last = work.candidates.size();
        board.decision = work.decisions.size();
        work.decisions.push_back(decision);
    }

    void play(Board& board) {
        const Work& work = work_[board.player()];
        const State& next = work.candidates[work.decisions[board.decision].chosen];
        const GameResult outcome = result(rules_, next);
        ++board.length;
        if (outcome.kind == Kind::none && board.length < options_.longest_game) {
            board.state = next;
            return;
        }
        if (outcome.winner == Winner::nobody) {
            ++total_.ties;
        } else {
            const bool black_won = next.black_on_roll == (outcome.winner == Winner::on_roll);
            const bool first_won = black_won == board.first_is_black;
            scores_[board.pair].points += first_won ? outcome.points : -outcome.points;
            scores_[board.pair].staked += outcome.points;
            total_.wins += first_won ? 1 : 0;
        }
        sit_down(board);
    }

    const Ruleset rules_;
    const DuelOptions options_;
    Generator generator_;
    std::array<Player*, 2> players_;
    std::array<Work, 2> work_;
    std::vector<Score> scores_;  // of each pair
    std::uint64_t started_ = 0;
    DuelResult total_;
};

}  // namespace

DuelResult duel(const Ruleset& rules, Player& first, Player& second, const DuelOptions& options) {
    return Duel(rules, first, second, options).run();
}

}  // namespace sheshbesh
