"""The data that a page is sent of reviews: the list, one with its decisions, each decision's board, one's
history."""

from __future__ import annotations

import json
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import Row

from sheshbesh.engines.explain.wording import grade_name
from sheshbesh.errors import SheshbeshError
from sheshbesh.formats import parse_xgid
from sheshbesh.i18n import Text, translate
from sheshbesh.match import Card, Contest
from sheshbesh.pictures import Scene, scene_of
from sheshbesh.players.data import play_data
from sheshbesh.players.situation import Situation, bare
from sheshbesh.reviews import Judged, Report, judged_so_far
from sheshbesh.reviews.page import choices_of, cube_of, equity_of, score_of
from sheshbesh.reviews.questions import rules_of
from sheshbesh.reviews.summary import PHASES, error_rate, phase_of
from sheshbesh.reviews.text import RATING, figure, remarks, rows
from sheshbesh.reviews.wording import action
from sheshbesh.rules import Position, Roll, Side, Variant
from sheshbesh.rules.safe_text import one_line
from sheshbesh.rules.side import SIDE_NAMES
from sheshbesh.server.reviews.source import Seated
from sheshbesh.server.reviews.store import DONE, report_of
from sheshbesh.session.board_data import board_data, layout_data, stages_data

_KEPT = 8
"""Reports that are held in memory."""


class Reports:
    """Reads reports from their rows; the last few are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Report] = OrderedDict()

    def of(self, row: Row[Any]) -> Report:
        """The report of a finished review; RecordError where it is damaged."""
        key = row.id, row.started or row.created
        report = self._kept.get(key)
        if report is None:
            report = self._kept[key] = report_of(row)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return report


# A review


def _failure(error: str, lang: str) -> str:
    """Why a review failed; what was stored by an earlier version is English alone."""
    if not error.startswith("["):
        return error
    template, values = json.loads(error)
    return translate(Text(template, **values), lang)


def entry_data(
    row: Row[Any], players: Mapping[str, Seated] | None = None, lang: str = "en"
) -> dict[str, Any]:
    """A review as a list has it; `players` are those of a match of this site, else the file's are taken."""
    about = row.about
    if players is None:
        # What was uploaded to an earlier version has no levels.
        in_file = zip(about.get("players", ["", ""]), about.get("levels", [None, None]), strict=True)
        players = {side: Seated(*each) for side, each in zip(SIDE_NAMES, in_file, strict=True)}
    shown = {side: players.get(side, Seated("", None)) for side in SIDE_NAMES}
    return {
        "id": row.id,
        "source": row.source,
        "source_id": row.source_id,
        "file": None if about.get("file") is None else one_line(about["file"]),
        "variant": row.variant,
        "state": row.state,
        "progress": row.progress,
        "error": _failure(row.error, lang),
        "created": row.created,
        "plies": row.plies,
        "you": about.get("you"),
        "players": {side: one_line(player.name) for side, player in shown.items()},
        "levels": {side: player.level for side, player in shown.items()},
        "rates": {side: _rate(row.summary.get(side, {}).get("all")) for side in SIDE_NAMES},
        "repairs": about.get("repairs", []),
        "more_repairs": about.get("more_repairs", 0),
        "share": f"/shared/{row.share}" if row.share else None,
        "names": row.names,
        "public": row.public,
    }


def shared_data(row: Row[Any], players: Mapping[str, Seated] | None, lang: str = "en") -> dict[str, Any]:
    """The same for those who have the link: what belongs to the owner alone is left out, and so are names
    that they did not want to be shown."""
    own = row.about.get("you")
    shown = entry_data(row, players, lang)
    if not row.names:
        shown["players"] = {side: name if side == own else "" for side, name in shown["players"].items()}
    hidden: dict[str, Any] = {"file": None, "source_id": None, "share": None, "repairs": [], "public": False}
    return {**shown, **hidden, "more_repairs": 0}


def _rate(tally: list[float] | None) -> dict[str, float] | None:
    found = error_rate(tally) if tally else None
    return None if found is None else {"rate": round(found[0], 2), "error": round(found[1], 2)}


def report_data(report: Report, lang: str) -> dict[str, Any]:
    """A finished review: the numbers of both players and all decisions, without their boards."""
    _, *numbers = rows(report, lang)
    snowie = report.statistics("gnubg").players
    table = [*numbers[:-1], _snowie(snowie, lang), numbers[-1]]
    rules, rating = rules_of(report), translate(RATING, lang)
    return {
        "remarks": list(remarks(report, lang)),
        "numbers": [
            {"name": name, "white": white, "black": black, "first": name == rating}
            for name, white, black in table
        ],
        "sides": {side.value: _side_data(report, side) for side in Side},
        "layout": layout_data(rules),
        "decisions": [_decision(index, each, rules, lang) for index, each in enumerate(report.decisions)],
    }


