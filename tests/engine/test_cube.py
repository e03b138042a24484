"""The cube: published take points, scores where everybody knows what to do, and what must hold always."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.cube import equity_table, generate
from sheshbesh.cube.decision import CubeDecision, cube_decision, cubeful_equity
from sheshbesh.cube.match_utility import match_utility, table_at, table_for
from sheshbesh.cube.values import shipped_efficiency

CLASSES = tuple(
    (ending, kind, points)
    for ending in ("win", "lose")
    for kind, points in (("single", 1), ("gammon", 2), ("backgammon", 3))
)
MARS = (("win", "single", 1), ("win", "gammon", 2), ("lose", "single", 1), ("lose", "gammon", 2))
MONEY = sb.MatchState(jacoby=False)
KAZAROSS = equity_table("kazaross_xg2")


def ways(win: float, gammon: float = 0.0, lose_gammon: float = 0.0) -> tuple[float, ...]:
    """Probabilities of the classes: `gammon` and `lose_gammon` of all games, no backgammons."""
    return (win - gammon, gammon, 0.0, 1 - win - lose_gammon, lose_gammon, 0.0)


def decide(
    probabilities: tuple[float, ...], match: sb.MatchState = MONEY, efficiency: float = 0.68
) -> CubeDecision:
    return cube_decision(CLASSES, probabilities, match, "white", efficiency=efficiency)


def take_point(match: sb.MatchState, efficiency: float) -> float:
    """The winning chance, without gammons, below which the other side passes."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if decide(ways(middle), match, efficiency).take else (low, middle)
    return 1 - low


@pytest.mark.parametrize(
    ("match", "efficiency", "point"),
    [
        (MONEY, 0.0, 0.25),
        (MONEY, 1.0, 0.20),
        (MONEY, 2 / 3, 0.5 / (2 + 1 / 3)),  # Janowski: (L - 1/2) / (W + L + x/2)
        (sb.MatchState(length=2), 0.68, 0.32264),
        # 3-away 3-away: dead (.40053 - .24924) / (.75076 - .24924), live that times .75076
        (sb.MatchState(length=3), 0.0, 0.30166),
        (sb.MatchState(length=3), 1.0, 0.22648),
    ],
)
def test_take_points_are_the_published_ones(match: sb.MatchState, efficiency: float, point: float) -> None:
    assert take_point(match, efficiency) == pytest.approx(point, abs=1e-4)


def test_gammons_move_the_take_point_as_janowski_says() -> None:
    # Half of the doubler's wins are gammons: L = 1.5, W = 1, dead cube: (L - 1/2) / (W + L) = 0.4.
    assert decide(ways(0.599, 0.2995), efficiency=0).take
    assert not decide(ways(0.601, 0.3005), efficiency=0).take


def test_with_a_dead_cube_the_window_opens_at_one_half() -> None:
    assert decide(ways(0.49), efficiency=0).action == "no_double"
    assert decide(ways(0.51), efficiency=0).action == "double"


def test_with_a_live_cube_one_doubles_at_the_cash_point() -> None:
    assert decide(ways(0.795), efficiency=1).action == "no_double"
    assert decide(ways(0.801), efficiency=1).action == "double"


def test_an_owned_cube_is_turned_later_than_a_centred_one() -> None:
    owned = sb.MatchState(cube=2, owner="white", jacoby=False)
    first, again = decide(ways(0.705)), decide(ways(0.705), owned)
    assert first.action == "double" and again.action == "no_double"
    assert not first.redouble and again.redouble
    assert again.no_double > first.no_double


def test_gammons_can_make_it_too_good_but_not_under_jacobys_rule() -> None:
    strong = ways(0.85, 0.55)
    assert decide(strong).action == "too_good" and not decide(strong).take
    assert decide(strong, sb.MatchState()).action == "double"
    turned = sb.MatchState(cube=2, owner="white")
    assert decide(strong, turned).action == "too_good"


def test_jacobys_rule_makes_doubling_earlier() -> None:
    gammonish = ways(0.60, 0.30, 0.10)
    assert decide(gammonish, sb.MatchState()).no_double < decide(gammonish).no_double


