"""The page of all results: `python -m benchmarks.strength.page` writes `results.md`.

Numbers come from the files that the other tools have written and from nowhere else; beside each target
stands what was measured, or that nothing was.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from benchmarks.strength import store
from benchmarks.strength.duels import AGAINST_BEST, AGAINST_CHANCE, CHANCE
from benchmarks.strength.regret import SETTLED
from benchmarks.strength.speed import GNUBG_ROLLOUT
from sheshbesh.engines import LEVELS
from sheshbesh.engines.strength import levels

PAGE = store.HERE / "results.md"

KINDS_OF_LUCK = {"sifted": "filtered"}
"""What the page calls a kind of variance reduction, where its name in the results is another."""

RATIOS = {"amx": 3.0, "avx512_vnni": 1.5, "avx_vnni": 1.5, "avx2": 0.6}
GNUBG_AHEAD, GNUBG_GAMES = 0.03, {"0-ply": 100_000, "2-ply": 2_000}
BACKGAMMON_REGRET, BACKGAMMON_DECISIONS = {"0-ply": 2.0, "1-ply": 1.5, "2-ply": 0.5}, 2000
FIRST_REGRET, FIRST_DECISIONS = {"0-ply": 3.0, "2-ply": 1.0}, 300
REGRET, DECISIONS = {"0-ply": 6.0, "2-ply": 2.0}, 200
PER_POINT, PER_POINT_MOST_GAMES = 6.0, 4.0
ROLLOUT_TIMES, BIAS = 10.0, 0.03
CUBE_MS = {"0-ply": 1.0, "2-ply": 30.0}

Row = Sequence[object]


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """A Markdown table, numbers to the right."""
    lines = [_line(head), "|---|" + "---:|" * (len(head) - 1)]
    return [*lines, *map(_line, rows), ""]


def prose(*parts: str) -> list[str]:
    """A paragraph, and the empty line after it."""
    return [*wrap(" ".join(parts), 105), ""]


def _line(cells: Row) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def net_name(net: str, game: str) -> str:
    """The first digits of a net, and whether it is not the one that is shipped now."""
    return net[:8] + ("" if store.is_shipped(net, game) else " older")


def verdict(*, reached: bool, enough: bool = True) -> str:
    """The word for a target; `enough`: whether as much was measured as it asks for."""
    if not enough:
        return "so far reached" if reached else "so far missed"
    return "reached" if reached else "**missed**"


def bracket_verdict(row: dict[str, float], wanted: float, *, enough: bool) -> str:
    """The word for a target of a loss that on average lies between `loss` and `most`.

    It is told only where two standard errors beyond the farther of the two leave no doubt; `enough`:
    whether as many decisions were measured as the target asks for.
    """
    if row["most"] + 2 * row["most_error"] <= wanted:
        return verdict(reached=True, enough=enough)
    if row["loss"] - 2 * row["error"] > wanted:
        return verdict(reached=False, enough=enough)
    if row["most"] <= wanted:
        return "open, likely reached"
    return "open, likely missed" if row["loss"] > wanted else "open"


def lead_verdict(score: float, error: float, wanted: float, *, enough: bool) -> str:
    """The word for points a game: told only where two standard errors leave no doubt."""
    if abs(score - wanted) > 2 * error:
        return verdict(reached=score > wanted, enough=enough)
    return f"open, likely {'reached' if score >= wanted else 'missed'}"


def made_with(entry: dict[str, Any], game: str) -> str:
    """Net, machine and day of an entry."""
    widths = "-".join(map(str, entry.get("widths") or ()))
    games, in_all = entry.get("games_trained"), entry.get("games_in_all")
    before = f", {in_all:,} with the nets it grew from" if games and in_all and in_all > games else ""
    played = f", {games:,} games of self-play{before}" if games else ""
    return f"Net {net_name(entry['net'], game)} ({widths}{played}); {entry['machine']}; {entry['date']}."


def duels(found: dict[str, Any]) -> list[str]:
    """Nets against chance and the hand-written players."""
    rows = []
    for game, entry in found.items():
        against, best = entry["against"], entry["best"]
        cells = []
        for name, wanted in ((CHANCE, AGAINST_CHANCE), (best, AGAINST_BEST)):
            score = against.get(name)
            cells.append(
                "-" if score is None else f"{_percent(score)} {verdict(reached=score['share'] >= wanted)}"
            )
        others = ", ".join(
            f"{name} {_percent(score)}" for name, score in against.items() if name not in (CHANCE, best)
        )
        pairs = min(score["games"] for score in against.values())
        net = net_name(entry["net"], game)
        rows.append((game, cells[0], _against(cells[1], best), others, f"{pairs:,}", net))
    return [
        "## Every game: the raw net against chance and against hand-written players",
        "",
        *prose(
            f"Share of all points won. Targets: {AGAINST_CHANCE:.0%} against chance,",
            f"{AGAINST_BEST:.0%} against the best of the three written players.",
            "Mirrored dice, one standard error.",
        ),
        *table(("game", "chance", "best of three", "the others", "games each", "net"), rows),
    ]


def deeper(found: dict[str, Any], raw: dict[str, Any]) -> list[str]:
    """What looking ahead adds to the share of points, where the raw net falls short."""
    rows = []
    for game, entry in found.items():
        shallow = raw.get(game, {})
        gains = [
            f"{name} {_percent(score)}" + _gain(score, shallow, entry, name) + f", {score['games']:,} games"
            for name, score in entry["against"].items()
        ]
        rows.append((game, "; ".join(gains), net_name(entry["net"], game)))
    return [
        "### The same, looking two plies ahead",
        "",
        *prose(
            "Where looking ahead adds little, more than the raw net gets can hardly be had against these",
            "dice. In brackets what it adds to the same net's raw score, whose games were others.",
        ),
        *table(("game", "share of the points", "net"), rows),
    ]


def _gain(score: dict[str, Any], shallow: dict[str, Any], entry: dict[str, Any], name: str) -> str:
    """What looking ahead adds, if the raw score is that of the same net."""
    if shallow.get("net") != entry["net"] or name not in shallow["against"]:
        return ""
    before = shallow["against"][name]
    error = (score["share_error"] ** 2 + before["share_error"] ** 2) ** 0.5
    return f" ({100 * (score['share'] - before['share']):+.1f} ± {100 * error:.1f})"


def _against(said: str, best: str | None) -> str:
    """A score against the best of the written players; which that is, is known when all were played."""
    return said if best is None else f"{said} ({best})"


def _percent(score: dict[str, Any]) -> str:
    return f"{100 * score['share']:.2f} ± {100 * score['share_error']:.2f} %"


def gnubg(found: dict[str, Any]) -> list[str]:
    """Backgammon against gnubg."""
    rows = []
    for name, entry in found.items():
        score, error = entry["per_game"], entry["error"]
        taken = f"{entry['adjusted']:+.4f} ± {entry['adjusted_error']:.4f}" if "adjusted" in entry else "-"
        ours, theirs = entry["ms_per_decision"]
        rows.append(
            (
                name,
                f"{entry['games']:,}",
                f"{score:+.4f} ± {error:.4f}",
                taken,
                ours,
                theirs,
                net_name(entry["net"], "backgammon"),
            )
        )
    lines = [
        "## Backgammon against gnubg",
        "",
        *prose(
            "Points a game of our net over gnubg's, cubeless money, mirrored dice. Targets: 0-ply ahead by",
            f"{GNUBG_AHEAD} (first milestone: level) over {GNUBG_GAMES['0-ply']:,} games; 2-ply at least",
            f"level over {GNUBG_GAMES['2-ply']:,} with the luck taken out, and cheaper in processor time.",
        ),
        *table(("both", "games", "points a game", "luck taken out", "our ms", "gnubg's ms", "net"), rows),
    ]
    if raw := found.get("0-ply"):
        enough, score = raw["games"] >= GNUBG_GAMES["0-ply"], raw["per_game"]
        lines += prose(
            f"0-ply: ahead by {GNUBG_AHEAD} {lead_verdict(score, raw['error'], GNUBG_AHEAD, enough=enough)},",
            f"level {lead_verdict(score, raw['error'], 0, enough=enough)}; {_range(score, raw['error'])}.",
        )
    if deep := found.get("2-ply"):
        enough = deep["games"] >= GNUBG_GAMES["2-ply"]
        score, error = deep.get("adjusted", deep["per_game"]), deep.get("adjusted_error", deep["error"])
        ours, theirs = deep["ms_per_decision"]
        lines += prose(
            f"2-ply: level {lead_verdict(score, error, 0, enough=enough)}, {_range(score, error)};",
            f"cheaper {verdict(reached=ours < theirs)};",
            f"{deep['games']:,} of {GNUBG_GAMES['2-ply']:,} games.",
        )
    return lines


def _range(score: float, error: float) -> str:
    return f"within two standard errors {score - 2 * error:+.4f} to {score + 2 * error:+.4f}"


def regret(found: dict[str, Any]) -> list[str]:
    """What choices lose."""
    rows = []
    for game, entry in found.items():
        cells = []
        for name in ("0-ply", "1-ply", "2-ply"):
            row = entry["choosers"][name]
            words = [
                f"≤ {wanted[name]:g}: {bracket_verdict(row, wanted[name], enough=row['decisions'] >= least)}"
                for wanted, least in _regret_targets(game)
                if name in wanted
            ]
            cells.append(_lost(row) + (f" ({'; '.join(words)})" if words else ""))
        others = ", ".join(
            f"{name} {_lost(row)}"
            for name, row in entry["choosers"].items()
            if name.startswith("gnubg") or name == SETTLED
        )
        way = f"{entry['trials']}" + (f", cut after {entry['truncate']}" if entry["truncate"] else "")
        share = f"{entry['rolled_out']} of {entry['decisions']}"
        rows.append((game, *cells, others or "-", share, way, net_name(entry["net"], game)))
    head = ("game", "0-ply", "1-ply", "2-ply", "others", "rolled out", "trials a play", "net")
    return [
        "## Regret, in thousandths of a point a decision",
        "",
        *prose(
            "By our own rollouts, on decisions of games that no net was trained on, only where the choices",
            "differ; the best is chosen on one half of the trials, the loss measured on the other. That is",
            "on average too little, as the best is not always found. After “to” stands the loss against the",
            "best by all trials, on average too much. A target is reached where two standard errors above",
            "the larger number are within it, missed where two below the smaller are not, and else open,",
            "with the more likely answer where both numbers lie on one side. “So far”: of fewer decisions",
            f"than the target asks for, {DECISIONS} a game, in backgammon {FIRST_DECISIONS} for its first",
            f"milestones and {BACKGAMMON_DECISIONS:,} for the rest. Rollouts that are cut end with the value",
            "of the raw net, and flatter it.",
        ),
        *table(head, rows),
    ]


def regret_per_point(found: dict[str, Any], calibrated: dict[str, Any]) -> list[str]:
    """What choices lose of each point at stake, the weakest raw net first."""
    rows = []
    for game, entry in found.items():
        if game not in calibrated:
            continue
        stake = calibrated[game]["mean_worth"]
        shares = {
            name: {key: value / stake for key, value in entry["choosers"][name].items() if key != "decisions"}
            for name in ("0-ply", "1-ply", "2-ply")
        }
        enough = entry["decisions"] >= DECISIONS
        said = "; ".join(
            f"≤ {wanted:g}: {bracket_verdict(shares['0-ply'], wanted, enough=enough)}"
            for wanted in (PER_POINT, PER_POINT_MOST_GAMES)
        )
        cells = [f"{row['loss']:.1f} to {row['most']:.1f}" for row in shares.values()]
        cells[0] += f" ± {shares['0-ply']['error']:.1f} ({said})"
        rows.append((game, f"{stake:.2f}", *cells, net_name(entry["net"], game), shares["0-ply"]["loss"]))
    rows.sort(key=lambda row: -float(row[-1]))
    return [
        "### The same for each point at stake",
        "",
        *prose(
            "A game that pays the checkers left is about eight points, another about one and a third; a",
            "thousandth of what is at stake means the same in both. At stake is what the loser pays on",
            "average in games of the raw net with itself (from the calibration below). The weakest come",
            f"first; targets for the raw net are {PER_POINT:g} in every game and {PER_POINT_MOST_GAMES:g} in",
            "most.",
        ),
        *table(
            ("game", "points at stake", "0-ply", "1-ply", "2-ply", "net of the regret"),
            [row[:-1] for row in rows],
        ),
    ]


def _regret_targets(game: str) -> list[tuple[dict[str, float], int]]:
    """The targets of a game, each with the decisions it asks for; the milestones first."""
    if game == "backgammon":
        return [(FIRST_REGRET, FIRST_DECISIONS), (BACKGAMMON_REGRET, BACKGAMMON_DECISIONS)]
    return [(REGRET, DECISIONS)]


def _lost(row: dict[str, float]) -> str:
    return f"{row['loss']:.2f} ± {row['error']:.2f} to {row['most']:.2f} ± {row['most_error']:.2f}"


def speed(found: dict[str, Any]) -> list[str]:
    """Speed, beside gnubg-nn."""
    lines = ["## Speed", ""]
    if raw := found.get("raw evaluations"):
        rates, ratios = raw["per_second"], raw["ratios"]
        theirs = max((rate for name, rate in rates.items() if name.startswith("gnubg")), default=0)
        rows = []
        for name, rate in rates.items():
            wanted = RATIOS.get(name)
            ratio = f"{ratios[name]:.2f}" if name in ratios else "-"
            said = (
                f"≥ {wanted:g}: {verdict(reached=ratios[name] >= wanted)}"
                if wanted and name in ratios
                else "-"
            )
            rows.append((name, f"{rate / 1000:,.0f}", ratio, said))
        rows += [
            (name, "not on this machine", "-", f"≥ {RATIOS[name]:g}") for name in RATIOS if name not in rates
        ]
        lines += [
            *prose(
                f"Raw evaluations of a net with {raw['parameters']:,} parameters, thousands a second",
                f"and core, and how many times gnubg-nn's {theirs / 1000:,.0f} in the same run.",
            ),
            *table(("", "thousands a second", "times gnubg", "target"), rows),
            made_with(raw, "backgammon"),
            "",
        ]
    if choosing := found.get("decisions"):
        names = [name for name in choosing if name.startswith(("0-ply", "2-ply"))]
        spent = [(name, choosing[name]) for name in names]
        lines += ["Milliseconds of processor time a decision:", "", *table(("", "ms"), spent)]
        lines += [made_with(choosing, "backgammon"), ""]
    if rolling := found.get("rollout"):
        lines += [*rollouts(rolling), made_with(rolling, "backgammon"), ""]
    if cube := found.get("cube"):
        decided: list[Row] = []
        for name, wanted in CUBE_MS.items():
            row = cube[name]
            reached = verdict(reached=row["mean"] <= wanted)
            decided.append((name, row["mean"], row["median"], row["longest"], f"≤ {wanted:g}: {reached}"))
        lines += [
            "Cube decisions, milliseconds:",
            "",
            *table(("", "mean", "median", "longest", "target (mean)"), decided),
            made_with(cube, "backgammon"),
            "",
        ]
    return lines


def rollouts(rolling: dict[str, Any]) -> list[str]:
    """Rollout speed: by games, and by games with full variance reduction of the same precision."""
    games, errors = rolling["games_per_s"], rolling["errors"]
    worth = {luck: rate * (errors["full"] / errors[luck]) ** 2 for luck, rate in games.items()}
    # Without variance reduction a game is not comparable to gnubg's; its worth is shown all the same.
    by_games = max((luck for luck in games if luck != "none"), key=lambda luck: games[luck])
    by_worth = max(worth, key=lambda luck: worth[luck])
    said = [
        f"by {what} {rate[luck] / GNUBG_ROLLOUT:.1f} times (luck: {KINDS_OF_LUCK.get(luck, luck)}),"
        f" {verdict(reached=rate[luck] >= ROLLOUT_TIMES * GNUBG_ROLLOUT)}"
        for what, rate, luck in (("games", games, by_games), ("worth", worth, by_worth))
    ]
    rows = [
        (
            KINDS_OF_LUCK.get(luck, luck),
            rate,
            f"{1000 * errors[luck]:.1f}",
            f"{rate / GNUBG_ROLLOUT:.1f}",
            f"{worth[luck]:.0f}",
            f"{worth[luck] / GNUBG_ROLLOUT:.1f}",
        )
        for luck, rate in games.items()
    ]
    return [
        *prose(
            f"Rollouts at 0 plies to the end of the game, from its start, {rolling['trials']} trials;",
            f"gnubg plays about {GNUBG_ROLLOUT:.0f} games a second with its full variance reduction. Ours",
            "are faster where luck is only filtered, but a game then tells less: its worth is how many games",
            "a second with the luck measured in full would shrink the error as fast. Target",
            f"≥ {ROLLOUT_TIMES:g} times gnubg: {'; '.join(said)}.",
        ),
        *table(
            ("luck", "games a second", "error, mEq", "times gnubg", "worth in full games", "times gnubg"),
            rows,
        ),
    ]


def calibration(found: dict[str, Any]) -> list[str]:
    """Whether nets expect what comes."""
    rows = [
        (
            game,
            f"{100 * entry['wins']:+.2f} ± {100 * entry['wins_error']:.2f}",
            f"{1000 * entry['equity']:+.1f} ± {1000 * entry['equity_error']:.1f}",
            f"{1000 * entry['worth']:+.1f} ± {1000 * entry['worth_error']:.1f}",
            f"{1000 * entry['start']:+.1f} ± {1000 * entry['start_error']:.1f}{_bias_mark(entry)}",
            f"{entry['mean_worth']:.2f}",
            f"{entry['games']:,}",
            net_name(entry["net"], game),
        )
        for game, entry in found.items()
    ]
    head = ("game", "wins, %", "equity, mEq", "worth, mEq", "worth at the start", "of points", "games", "net")
    return [
        "## What nets expect, less what came",
        "",
        *prose(
            "Chances as the net sees them one ply ahead, in its games with itself, against what came, all",
            "luck of the dice taken out. Worth is what is at stake, won by either side: a net that expects",
            "too few gammons is below zero there, most of all where games begin, farthest from what came.",
            f"It is “biased” where that is more than {BIAS:.0%} of the points of a game, beyond two standard",
            "errors.",
        ),
        *table(head, rows),
    ]


def _bias_mark(entry: dict[str, Any]) -> str:
    beyond_doubt = abs(entry["start"]) - 2 * entry["start_error"]
    return " **biased**" if beyond_doubt > BIAS * entry["mean_worth"] else ""


def error_rates(found: dict[str, Any]) -> list[str]:
    """What the levels lose."""
    rows = []
    for entry in found.values():
        cells = []
        for level in LEVELS:
            row = entry["levels"].get(level.name)
            cells.append(
                "-" if row is None else f"{1000 * row['loss']:.1f} ± {1000 * row['standard_error']:.1f}"
            )
        rows.append((entry["game"], *cells, _nets(entry)))
    return [
        "## Levels, in thousandths of a point a decision",
        "",
        *prose(
            "The loss in games of a level with itself, judged by the engine at 2 plies. A level that looks",
            "as deep as the judge cannot be measured by it: for it stands what its choices lose by rollouts,",
            "the middle between the two numbers of the table of regret; a stricter judge, so it may lose",
            "more than the level before. Where two neighbours lie within their errors, their order is not",
            "known. A net that is older is not the one that the level plays with",
            "now; “-” is one that was not noted.",
        ),
        *table(("game", *(level.name for level in LEVELS), "net"), rows),
    ]


def _nets(entry: dict[str, Any]) -> str:
    """The nets of a game's levels; if they are several, which is whose."""
    whose: dict[str, list[str]] = {}
    for level in LEVELS:
        if row := entry["levels"].get(level.name):
            net = net_name(row["net"], entry["game"]) if "net" in row else "-"
            whose.setdefault(net, []).append(level.name)
    if len(whose) < 2:
        return "".join(whose)
    return "; ".join(f"{net} ({', '.join(names)})" for net, names in whose.items())