def _side_data(report: Report, side: Side) -> dict[str, Any]:
    """Return what is told of a side when the match has ended: the performance rating with its error, the luck
    (EMG), and its costliest decision and its best play by number.

    The best play is the one that was right where the second best would have cost the most.
    """
    at = (Side.WHITE, Side.BLACK).index(side)
    rated, counted = (report.statistics(rule, bars=True).players[at] for rule in ("xg", "gnubg"))
    error = rated["bars"]["pr"]
    own = [
        (index, each)
        for index, each in enumerate(report.decisions)
        if each.side == side and each.decision.counted
    ]
    lost = [(each.loss, index) for index, each in own if each.loss > 0]
    led = [
        (_lead(each), index)
        for index, each in own
        if each.dice is not None and each.verdict == "best" and _lead(each) > 0
    ]
    return {
        "pr": round(rated["pr"], 2),
        "error": None if error is None else round(error, 2),
        "luck": round(counted["luck"]["emg"], 3),
        "worst": max(lost)[1] if lost else None,
        "best": max(led)[1] if led else None,
    }


def _lead(each: Judged) -> float:
    """By how much the best play leads the second best."""
    found = each.decision.candidates
    return found[0].equity - found[1].equity if len(found) > 1 else 0.0


def _snowie(players: Sequence[Mapping[str, Any]], lang: str) -> tuple[str, str, str]:
    white, black = (figure(each["snowie"], None, 2, lang) for each in players)
    return translate("Error rate (mEMG a move), Snowie's rule", lang), white, black


class Begun(NamedTuple):
    """A review that is being made: what is judged of it from the first decision on."""

    decisions: tuple[Judged, ...]
    variant: str
    card: str | None
    length: int | None

    @classmethod
    def of(cls, row: Row[Any]) -> Begun:
        """Return what is kept of a review that waits or is being made."""
        about, card = row.about, row.about.get("card")
        length = (
            about.get("length") if card is None or "length" in about else Card.from_code(card).wins_needed
        )
        judged = judged_so_far(zlib.decompress(row.partial)) if row.partial else ()
        return cls(judged, row.variant, card, length)


def begun_data(begun: Begun, since: int, lang: str) -> dict[str, Any]:
    """A review that is being made: the board before the first throw, and the decisions from `since` on."""
    rules = rules_of(begun)
    found = enumerate(begun.decisions[since:], since)
    return {
        "layout": layout_data(rules),
        "board": board_data(rules.start()),
        "decisions": [_decision(index, each, rules, lang) for index, each in found],
    }


def _decision(index: int, each: Judged, rules: Variant, lang: str) -> dict[str, Any]:
    counted = each.counted_loss("gnubg") is not None
    equity = equity_of(each)
    return {
        "n": index,
        "game": each.game,
        "number": each.number,
        "side": each.side.value,
        "type": each.decision.kind,
        "phase": phase_of(each, rules),
        "dice": None if each.dice is None else list(each.dice),
        "played": each.played,
        "done": each.played if each.dice is not None else action(each.played, lang),
        "loss": round(each.loss, 4),
        "verdict": each.verdict,
        "word": translate(grade_name(each.verdict), lang),
        "luck": None if each.luck is None else round(each.luck, 3),
        "equity": None if equity is None else round(equity, 3),
        "counted": counted,
        "tried": each.tried,
        "open": each.tried or equity is not None,
    }


def decision_data(report: Report | Begun, index: int, lang: str) -> dict[str, Any]:
    """One decision: its board, what could be done with equities and ways, why, and how it may be played."""
    each, rules = report.decisions[index], rules_of(report)
    return {
        "n": index,
        **scene_data(each, rules),
        **answers_data(each, rules, lang),
        "address": _address(report, each, rules),
        "plies": each.plies,
    }


def worst_scene(report: Report, side: str | None = None) -> Scene | None:
    """Return the costliest decision of one side or of both, a play with the best one as arrows.

    None where none was judged.
    """
    mine = [each for each in report.decisions if each.decision.counted and side in (None, each.side.value)]
    if not mine:
        return None
    worst, rules = max(mine, key=lambda each: each.loss), rules_of(report)
    position = rules.position_from_id(worst.board)
    dice, best = _thrown(worst, position), worst.best
    steps = position.parse_play(best, dice).steps if worst.dice and best and best != "pass" else ()
    here = _situation(report, worst, rules)
    card, match = (None, None) if here is None else (here.card, here.match)
    return scene_of(position, card, match, None if worst.dice is None else Roll(*worst.dice), steps=steps)