def test_a_wrong_double_is_beavered_where_the_table_allows_it() -> None:
    bad = ways(0.35)
    assert decide(bad).double_beaver is None and not decide(bad).beaver
    answered = decide(bad, sb.MatchState(beavers=True))
    assert answered.beaver and answered.take and answered.action == "no_double"
    assert answered.double_beaver is not None and answered.double_beaver < answered.double_take
    assert not decide(ways(0.7), sb.MatchState(beavers=True)).beaver


def test_two_away_both_always_double() -> None:
    for win in (0.51, 0.55, 0.6, 0.65):
        assert decide(ways(win, 0.13, 0.1), sb.MatchState(length=2)).action == "double"
        assert decide(ways(win, 0.13, 0.1), sb.MatchState(length=2)).take


def test_after_the_crawford_game_the_trailer_doubles_at_once_and_the_leader_may_have_a_free_drop() -> None:
    for win in (0.1, 0.3, 0.5):
        for white in (0, 1, 2, 3):
            assert (
                decide(ways(win, win / 4), sb.MatchState(length=5, white=white, black=4)).action == "double"
            )
    two_away = sb.MatchState(length=5, white=3, black=4)
    three_away = sb.MatchState(length=5, white=2, black=4)
    assert decide(ways(0.48), two_away).take and not decide(ways(0.51), two_away).take
    assert decide(ways(0.60), three_away).take


@pytest.mark.parametrize(
    "match",
    [
        sb.MatchState(length=5, white=3, black=4),
        sb.MatchState(length=5, white=1, black=4),
        sb.MatchState(length=7, white=3, black=5, cube=2, owner="white"),
    ],
    ids=["2-away 1-away", "4-away 1-away", "4-away 2-away, owning a cube at 2"],
)
def test_a_free_double_that_should_be_dropped_is_made_for_all_that(match: sb.MatchState) -> None:
    # Rolled out, the opening position is worth +0.85 undoubled where White needs 2 and Black 1: less
    # than the pass, and no better for waiting.
    drop = decide(ways(0.54, 0.16, 0.12), match)
    assert (drop.action, drop.take) == ("double", False)
    assert drop.no_double == drop.double_pass


def test_a_free_double_can_be_too_good() -> None:
    two_away = sb.MatchState(length=5, white=3, black=4)
    dead, live = 0.4 * 0.5 + 0.3, 0.5 + (0.2 / 0.5) * (0.4 * 0.5 / 0.7 + 0.3 / 0.7 - 0.5)
    for efficiency in (0.2, 0.68, 1.0):
        found = decide(ways(0.7, 0.3), two_away, efficiency)
        assert found.action == "too_good" and not found.take
        # All in halves of the match: half of it is the pass.
        assert found.no_double == pytest.approx((dead + efficiency * (live - dead)) / 0.25 - 1)


def test_a_free_cube_is_worth_what_its_double_brings() -> None:
    match = sb.MatchState(length=5, white=3, black=4)
    for percent in range(51):
        found = decide(ways(percent / 100, percent / 400), match)
        assert found.no_double == pytest.approx(found.double_take) and found.action == "double"
    edge = [
        cubeful_equity(CLASSES, ways(0.5 + step / 1e6, 0.15), match, "white", efficiency=0.68)
        for step in range(-5, 6)
    ]
    assert max(edge) - min(edge) < 1e-4


def test_a_cube_that_wins_for_its_giver_comes_back_at_once() -> None:
    # White needs 4, Black 2, and White owns the cube at 2: nothing more to lose by turning it.
    match = sb.MatchState(length=5, white=1, black=3, cube=2, owner="white")
    for win in (0.05, 0.25, 0.45):
        assert decide(ways(win, win / 4), match).action == "double"


@pytest.mark.parametrize(
    ("match", "rule"),
    [
        (sb.MatchState(length=5, white=4, black=1, crawford=True), "cube.crawford"),
        (sb.MatchState(length=5, white=4, black=1), "cube.dead"),
        (sb.MatchState(length=5, cube=2, owner="black"), "cube.owner"),
        (sb.MatchState(cube=64, owner="white", cube_limit=64), "cube.limit"),
        (sb.MatchState(length=5, white=5), "cube.match_over"),
    ],
)
def test_where_nobody_may_double_there_is_no_decision(match: sb.MatchState, rule: str) -> None:
    with pytest.raises(sb.CubeError, match=rule):
        decide(ways(0.7), match)