def page(folder: Path) -> str:
    """All results as Markdown."""
    parts = {"duels": duels, "gnubg": gnubg, "regret": regret, "calibration": calibration, "speed": speed}
    lines = [
        "# Strength, as measured",
        "",
        *prose(
            "Written by `python -m benchmarks.strength.page` from the files in `results/`, which name net,",
            "settings, machine and day of each number. How each is measured, and with which command:",
            "[README](README.md).",
        ),
    ]
    for name, part in parts.items():
        found = store.read(folder / f"{name}.json")
        lines += part(found) if found else [f"## {name}", "", "Not measured yet.", ""]
        if name == "regret" and found and (calibrated := store.read(folder / "calibration.json")):
            lines += regret_per_point(found, calibrated)
        if name == "duels" and (looked_ahead := store.read(folder / "duels-2-ply.json")):
            lines += deeper(looked_ahead, found)
    measured = store.read(levels.measured_file)
    lines += error_rates(measured) if measured else ["## Levels", "", "Not measured yet.", ""]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength.page", description="The results.")
    parser.add_argument("--results", type=Path, default=store.RESULTS, help="the folder of results")
    parser.add_argument("--out", type=Path, default=PAGE, help=f"the page ({PAGE.name})")
    options = parser.parse_args(arguments)
    options.out.write_text(page(options.results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
