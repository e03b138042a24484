"""A review as one page that needs no network: numbers, graphs, errors with boards drawn as on the site."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from sheshbesh.i18n import language, translate
from sheshbesh.reviews.judged import Judged
from sheshbesh.reviews.questions import rules_of
from sheshbesh.reviews.text import Reviewed, heading, remarks, rows, title
from sheshbesh.reviews.wording import action, depth_text
from sheshbesh.rules import Variant
from sheshbesh.session.board_data import board_data, layout_data

SMALLEST = 0.01
"""Errors that lost less than this are counted, but not shown one by one."""

_SHOWN = 5
_WIDTH, _HEIGHT = 720, 180
_ARROWS = {None: "ok", "best": "ok", "fine": "ok", "inaccuracy": "error", "error": "error"}
_WEB = files("sheshbesh") / "web"


def page(report: Reviewed, lang: str = "en") -> str:
    """The page as text."""
    rules = rules_of(report)
    shown = [each for each in report.errors() if each.loss >= SMALLEST]
    anchors = {id(each): f"d{index}" for index, each in enumerate(shown)}
    body = "\n".join(
        (
            f"<h1>{escape(title(report, lang))}</h1>",
            *(f"<p>{escape(line)}</p>" for line in remarks(report, lang)),
            _numbers(report, lang),
            _graphs(report, anchors, lang),
            f"<h2>{escape(translate('The costliest errors', lang))}</h2>" if shown else "",
            _filters(lang) if shown else f"<p>{escape(translate('No errors were found.', lang))}</p>",
            *(_article(each, anchors[id(each)], lang) for each in shown),
        )
    )
    scenes = {anchors[id(each)]: _scene(each, rules) for each in shown}
    data = {"layout": layout_data(rules), "scenes": scenes}
    # The name of a player must not end the script.
    embedded = json.dumps(data).replace("<", "\\u003c")
    spoken, style, script = language(lang), _own("page.css"), _own("page.js")
    return (
        f'<!doctype html>\n<html lang="{spoken.code}" dir="{spoken.direction}">\n<head>\n'
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title(report, lang))}</title>\n"
        f"<style>\n{_read('styles/board.css')}\n{style}</style>\n"
        f'<script type="importmap">{json.dumps({"imports": _modules()})}</script>\n</head>\n'
        f"<body>\n<main>\n{body}\n</main>\n"
        f'<script type="application/json" id="data">{embedded}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _own(name: str) -> str:
    return (files("sheshbesh") / "reviews" / name).read_text(encoding="utf-8")


def _read(path: str) -> str:
    return (_WEB / path).read_text(encoding="utf-8")


def _modules() -> dict[str, str]:
    """The board of the site as modules that live in the page: by name, their text in the address."""
    names = [f"board/{each.name}" for each in (_WEB / "board").iterdir() if each.name.endswith(".js")]
    found = {}
    for name in sorted([*names, "vendor/lit.js"]):
        text = re.sub(r'(\bfrom|\bimport) "\./', rf'\1 "{name.split("/")[0]}/', _read(name))
        text = re.sub(r'(\bfrom|\bimport) "\.\./', r'\1 "', text)
        found[name] = "data:text/javascript;base64," + b64encode(text.encode()).decode()
    return found


# Numbers and graphs


def _numbers(report: Reviewed, lang: str) -> str:
    head, *rest = rows(report, lang)
    lines = [
        f'<tr><th scope="row">{escape(each.name)}</th><td><bdi>{escape(each.white)}</bdi></td>'
        f"<td><bdi>{escape(each.black)}</bdi></td></tr>"
        for each in rest
    ]
    names = "".join(f'<th scope="col"><bdi>{escape(name)}</bdi></th>' for name in (head.white, head.black))
    return (
        f'<table class="numbers"><thead><tr><th scope="col">{escape(head.name)}</th>{names}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _graphs(report: Reviewed, anchors: dict[int, str], lang: str) -> str:
    known = [(each, equity) for each in report.decisions if (equity := equity_of(each)) is not None]
    if len(known) < 2:
        return ""
    equities = [equity for _, equity in known]
    lost: dict[str, list[float]] = {"white": [], "black": []}
    for each, _ in known:
        for side, line in lost.items():
            line.append((line[-1] if line else 0.0) + (each.loss if each.side == side else 0.0))
    marks = [
        (index, equity, anchors[id(each)])
        for index, (each, equity) in enumerate(known)
        if id(each) in anchors
    ]
    return _graph(translate("White's equity at each decision", lang), {"equity": equities}, marks) + _graph(
        translate("Equity lost so far", lang), lost, []
    )


def equity_of(each: Judged) -> float | None:
    """White's equity with the best decision; None where there was nothing to decide."""
    decision = each.decision
    if not decision.counted or (decision.kind == "play" and not decision.unforced):
        return None
    own = decision.cube.best if decision.cube is not None else decision.candidates[0].equity
    doubler = each.side if decision.kind not in ("take", "drop") else each.side.other
    return own if doubler == "white" else -own