@pytest.mark.parametrize("cube", [2, 64, 1024])
def test_a_cube_without_a_last_value_is_judged_alike_at_every_height(cube: int) -> None:
    """Nothing is left to redouble with at an agreed last value; else 64 is like any other height."""
    known = decide(ways(0.7), sb.MatchState(cube=2, owner="white"))
    found = decide(ways(0.7), sb.MatchState(cube=cube, owner="white"))
    assert found == known
    last = decide(ways(0.7), sb.MatchState(cube=cube, owner="white", cube_limit=2 * cube))
    assert last.double_take > found.double_take


def test_a_dead_double_is_judged_where_the_table_allows_it() -> None:
    match = sb.MatchState(length=5, white=4, black=1, allow_dead_double=True)
    answered = decide(ways(0.7, 0.2), match)
    assert answered.action == "no_double" and answered.take
    assert answered.double_take < answered.no_double


def match_chance(equity: float, match: sb.MatchState) -> float:
    """White's chance to win the match that a normalised equity means."""
    table = table_at(match, None)
    won, lost = (table.after(match, "white", points) for points in (match.cube, -match.cube))
    return (won + lost) / 2 + equity * (won - lost) / 2


def test_at_double_match_point_a_game_is_the_match() -> None:
    match = sb.MatchState(length=3, white=2, black=2)
    equity = cubeful_equity(CLASSES, ways(0.6, 0.3), match, "white", efficiency=0.68)
    assert equity == pytest.approx(0.2)
    assert match_chance(equity, match) == pytest.approx(0.6)


def test_in_the_crawford_game_there_is_no_cube_in_the_equity() -> None:
    match = sb.MatchState(length=3, white=1, black=2, crawford=True)
    equity = cubeful_equity(CLASSES, ways(0.5, 0.14, 0.1), match, "white", efficiency=0.68)
    assert match_chance(equity, match) == pytest.approx(0.36 * 0.5 + 0.14)
    assert equity == pytest.approx(
        sum(p * u for p, u in zip(ways(0.5, 0.14, 0.1), match_utility(CLASSES, match, "white"), strict=True))
    )


def test_ties_keep_the_score() -> None:
    classes = (("win", "single", 1), ("lose", "single", 1), ("tie", "tie", 0))
    match = sb.MatchState(length=5, white=1, black=2)
    even = KAZAROSS.chance(4, 3)
    equity = cubeful_equity(classes, (0.0, 0.0, 1.0), match, "white", efficiency=0.68)
    assert match_chance(equity, match) == pytest.approx(even)
    assert cubeful_equity(classes, (0.3, 0.3, 0.4), MONEY, "white", efficiency=0.5) == pytest.approx(0)


def test_values_of_classes_depend_on_the_score() -> None:
    utility = match_utility(CLASSES, sb.MatchState(length=7, black=6, white=5, crawford=True), "white")
    assert utility[0] == 1 and utility[1] == utility[2] == pytest.approx(3, abs=0.1)
    assert utility[3] == utility[4] == utility[5] == -1
    assert match_utility(CLASSES, MONEY, "white") == (1, 2, 3, -1, -2, -3)
    assert match_utility(CLASSES, sb.MatchState(), "white") == (1, 1, 1, -1, -1, -1)
    assert match_utility(CLASSES, sb.MatchState(cube=4, owner="black"), "white") == (1, 2, 3, -1, -2, -3)
    trailing = match_utility(CLASSES, sb.MatchState(length=5, white=1, black=4), "white")
    now, won = KAZAROSS.chance(4, 1, crawford=False), KAZAROSS.chance(3, 1, crawford=False)
    assert now < won and trailing[0] == pytest.approx(2 * 0.48803 / won - 1)


def test_every_game_gets_a_table_from_its_own_results() -> None:
    start = (0.40, 0.12, 0.36, 0.12)
    table = table_for(sb.variant("tavla"), MARS, lambda: start, length=5)
    same = generate({1: 0.38, 2: 0.12}, length=5)
    assert table.chance(4, 3) == same.chance(4, 3)
    assert table is table_for(sb.variant("tavla"), MARS, lambda: start, length=5)
    with_cube = table_for(sb.variant("tavla", cube=True), MARS, lambda: start, length=5)
    assert with_cube.chance(4, 1, crawford=False) > table.chance(4, 1)

    def never() -> tuple[float, ...]:
        raise AssertionError("the table is shipped")

    assert table_for(sb.variant("backgammon"), CLASSES, never, length=7) is KAZAROSS


