"""What is written is read back as the same match."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import sheshbesh as sb
from sheshbesh.errors import RecordError
from sheshbesh.match import Card, DiceSource
from sheshbesh.records import format_match, match_statistics, read_match
from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    BeaverAction,
    ChooseAction,
    DoubleAction,
    DropAction,
    Event,
    Header,
    Phase,
    PlayAction,
    ReadyAction,
    Record,
    RefuseAction,
    ResignAction,
    RollAction,
    Session,
    TakeAction,
    apply,
)
from sheshbesh.session import actions as act
from tests.records.help import AGAIN, DATA, FILES, games, kinds, plays, read, sample
from tests.sizes import sampled


@pytest.mark.parametrize("name", sampled(FILES, lambda name: name not in AGAIN))
@pytest.mark.parametrize(
    ("form", "dialect"), [("mat", "xg"), ("mat", "gnubg"), ("sgf", "xg"), ("record", "xg"), ("json", "xg")]
)
def test_a_match_comes_back_as_it_was(name: str, form: str, dialect: str) -> None:
    match = sample(name)
    if match.format == "position" and form == "mat":
        pytest.skip("the cube of a single position has no place in such a file")
    back = read_match(format_match(match, form, dialect=dialect))
    if match.format != "position":
        assert games(back) == games(match)
        assert back.games == match.games
    if form in ("record", "json"):
        assert back.analysis == match.analysis
    assert (back.players, back.length) == (match.players, match.length)


@pytest.mark.parametrize("name", ["analysed.sgf", "analysed_2ply.sgf"])
def test_the_analysis_comes_back_from_an_sgf_of_ours(name: str) -> None:
    match = sample(name)
    back = read_match(format_match(match, "sgf"))
    assert back.analysis == match.analysis
    assert match_statistics(back) == match_statistics(match)


def test_an_illegal_play_goes_through_every_form() -> None:
    text = (
        "5 point match\n\n Game 1\n anna : 0                        boris : 0\n"
        "  1) 31: 8/5 6/4                   62: 24/18 13/11\n"
    )
    match = read(text)
    for form in ("mat", "sgf", "record", "json"):
        assert plays(read_match(format_match(match, form))) == plays(match), form
    assert [legal for _, _, legal in plays(read_match(format_match(match, "mat", dialect="gnubg")))] == [
        False,
        True,
    ]


def test_a_beaver_is_written_as_gnubg_writes_it_and_comes_back() -> None:
    match = read(
        "(;GM[6]MI[length:0]PW[anna]PB[boris]RU[Jacoby]"
        ";W[31hefe];B[62agln];W[double];B[double];W[take];W[42hdfd];B[31qtst])"
    )
    assert kinds(match) == ["play", "play", "double", "beaver", "take", "play", "play"]
    text = format_match(match, "mat").decode()
    assert "Beavers => 4" in text
    assert "Takes" not in text
    for form in ("mat", "sgf", "record", "json"):
        back = read_match(format_match(match, form))
        assert games(back) == games(match), form
        assert not back.repairs


def test_an_illegal_play_as_gnubg_stores_it_is_one_event() -> None:
    setup = "AE[a:y]" + "AW" + "".join(f"[{each}]" for each in "xxmmmmmhheffffd")
    setup += "AB" + "".join(f"[{each}]" for each in "aalllllqqqsssss")
    match = read(f"(;GM[6]MI[length:5]\n;PL[W]DI[31]\n;{setup}PL[W]\n;B[62agln])")
    assert plays(match) == [("31", "8/5 6/4", False), ("62", "24/18 13/11", True)]


def test_a_path_tells_the_form(tmp_path: Path) -> None:
    match = sb.read_match(DATA / "galaxy.txt")
    for suffix in (".mat", ".sgf", ".json", ".jsonl"):
        sb.write_match(match, tmp_path / f"out{suffix}")
        assert games(sb.read_match(tmp_path / f"out{suffix}")) == games(match)
    with pytest.raises(RecordError, match="expected a name in"):
        sb.write_match(match, tmp_path / "out.doc")


def test_a_game_that_a_format_cannot_hold_is_refused_with_the_reason() -> None:
    match = read_match(played("long_nardy.p1").to_text().encode())
    for form in ("mat", "sgf"):
        with pytest.raises(RecordError, match="long_nardy"):
            format_match(match, form)


def played(code: str, turns: int = 400, seed: int = 0) -> Record:
    """A match of this card in which both sides play, double, answer and resign at random."""
    rng = random.Random(seed)
    card = Card.from_code(code + f".dice-{DiceSource.SEEDED}")
    header = Header(card, "test", {"white": "anna", "black": "boris"}, seed=str(seed))
    state: Session = header.session()
    events: list[Event] = []
    for _ in range(turns):
        if state.phase is Phase.OVER:
            break
        side = state.to_act[0] if state.to_act else Side.WHITE
        state, _, event = apply(state, side, _chosen(state, side, rng), 0)
        events.append(event)
    return Record(header, tuple(events))


def _chosen(state: Session, side: Side, rng: random.Random) -> act.Action:
    """Something that this side may do now."""
    allowed = state.allowed(side)
    if "resign" in allowed and rng.random() < 0.004 and state.position is not None:
        return ResignAction(rng.choice(list(state.position.variant.resignations(state.position, side))))
    if "double" in allowed and rng.random() < 0.1:
        return DoubleAction()
    match state.phase:
        case Phase.READY:
            return ReadyAction()
        case Phase.MOVE:
            assert state.turn is not None
            return PlayAction(rng.choice(list(state.turn.plays())).notation)
        case Phase.CHOOSE:
            return ChooseAction(6)
        case Phase.RESIGNED:
            return rng.choice([AcceptAction(), RefuseAction()])
        case Phase.DOUBLED | Phase.BEAVERED | Phase.RACCOONED:
            answers: list[act.Action] = [TakeAction(), TakeAction(), DropAction()]
            return rng.choice([*answers, BeaverAction()] if "beaver" in allowed else answers)
        case _:
            return RollAction()


@pytest.mark.parametrize(
    "code", ["backgammon.p5", "backgammon.m.beavers.raccoons", "tavla.p3", "nackgammon.p3"]
)
def test_cube_and_resignations_of_a_record_go_through_every_form(code: str) -> None:
    match = read_match(played(code, 250).to_text().encode())
    kind = {event.type for game in match.games for event in game.events}
    assert "play" in kind
    for form in ("mat", "record", "json") if code.startswith("tavla") else ("mat", "sgf", "record", "json"):
        back = read_match(format_match(match, form))
        assert games(back) == games(match), form


@pytest.mark.parametrize("game", sb.variants())
def test_a_record_of_every_game_is_a_match_like_any_other(game: str) -> None:
    record = played(f"{game}.p1", 30)
    match = read_match(record.to_text().encode())
    assert (match.format, match.variant) == ("record", game)
    assert plays(match)
    for form in ("record", "json"):
        back = read_match(format_match(match, form))
        assert games(back) == games(match)
        assert back.games == match.games
