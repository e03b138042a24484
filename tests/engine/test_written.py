"""Hand-written players, and the mirrored games in which players are compared."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.engines import written


@pytest.mark.parametrize("name", sb.variants())
def test_the_best_of_them_beats_chance_in_every_game(name: str) -> None:
    game = sb.variant(name)
    chance = _core.Player.random(game._core)
    scores = [written.player(each, game).duel(chance, pairs=20, seed=5) for each in written.PLAYERS]
    best = max(scores, key=lambda score: score.points)
    assert best.points > 0.5 * best.staked  # at least three quarters of all points


def test_the_same_player_twice_shares_every_pair() -> None:
    """The games of a pair throw the same dice with the seats exchanged."""
    game = sb.variant("tapa")
    one, two = written.player("builder", game), written.player("builder", game)
    score = one.duel(two, pairs=30, seed=1)
    assert (score.pairs, score.points, score.squares) == (30, 0, 0)
    assert score.wins + score.ties / 2 == 30
    assert score.staked >= 60 - score.ties


def test_parts_of_a_duel_add_up_to_the_whole() -> None:
    game = sb.variant("backgammon")
    one, two = written.player("builder", game), written.player("careful", game)
    whole = one.duel(two, pairs=60, seed=3)
    parts = [one.duel(two, pairs=30, first_pair=first, seed=3) for first in (0, 30)]
    for field in ("points", "squares", "staked", "staked_squares", "products", "wins", "ties"):
        assert getattr(whole, field) == sum(getattr(part, field) for part in parts)
    assert whole.squares <= whole.staked_squares


def test_a_win_at_hand_is_taken() -> None:
    game = sb.variant("backgammon")
    # 2/off 1/off ends the game, 2/1 and 1/off does not.
    single = game.position({"white": {"2": 1, "1": 1}, "white_off": 13, "black": {"24": 14}, "black_off": 1})
    for name in written.PLAYERS:
        plays = single.legal_plays((2, 1))
        results = [play.result.result for play in plays]
        assert None in results and any(results)
        chosen = written.player(name, game).choose([(single._core, 2, 1)])
        assert results[chosen[0]] is not None


def test_what_is_caught_is_held() -> None:
    """In a game of pins the builder pins where it may; in a game of hits the careful one leaves no blot."""
    tapa = sb.variant("tapa")
    position = tapa.position({"white": {"8": 14, "9": 1}, "black": {"24": 14, "3": 1}})
    plays = position.legal_plays((6, 5))
    chosen = plays[written.player("builder", tapa).choose([(position._core, 6, 5)])[0]]
    assert any(play.result.pinned(sb.Side.BLACK) for play in plays)
    assert chosen.result.pinned(sb.Side.BLACK)

    backgammon = sb.variant("backgammon")
    start = backgammon.start()
    for dice in ((3, 1), (4, 2), (6, 1)):
        play = start.legal_plays(dice)[
            written.player("careful", backgammon).choose([(start._core, *dice)])[0]
        ]
        assert 1 not in play.result.counts(start.turn)[1:25]


def test_chance_follows_its_seed() -> None:
    game = sb.variant("backgammon")
    asked = [(game.start()._core, 6, 4)] * 50
    chance = _core.Player.random(game._core)
    first, again, other = (chance.choose(asked, seed) for seed in (1, 1, 2))
    assert first == again != other
    plays = len(game.start().legal_plays((6, 4)))
    assert min(first) >= 0
    assert max(first) < plays
    assert len(set(first)) > 1


def test_what_cannot_be_played_is_refused() -> None:
    game = sb.variant("backgammon")
    over = game.position({"white": {}, "white_off": 15, "black": {"24": 15}})
    player = written.player("racer", game)
    with pytest.raises(ValueError, match="over"):
        player.choose([(over._core, 2, 1)])
    with pytest.raises(ValueError, match="no hand-written player 'nobody'"):
        written.player("nobody", game)
    with pytest.raises(ValueError, match="one weight for each feature"):
        _core.Player.written(game._core, [1.0])
    with pytest.raises(ValueError, match="itself"):
        player.duel(player, pairs=1, seed=0)
