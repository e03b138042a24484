"""The course of a chouette: people who come and go, players that change, and its end."""

from __future__ import annotations

from sheshbesh.session import ChouetteRecord, HandOverAction, JoinAction, LeaveAction, RollAction, StopAction
from sheshbesh.session.chouette.state import BOX, TEAM
from tests.chouette_help import Table
from tests.session_help import SERVER


def test_people_who_come_or_go_in_mid_game_do_so_at_its_end() -> None:
    table = Table("ABC").begin()
    assert "leave" not in table.state.allowed("B")
    for name in "DEF":
        table.do(name, JoinAction())
    table.do("F", LeaveAction())  # not after all
    for name in "AC":
        table.do(name, LeaveAction())
        assert table.rule(name, LeaveAction()) == "chouette.seats"
    assert "leave" not in table.state.allowed("B")  # two would remain
    table.do("C", JoinAction())  # stays after all
    table.do("B", LeaveAction())
    assert "".join(table.state.seats.people) == "ABC"
    table.wins(TEAM, "single")
    assert "".join(table.state.seats.people) == "CDE"
    assert (table.state.coming, table.state.going) == ((), ())
    assert table.sheet == {"A": -2, "B": 1, "C": 1, "D": 0, "E": 0}


def test_the_captain_hands_over_and_keeps_their_cube() -> None:
    table = Table().begin().doubles("B").answers("A", "take", "B").to_roll(TEAM)
    table.do("B", HandOverAction("D"))
    assert table.rule("B", RollAction()) == "actor.hand"
    table.do(SERVER, HandOverAction("C"))
    table.do("C", RollAction())
    table.go_on()
    table.wins(TEAM, "single")
    assert table.sheet == {"A": -4, "B": 2, "C": 1, "D": 1}
    assert "".join(table.state.seats.people) == "BCDA"  # the captain of the beginning has won


def test_more_than_half_of_the_people_end_the_chouette() -> None:
    table = Table().begin()
    for name in "ABC":
        table.do(name, StopAction())
    table.do("C", StopAction(on=False))
    table.wins(TEAM, "single")
    assert not table.state.is_over
    assert table.do("C", StopAction()).then["match"] == {"winner": None, "reason": "stopped"}
    assert all(table.state.allowed(name) == () for name in (*"ABCDE", SERVER))
    assert table.rule("D", JoinAction()) == "match.over"


def test_a_chouette_of_twelve_games_with_people_who_come_and_leave() -> None:
    """Each row of the sheet, and the sheet, sum to nothing; the record tells the same chouette."""
    table = Table("ABCDE")
    comes = {2: "F", 5: "B", 7: "G"}
    goes = {1: "B", 4: "C", 6: "A", 9: "G"}
    for game in range(12):
        table.begin()
        if game in comes:
            table.do(comes[game], JoinAction())
        if game in goes:
            table.do(goes[game], LeaveAction())
        member = table.state.playing[-1].name
        table.doubles(member).answers(table.state.seats.box, "take" if game % 3 else "drop", member)
        if game % 2:
            table.do(table.state.captain, HandOverAction(table.state.playing[1].name))
        table.wins(TEAM if game % 4 else BOX, "single")
    for name in table.state.seats.people[:3]:
        table.do(name, StopAction())
    assert table.state.is_over and "".join(sorted(table.state.seats.people)) == "BDEF"
    assert len(table.state.rows) == 12 and all(sum(row.values()) == 0 for row in table.state.rows)
    for name, points in table.sheet.items():
        assert points == sum(row.get(name, 0) for row in table.state.rows)
    record = ChouetteRecord.from_text(ChouetteRecord(table.header, tuple(table.events)).to_text())
    assert record.replay() == table.state
