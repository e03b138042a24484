"""A chouette in words: who sits where, whose cube is where, what has happened, the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sheshbesh.cli.terminal import narration
from sheshbesh.rules import Side
from sheshbesh.session import SERVER, AnswerCube, Chouette, DoubleOne, Event, Join, Leave, Member, actions
from sheshbesh.session.chouette.state import BOX

HELP = (
    "Everybody sits at this keyboard; every prompt names the person it asks.",
    "Before a throw:",
    "  Enter        throws; the captain throws for the team",
    "  d            doubles: the captain's own cube, or for the box all it may turn",
    "  d Ann,Bob    doubles for these members; d all for everybody who may",
    "A turned cube:",
    "  take, drop   answers it; or beaver, where that is played",
    "On the board:",
    "  8/5 6/5      a play, in your own numbers; also bar/22, 6/off, 13/7(2), pass",
    "  8/5          a single step is kept, and you go on from there",
    "  l            the legal plays (or next steps), numbered; again l: more of them",
    "  4            the play with this number",
    "  u            take back the last step; u all takes back every step",
    "  Enter, done  confirm the play when it is complete",
    "  resign       the hand gives the game up; resign gammon for a higher loss",
    "  accept       agree to that; refuse declines it",
    "Between games:",
    "  join Ann     sit down at the end of the queue; leave Ann stands up",
    "At any time:",
    "  ?  these lines, your table and its rules     p   pip counts",
    "  b  the board again                           s   the sheet",
    "  q  end the chouette                          id  the id of the position",
)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as a part of a sentence: "Ann, Bob and Cem"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def label(table: Chouette, name: str) -> str:
    """A person with his seat: "Ann (box)", "Bob (captain)", "Cem"."""
    if name == table.seats.box:
        return f"{name} (box)"
    return f"{name} (captain)" if name == table.captain else name


def seated(table: Chouette) -> str:
    """Who plays against whom."""
    crew = listed(list(table.seats.queue[1:]))
    return f"{table.seats.box} is the box, {table.seats.captain} the captain; the crew: {crew}."


def headline(table: Chouette) -> str:
    """What stands over the board: the cubes of the members, by name, with value and owner."""
    if not table.members:
        return ""
    game = f"Game {table.board.game_no}"
    if not table.board.card.has_cube:
        return f"{game}: {table.seats.box} against {listed([member.name for member in table.members])}."
    return f"{game}. Cubes: {'; '.join(_cube(table, member) for member in table.members)}."


def _cube(table: Chouette, member: Member) -> str:
    if not member.playing:
        return f"{member.name} out"
    owner = member.score.owner
    if owner is None:
        return f"{member.name} {member.score.cube}"
    holder = table.seats.box if Side.of(owner) is BOX else member.name
    return f"{member.name} {member.score.cube} ({holder}'s)"


def offered_value(member: Member) -> int:
    """What a turned cube would be at if it is taken."""
    return 2 * member.score.cube


# What has happened


def tell(before: Chouette, event: Event, after: Chouette, *, viewer: Side) -> list[str]:
    """The sentences about an accepted action; none where the board itself shows it."""
    actor, action = event.actor, event.action
    match action:
        case actions.Double() | DoubleOne():
            said = [_double(after, actor, event.then["doubled"])]
        case AnswerCube():
            said = [_answer(before, after, actor, action)]
        case Join():
            said = [f"{actor} sits down at the end of the queue."]
        case Leave():
            said = [f"{actor} stands up. {seated(after)}"]
        case _:
            if actor != SERVER:
                side = before.side_of(actor)
                assert side is not None
                event = replace(event, actor=side.value)
            said = narration.tell(before.board, event, after.board, viewer=viewer, who=before.hand)
    if after.members and after.captain != before.captain:
        said.append(f"{after.captain} is the captain now.")
    return said


def _double(table: Chouette, actor: str, names: list[str]) -> str:
    members = [member for member in table.members if member.name in names]
    if actor == table.seats.box:
        cubes = ", ".join(f"{member.name} to {offered_value(member)}" for member in members)
        return f"{actor} doubles: {cubes}."
    return f"{actor} doubles: the cube would be at {offered_value(members[0])}."


def _answer(before: Chouette, after: Chouette, actor: str, action: AnswerCube) -> str:
    which = "the cube" if action.member == actor else f"{action.member}'s cube"
    if action.answer == "drop":
        points = abs(after.sheet[actor] - before.sheet[actor])
        winner = action.member if actor == before.seats.box else before.seats.box
        return f"{actor} drops {which} and pays {winner} {points}."
    member = after.member(action.member)
    assert member is not None
    if action.answer == "beaver":
        return f"{actor} beavers: {which} would be at {offered_value(member)}."
    owner = member.score.owner
    assert owner is not None
    holder = before.seats.box if Side.of(owner) is BOX else member.name
    if holder == member.name == actor:
        return f"{actor} takes the cube, at {member.score.cube}."
    return f"{actor} takes. {member.name}'s cube is at {member.score.cube} and {holder}'s."


def ending(before: Chouette, after: Chouette) -> list[str]:
    """The sentences about the end of a game and the seats of the next one."""
    game = after.board.games[-1]
    winner = game.result.winner
    if winner is None:
        how = "a tie"
    elif game.reason == "drop":
        how = f"nobody is left against {before.seats.box}" if winner is BOX else "every cube was dropped"
    else:
        who = f"the box {before.seats.box} wins" if winner is BOX else "the team wins"
        resigned = ", resigned" if game.reason == "resignation" else ""
        how = f"{who} ({game.result.kind.replace('_', ' ')}{resigned})"
    return [f"The game is over: {how}.", seated(after)]


# The sheet


def sheet_lines(table: Chouette, earlier: Mapping[str, int]) -> Iterator[str]:
    """Everybody's points in the game at hand, or the last one, and in all; `earlier` is from before it.

    Those who have stood up stay on it.
    """
    here = table.seats.people
    game = f"Game {table.board.game_no}" if table.board.game_no else ""
    yield f"{'Person':<13}{'Seat':<9}{game:>8}{'Total':>8}"
    for name in (*here, *(name for name in table.sheet if name not in here)):
        points = table.sheet[name]
        last = _signed(points - earlier.get(name, 0)) if game else ""
        yield f"{name:<13}{_seat(table, name):<9}{last:>8}{_signed(points):>8}"


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _seat(table: Chouette, name: str) -> str:
    if name not in table.seats.people:
        return "left"
    if name == table.seats.box:
        return "box"
    return "captain" if name == table.captain else "crew"