def test_matches_without_crawford_have_tables_of_their_own() -> None:
    game, start = sb.variant("tavla", cube=True), (0.40, 0.12, 0.36, 0.12)
    for table in (
        table_for(game, MARS, lambda: start, length=5, crawford=False),
        table_for(sb.variant("backgammon"), CLASSES, lambda: (), length=5, crawford=False),
        table_at(sb.MatchState(length=40, crawford_rule=False), None),
    ):
        assert table.chance(4, 1) == table.chance(4, 1, crawford=False)
    assert table_for(game, MARS, lambda: start, length=5).chance(4, 1) < 0.25


def test_without_crawford_a_single_point_ahead_is_worth_less() -> None:
    chances = ways(0.7, 0.2, 0.07)
    usual = sb.MatchState(length=5, white=3, black=1)
    without = sb.MatchState(length=5, white=3, black=1, crawford_rule=False)
    assert decide(chances, usual).action == "no_double"
    # One point would leave Black a cube that costs nothing: White plays for the gammon.
    assert decide(chances, without).action == "too_good"
    now, then = (match_utility(CLASSES, match, "white") for match in (usual, without))
    assert then[1] > now[1]


def test_counted_points_have_a_cube_too() -> None:
    counted = tuple((ending, "count", n) for ending in ("win", "lose") for n in range(1, 16))
    even = tuple([1 / 30] * 30)
    match = sb.MatchState(length=31, white=20, black=5)
    assert cubeful_equity(counted, even, MONEY, "white", efficiency=0.6) == pytest.approx(0)
    decision = cube_decision(counted, even, match, "white", efficiency=0.6)
    assert decision.double_pass == pytest.approx(1) and decision.take
    assert cubeful_equity(counted, even, match, "white", efficiency=0.6) == pytest.approx(
        -cubeful_equity(counted, even, match, "black", efficiency=0.6)
    )


def test_the_efficiency_of_a_race_rises_with_its_length() -> None:
    game = sb.variant("backgammon")
    efficiency = shipped_efficiency()
    assert efficiency.at(game.start(turn="white")) == 0.68
    assert [efficiency.race(pips) for pips in (10, 40, 80, 120, 160)] == pytest.approx(
        [0.6, 0.6, 0.65, 0.7, 0.7]
    )
    board = {"white": {"6": 15}, "white_bar": 0, "white_off": 0}
    board |= {"black": {"19": 15}, "black_bar": 0, "black_off": 0}
    race = game.position(board, turn="white")
    assert efficiency.at(race) == pytest.approx(0.55 + 0.00125 * 90)
    meeting = game.position({**board, "white": {"6": 14, "20": 1}}, turn="white")
    assert efficiency.at(meeting) == 0.68
    nardy = sb.variant("nardegammon")
    assert efficiency.at(nardy.start(turn="white")) == 0.68
    home = {**board, "black": {"18": 15}}
    assert efficiency.at(nardy.position(home, turn="white")) < 0.68


SHARE = st.floats(0, 1)
"""How many of a side's wins, or losses, are gammons."""


@st.composite
def states(draw: st.DrawFn) -> sb.MatchState:
    """Money and matches with any score, cube and owner that leave the game undecided."""
    owner = draw(st.sampled_from([None, "white", "black"]))
    cube = draw(st.sampled_from([2, 4, 8] if owner else [1]))
    if draw(st.booleans()):
        return sb.MatchState(cube=cube, owner=owner, jacoby=draw(st.booleans()))
    length = draw(st.integers(1, 15))
    white, black = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    return sb.MatchState(length=length, white=white, black=black, cube=cube, owner=owner)


@given(match=states(), chances=st.tuples(*[st.floats(0, 1)] * 2), x=st.floats(0, 1), g=SHARE, h=SHARE)
def test_a_better_position_is_worth_more(
    match: sb.MatchState, chances: tuple[float, float], x: float, g: float, h: float
) -> None:
    worse, better = ((p * (1 - g), p * g, 0.0, (1 - p) * (1 - h), (1 - p) * h, 0.0) for p in sorted(chances))
    assert (
        cubeful_equity(CLASSES, better, match, "white", efficiency=x)
        >= cubeful_equity(CLASSES, worse, match, "white", efficiency=x) - 1e-9
    )