def scene_data(each: Judged, rules: Variant) -> dict[str, Any]:
    """Return what is to be decided: the board, the dice, the cube, and how a play may be entered."""
    position = rules.position_from_id(each.board)
    dice = _thrown(each, position)
    choices = stages_data(list(position.bare_stages(dice))) if each.dice is not None and each.played else []
    # A throw of a double is played in more steps than it has dice.
    doubled = each.dice is not None and each.dice[0] == each.dice[1]
    return {
        "side": position.turn.value,
        "decider": each.side.value,
        "board": board_data(position),
        "dice": None if each.dice is None else list(each.dice),
        "dice_steps": int(str(rules.axes["throw"]["double_steps"])) if doubled else 2,
        "cube": cube_of(each.position) | {"in_play": each.decision.kind != "play" or _has_cube(rules)},
        "score": score_of(each.position),
        "choices": choices,
        "position": each.position,
    }


def answers_data(each: Judged, rules: Variant, lang: str) -> dict[str, Any]:
    """Return what could be done with equities and ways, the reason, and what the decision is called."""
    position = rules.position_from_id(each.board)
    return {
        "candidates": list(_candidates(each, position, _thrown(each, position), lang)),
        "reason": each.say(lang),
        "word": translate(grade_name(each.verdict), lang),
    }


def _thrown(each: Judged, position: Position) -> tuple[int, int] | None:
    """The dice that plays are asked for with; None where an element is owed."""
    return None if position.pending is not None and position.pending.choose is None else each.dice


def _address(report: Report | Begun, each: Judged, rules: Variant) -> str | None:
    """Return the query by which the analysis board shows a decision; None where that cannot be."""
    here = _situation(report, each, rules)
    return None if here is None else urlencode(here.query)


def _situation(report: Report | Begun, each: Judged, rules: Variant) -> Situation | None:
    """Return the moment of a decision; None where the file says what cannot be.

    Score and cube are those of the XGID; games that have none are shown at the start of a match.
    """
    try:
        card = bare(Card.from_code(report.card)) if report.card else _card(report)
        match = card.opening_state()
        if each.position.startswith("XGID="):
            in_file = parse_xgid(each.position, rules).match
            crawford = in_file.crawford and match.crawford_rule
            match = replace(
                match,
                white=in_file.white,
                black=in_file.black,
                cube=in_file.cube,
                owner=in_file.owner,
                crawford=crawford,
                automatic_doubles=in_file.automatic_doubles,
            )
        dice = None if each.dice is None else Roll(*each.dice)
        return Situation(card, rules.position_from_id(each.board), match, dice)
    except SheshbeshError:
        return None


def _card(report: Report | Begun) -> Card:
    if report.length is None:
        return Card(game=report.variant, contest=Contest.MONEY)
    return Card(game=report.variant, length=report.length)


def _has_cube(rules: Variant) -> bool:
    return bool(rules.axes["cube"]["use"])


def _candidates(each: Judged, position: Position, dice: Any, lang: str) -> Iterator[dict[str, Any]]:
    if not each.decision.candidates and each.decision.cube is None:
        return
    answers = ("take", "drop") if each.decision.kind in ("take", "drop") else ("double", "no_double")
    words = {action(name, lang): name for name in answers}
    for name, equity, behind, depth, made in choices_of(each, lang):
        candidate: dict[str, Any] = {
            "name": name,
            "action": words.get(name) if each.dice is None else None,
            "equity": round(equity, 4),
            "behind": round(behind, 4),
            "depth": depth,
            "made": made,
            "steps": [],
        }
        if each.dice is not None and (each.decision.counted or each.tried):
            try:
                candidate["steps"] = play_data(position.parse_play(name or "pass", dice))["steps"]
            except SheshbeshError:  # a play that was against the rules and stood
                candidate["steps"] = []
        yield candidate


# A person's history


def history_data(found: Sequence[Row[Any]]) -> dict[str, Any]:
    """Return a person's loss a decision in thousandths of a point: over time, by game, opponent and phase.

    Reviews count in which they sat at one side; each number has its standard error.
    """
    own = [row for row in reversed(found) if row.state == DONE and row.about.get("you")]
    tallies: dict[str, dict[str, list[float]]] = {"variant": {}, "level": {}, "phase": {}}
    points = []
    for row in own:
        mine = row.summary.get(row.about["you"], {})
        if not mine.get("all"):
            continue
        points.append({"id": row.id, "at": row.created, "variant": row.variant, **(_rate(mine["all"]) or {})})
        opponent = row.about.get("opponent") or {}
        level = opponent.get("level") or opponent.get("kind") or "unknown"
        for kind, name, tally in (
            ("variant", row.variant, mine["all"]),
            ("level", level, mine["all"]),
            *(("phase", phase, mine[phase]) for phase in PHASES if mine.get(phase)),
        ):
            kept = tallies[kind].setdefault(name, [0, 0.0, 0.0])
            kept[:] = [a + b for a, b in zip(kept, tally, strict=True)]
    groups = {
        kind: [
            {"name": name, "decisions": tally[0], **(_rate(tally) or {})}
            for name, tally in found.items()
            if tally[0]
        ]
        for kind, found in tallies.items()
    }
    return {"points": [each for each in points if "rate" in each], **groups}
