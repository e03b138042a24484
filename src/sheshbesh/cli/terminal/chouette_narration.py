"""Sentences about a chouette: seats, cubes, actions, the score sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sheshbesh.cli.terminal import narration
from sheshbesh.cli.terminal.wording import points_text
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.rules import Side
from sheshbesh.session import (
    SERVER,
    AgreeAction,
    AnswerAction,
    Chouette,
    DeclineAction,
    DoubleAction,
    DoubleOneAction,
    Event,
    JoinAction,
    LeaveAction,
    Member,
    SettleAction,
)
from sheshbesh.session.chouette.state import BOX

HELP = (
    Text("Everybody sits at this keyboard; every prompt names the person it asks."),
    Text("Before a throw:"),
    Text("  Enter        throws; the captain throws for the team"),
    Text("  d            doubles: the captain's own cube, or for the box all it may turn"),
    Text("  d Ann,Bob    doubles for these members; d all for everybody who may"),
    Text("A turned cube:"),
    Text("  take, drop   answers it; or beaver, where that is played"),
    Text("On the board:"),
    Text("  8/5 6/5      a play, in your own numbers; also bar/22, 6/off, 13/7(2), pass"),
    Text("  8/5          a single step is kept, and you go on from there"),
    Text("  l            the legal plays (or next steps), numbered; again l: more of them"),
    Text("  4            the play with this number"),
    Text("  u            take back the last step; u all takes back every step"),
    Text("  Enter, done  confirm the play when it is complete"),
    Text("  resign       the hand gives the game up; resign gammon for a higher loss"),
    Text("  accept       agree to that; refuse declines it"),
    Text("  settle 1     offers to end one's game for 1 point, settle -1 to pay 1;"),
    Text("               the box offers it to all, or with settle Ann 1 to Ann alone"),
    Text("Between games:"),
    Text("  join Ann     sit down at the end of the queue; leave Ann stands up"),
    Text("At any time:"),
    Text("  ?  these lines, your table and its rules     p   pip counts"),
    Text("  b  the board again                           s   the sheet"),
    Text("  q  end the chouette                          id  the id of the position"),
)


def listed(names: Sequence[str]) -> Text:
    """Names as a part of a sentence: "Ann, Bob and Cem"."""
    return Text("{names}", names=tuple(names))


def label(table: Chouette, name: str) -> str:
    """A person with their seat: "Ann (box)", "Bob (captain)", "Cem"."""
    if name == table.seats.box:
        return Text("{name} (box)", name=name)
    return Text("{name} (captain)", name=name) if name == table.captain else name


def seated(table: Chouette) -> Text:
    """The seats in a sentence."""
    return Text(
        "{box} is the box, {captain} the captain; the crew: {crew}.",
        box=table.seats.box,
        captain=table.seats.captain,
        crew=table.seats.queue[1:],
    )


def headline(table: Chouette) -> str:
    """Return what stands over the board: the cubes of the members, by name, with value and owner."""
    if not table.members:
        return ""
    number = table.board.game_no
    if not table.board.card.has_cube:
        return Text(
            "Game {n}: {box} against {members}.",
            n=number,
            box=table.seats.box,
            members=tuple(member.name for member in table.members),
        )
    cubes = JoinedText(*(_cube(table, member) for member in table.members), separator="; ")
    return Text("Game {n}. Cubes: {cubes}.", n=number, cubes=cubes)


def _cube(table: Chouette, member: Member) -> Text:
    if not member.playing:
        return Text("{name} out", name=member.name)
    owner = member.score.owner
    if owner is None:
        return Text("{name} {cube}", name=member.name, cube=member.score.cube)
    holder = table.seats.box if Side.of(owner) is BOX else member.name
    return Text("{name} {cube} ({holder}'s)", name=member.name, cube=member.score.cube, holder=holder)


def offered_value(member: Member) -> int:
    """Return what a turned cube would be at if it is taken."""
    return 2 * member.score.cube


# What has happened


def sentences_of(before: Chouette, event: Event, after: Chouette, *, viewer: Side) -> list[str]:
    """The sentences about an accepted action; none where the board itself shows it."""
    actor, action = event.actor, event.action
    sentences: list[str]
    match action:
        case DoubleAction() | DoubleOneAction():
            sentences = [_double(after, actor, event.then["doubled"])]
        case AnswerAction():
            sentences = [_answer(before, after, actor, action)]
        case SettleAction():
            to = event.then["offered"] if actor == before.seats.box else [before.seats.box]
            what = settlement_text(actor, to, action.points)
            sentences = [Text("{who} offers to settle: {what}.", who=actor, what=what)]
        case AgreeAction():
            by = action.member if actor == before.seats.box else before.seats.box
            what = settlement_text(by, [actor], action.points)
            sentences = [Text("{who} agrees: {what}.", who=actor, what=what)]
        case DeclineAction():
            sentences = [Text("{who} declines.", who=actor)]
        case JoinAction():
            sentences = [Text("{name} sits down at the end of the queue.", name=actor)]
        case LeaveAction():
            sentences = [JoinedText(Text("{name} stands up.", name=actor), seated(after))]
        case _:
            if actor != SERVER:
                side = before.side_of(actor)
                assert side is not None
                event = replace(event, actor=side.value)
            sentences = narration.sentences_of(
                before.board, event, after.board, viewer=viewer, who=before.player_for
            )
    if after.members and after.captain != before.captain:
        sentences.append(Text("{name} is the captain now.", name=after.captain))
    return sentences


def settlement_text(by: str, to: Sequence[str], points: int) -> Text:
    """Return who would pay what to end their game; `points` are for the one who offers it."""
    if not points:
        return Text("nobody gets a point")
    payers, payees = (to, [by]) if points > 0 else ([by], to)
    return Text(
        "{points} from {payers} to {payees}",
        points=points_text(abs(points)),
        payers=listed(payers),
        payees=listed(payees),
    )


def _double(table: Chouette, actor: str, names: list[str]) -> Text:
    members = [member for member in table.members if member.name in names]
    if actor == table.seats.box:
        cubes = JoinedText(
            *(Text("{name} to {cube}", name=each.name, cube=offered_value(each)) for each in members),
            separator=", ",
        )
        return Text("{who} doubles: {cubes}.", who=actor, cubes=cubes)
    return Text("{who} doubles: the cube would be at {cube}.", who=actor, cube=offered_value(members[0]))


def _answer(before: Chouette, after: Chouette, actor: str, action: AnswerAction) -> Text:
    which = Text("the cube") if action.member == actor else Text("{name}'s cube", name=action.member)
    if action.answer == "drop":
        points = abs(after.sheet[actor] - before.sheet[actor])
        winner = action.member if actor == before.seats.box else before.seats.box
        return Text(
            "{who} drops {which} and pays {winner} {points}.",
            who=actor,
            which=which,
            winner=winner,
            points=points,
        )
    member = after.member(action.member)
    assert member is not None
    if action.answer == "beaver":
        cube = offered_value(member)
        return Text("{who} beavers: {which} would be at {cube}.", who=actor, which=which, cube=cube)
    owner = member.score.owner
    assert owner is not None
    holder = before.seats.box if Side.of(owner) is BOX else member.name
    common: dict[str, object] = {"who": actor, "cube": member.score.cube}
    if holder == actor:
        return Text("{who} takes and owns {which} at {cube}.", which=which, **common)
    return Text(
        "{who} takes. {holder} owns {name}'s cube at {cube}.", holder=holder, name=member.name, **common
    )


def ending(before: Chouette, after: Chouette) -> list[str]:
    """The sentences about the end of a game and the seats of the next one."""
    game = after.board.games[-1]
    winner = game.result.winner
    if game.reason == "settlement":
        how = Text("all that was left is settled")
    elif winner is None:
        locked = Text("neither side can ever move again")
        how = locked if game.reason == "locked" else Text("a tie")
    elif game.reason == "time":
        how = (
            Text("the time of the team has run out")
            if winner is BOX
            else Text("the time of the box {box} has run out", box=before.seats.box)
        )
    elif game.reason == "drop":
        how = (
            Text("nobody is left against {box}", box=before.seats.box)
            if winner is BOX
            else Text("every cube was dropped")
        )
    else:
        kind = Text(game.result.kind.replace("_", " "))
        resigned = Text("resigned") if game.reason == "resignation" else ""
        what = JoinedText(kind, resigned, separator=", ")
        how = (
            Text("the box {box} wins ({what})", box=before.seats.box, what=what)
            if winner is BOX
            else Text("the team wins ({what})", what=what)
        )
    return [Text("The game is over: {how}.", how=how), seated(after)]


# The sheet


def sheet_lines(table: Chouette, earlier: Mapping[str, int]) -> Iterator[str]:
    """Everybody's points in the game at hand, or the last one, and in all; `earlier` is from before it.

    Those who have stood up stay on it.
    """
    here = table.seats.people
    game = bool(table.board.game_no)
    if game:
        yield Text("Person       Seat       Game {n:<3} Total", n=table.board.game_no)
    else:
        yield Text("Person       Seat                Total")
    for name in (*here, *(name for name in table.sheet if name not in here)):
        points = table.sheet[name]
        last = _signed(points - earlier.get(name, 0)) if game else ""
        yield JoinedText(f"{name:<12}", _seat(table, name), f"{last:>8}{_signed(points):>8}")


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _seat(table: Chouette, name: str) -> str:
    if name not in table.seats.people:
        return Text("left    ")
    if name == table.seats.box:
        return Text("box     ")
    return Text("captain ") if name == table.captain else Text("crew    ")