@given(match=states(), p=st.floats(0, 1), x=st.floats(0, 1), g=SHARE, h=SHARE)
def test_what_one_side_gains_the_other_loses(
    match: sb.MatchState, p: float, x: float, g: float, h: float
) -> None:
    mine = (p * (1 - g), p * g, 0.0, (1 - p) * (1 - h), (1 - p) * h, 0.0)
    white = cubeful_equity(CLASSES, mine, match, "white", efficiency=x)
    black = cubeful_equity(CLASSES, (*mine[3:], *mine[:3]), match, "black", efficiency=x)
    assert white == pytest.approx(-black, abs=1e-6)


@given(match=states(), p=st.floats(0, 1), x=st.floats(0, 1), g=SHARE, h=SHARE)
# Half of White's losses are gammons: Black, who needs two points, lets nobody off by a double.
@example(match=sb.MatchState(length=5, white=0, black=3), p=0.5, x=1.0, g=0.5, h=0.5)
def test_owning_the_cube_is_never_worse_than_sharing_or_lacking_it(
    match: sb.MatchState, p: float, x: float, g: float, h: float
) -> None:
    assume(not (match.is_money and match.jacoby))
    probabilities = (p * (1 - g), p * g, 0.0, (1 - p) * (1 - h), (1 - p) * h, 0.0)
    cube = max(match.cube, 2)
    # Nobody owns a cube above 1 only after automatic doubles, and those belong to money play.
    owners: list[str | None] = ["white", None, "black"] if match.is_money else ["white", "black"]
    found = [
        cubeful_equity(
            CLASSES,
            probabilities,
            sb.MatchState(
                length=match.length,
                white=match.white,
                black=match.black,
                cube=cube,
                owner=owner,
                automatic_doubles=0 if owner else cube.bit_length() - 1,
                jacoby=False,
            ),
            "white",
            efficiency=x,
        )
        for owner in owners
    ]
    assert all(better >= worse - 1e-9 for better, worse in pairwise(found))


@given(match=states(), p=st.floats(0, 1), x=st.floats(0, 1), g=st.floats(0, 0.6))
def test_a_decision_is_consistent(match: sb.MatchState, p: float, x: float, g: float) -> None:
    assume(match.may_double("white"))
    decision = decide((p * (1 - g), p * g, 0.0, (1 - p) * (1 - g), (1 - p) * g, 0.0), match, x)
    assert decision.double_pass == pytest.approx(1, abs=1e-9)
    assert decision.answered <= decision.double_pass
    assert decision.equity >= decision.no_double
    if decision.action == "double":
        assert decision.equity == pytest.approx(decision.answered, abs=1e-8)
    if decision.action == "too_good":
        assert decision.no_double >= 1 - 1e-9
    assert decision.take == (decision.double_take <= 1 + 1e-9)
    assert str(decision)


def test_a_decision_from_probabilities_is_looked_up_and_not_searched_for() -> None:
    """The bound is fifty times what it takes, and far below what rolling out anything would."""
    probabilities, match = ways(0.6, 0.2, 0.1), sb.MatchState(length=15)
    decide(probabilities, match)
    best = 1.0  # of the processor's time, whatever else it has to do meanwhile
    for _ in range(20):
        begun = process_time()
        for _ in range(20):
            decide(probabilities, match)
        best = min(best, (process_time() - begun) / 20)
    assert best < 0.01


def test_where_a_single_point_decides_nothing_the_ends_of_the_game_are_one_and_minus_one() -> None:
    # Every game brings five checkers at least, so its winner has won a match to five.
    classes = (("win", "count", 5), ("win", "count", 15), ("lose", "count", 5), ("lose", "count", 15))
    match = sb.MatchState(length=5, white=2, black=3)
    table = generate({5: 0.3, 15: 0.2}, length=5)
    assert table.chance(2, 2) == table.chance(3, 1) == table.chance(3, 2)
    assert match_utility(classes, match, "white", table) == (1, 1, -1, -1)