def _graph(name: str, lines: dict[str, list[float]], marks: Sequence[tuple[int, float, str]]) -> str:
    values = [value for line in lines.values() for value in line]
    low, high = min(0.0, *values), max(0.0, *values)
    span = high - low or 1.0
    count = max(len(line) for line in lines.values())

    def place(index: int, value: float) -> str:
        x, y = 44 + (_WIDTH - 54) * index / (count - 1), 10 + (_HEIGHT - 20) * (high - value) / span
        return f"{x:.1f},{y:.1f}"

    def at(index: int, value: float) -> str:
        return 'cx="{}" cy="{}"'.format(*place(index, value).split(","))

    zero = place(0, 0.0).split(",")[1]
    drawn = "".join(
        f'<polyline class="{kind}" points="{" ".join(place(i, value) for i, value in enumerate(line))}"/>'
        for kind, line in lines.items()
    )
    dots = "".join(
        f'<a href="#{anchor}"><circle {at(index, value)} r="4"/></a>' for index, value, anchor in marks
    )
    scale = "".join(
        f'<text x="40" y="{place(0, value).split(",")[1]}" dy="4" text-anchor="end">{value:.1f}</text>'
        for value in dict.fromkeys((low, 0.0, high))
    )
    return (
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f'<svg class="graph" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(name)}">'
        f'<line x1="44" x2="{_WIDTH - 10}" y1="{zero}" y2="{zero}"/>{scale}{drawn}{dots}</svg></figure>'
    )


# Errors


def _filters(lang: str) -> str:
    def select(name: str, options: Sequence[tuple[str, str]]) -> str:
        choices = "".join(f'<option value="{value}">{escape(text)}</option>' for value, text in options)
        return f'<select data-filter="{name}">{choices}</select>'

    kinds = (
        ("", translate("All decisions", lang)),
        ("play", translate("Plays only", lang)),
        ("cube", translate("Cube only", lang)),
    )
    sides = (
        ("", translate("Both sides", lang)),
        ("white", translate("White", lang)),
        ("black", translate("Black", lang)),
    )
    hint = translate("On the board: the best play as a full arrow, what was played dashed.", lang)
    chosen = f"{select('side', sides)} {select('kind', kinds)}"
    return f'<p class="filters">{chosen}</p><p class="hint">{escape(hint)}</p>'


def _article(each: Judged, anchor: str, lang: str) -> str:
    kind = "play" if each.decision.kind == "play" else "cube"
    table = "".join(_table(each, lang))
    return (
        f'<article id="{anchor}" data-side="{each.side.value}" data-kind="{kind}">'
        f"<h3><bdi>{escape(heading(each, lang))}</bdi></h3>"
        f'<div class="pair"><div class="board" dir="ltr"></div><div><p>{escape(each.say(lang))}</p>{table}'
        f'<p class="id" dir="ltr">{escape(each.position)}</p></div></div></article>'
    )


def _table(each: Judged, lang: str) -> Iterator[str]:
    head = (
        translate("Play or cube action", lang),
        translate("Equity", lang),
        translate("Behind the best", lang),
        translate("Looked at", lang),
    )
    yield f"<table><thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr></thead><tbody>"
    for name, equity, behind, depth, made in choices_of(each, lang):
        cells = (f"{equity:+.3f}", f"{behind:.3f}" if behind else "")
        yield f"<tr{' class=made' if made else ''}><td><bdi>{escape(name)}</bdi></td>"
        yield "".join(f'<td dir="ltr">{escape(cell)}</td>' for cell in cells)
        yield f"<td>{escape(depth_text(depth, lang))}</td></tr>"
    yield "</tbody></table>"


def choices_of(each: Judged, lang: str) -> Iterator[tuple[str, float, float, str, bool]]:
    """Return what could be done: its name, equity, distance to the best, depth, and whether it was done."""
    decision, cube = each.decision, each.decision.cube
    if cube is None:
        found = list(enumerate(decision.candidates))
        kept = found[:_SHOWN] + [pair for pair in found[_SHOWN:] if pair[0] == decision.played]
        best = decision.candidates[0].equity
        for index, candidate in kept:
            behind = max(best - candidate.equity, 0.0)
            yield candidate.play, candidate.equity, behind, candidate.depth, index == decision.played
        return
    if decision.kind in ("take", "drop"):
        values = {"take": -cube.double_take, "drop": -cube.double_drop}
    else:
        values = {"double": cube.best_double, "no_double": cube.no_double}
    best = max(values.values())
    for name, value in sorted(values.items(), key=lambda pair: -pair[1]):
        yield action(name, lang), value, best - value, cube.depth, name == each.played


def _scene(each: Judged, rules: Variant) -> dict[str, Any]:
    """Return what the board shows: the position, and for a play the ways of the best one and of that made."""
    position = rules.position_from_id(each.board)
    scene: dict[str, Any] = {
        "side": position.turn.value,
        "you": each.side.value,
        "board": board_data(position),
        "dice": None if each.dice is None else list(each.dice),
        "ways": [],
        "cube": cube_of(each.position),
    }
    if each.dice is not None:
        dice = None if position.pending is not None and position.pending.choose is None else each.dice
        for grade, text in (("best", each.best), (_ARROWS.get(each.verdict, "blunder"), each.played)):
            steps = position.parse_play(text or "pass", dice).steps
            rows_ = [[step.origin, step.target, step.die, int(step.takes)] for step in steps]
            scene["ways"].append({"grade": grade, "steps": rows_})
    return scene


def cube_of(text: str) -> dict[str, Any]:
    """The cube of the XGID; at 1 in the middle where there is no XGID."""
    found: dict[str, Any] = {"value": 1, "owner": None, "offered": None, "by": None}
    if text.startswith("XGID="):
        fields = text.split(":")
        found["value"] = 2 ** int(fields[1])
        found["owner"] = {"1": "white", "-1": "black"}.get(fields[2])
    return found


def score_of(text: str) -> dict[str, Any] | None:
    """Return the score of the match that an XGID tells; None for money play, and where there is no XGID."""
    if not text.startswith("XGID="):
        return None
    white, black, crawford, length = (int(field) for field in text.split(":")[5:9])
    return {"white": white, "black": black, "crawford": bool(crawford), "length": length} if length else None
