"""What reading, statistics and review promise, measured on a folder of match files.

    python -m tests.reviews.audit [--files FOLDER ...] [--plies 0]

Prints a row for each promise: whether it holds, and what was measured. Files that GNU Backgammon analysed at
2 plies (NAME.sgf) are reviewed at 2 plies and compared; where the program gnubg is installed it analyses
the matches of up to five points, too, and both are timed. `tests.records.soak` has the rest: round trips, and
numbers against those that gnubg printed.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from sheshbesh.cli.main import cli
from sheshbesh.errors import RecordError
from sheshbesh.formats import parse_xgid
from sheshbesh.records import Match, read_match
from sheshbesh.reviews import review
from sheshbesh.rules import Roll, Variant, variant
from tests.records.help import DATA
from tests.reviews.against_gnubg import Comparison, compared, summary

_MATCH_KEYS = {"format", "dialect", "variant", "length", "players", "tags", "games", "repairs"}
_PLAY_KEYS = {"type", "side", "dice", "play", "legal", "position"}
_DECISION_KEYS = {
    *("game", "number", "side", "type", "dice", "position", "played", "best", "loss", "verdict"),
    *("reason", "luck", "counted"),
}
_VERDICTS = ("best", "fine", "inaccuracy", "error", "blunder", None)
_CUBE_ACTIONS = {"double", "no_double", "take", "drop", "beaver"}
_KINDS = {"play", "double", "take", "drop", "no_double"}
_SUFFIXES = (".mat", ".txt", ".sgf", ".xg", ".xgp")
_DEEP = re.compile(r"E 2C?\b|3-ply")
"""How SGF and `.xg` files name the depth that is called 2 plies here and in GNU Backgammon."""
_SHORT, _SLOWER = 5, 2
"""Points of the matches that are timed, and how many times gnubg's time is allowed."""


class Row(NamedTuple):
    """A promise, what was measured, and every place where it does not hold."""

    promise: str
    measured: str
    against: Sequence[str] = ()


def run(*arguments: object) -> Result:
    """The program with these arguments."""
    return CliRunner().invoke(cli, [str(each) for each in arguments])


def converted(files: Sequence[Path]) -> tuple[dict[Path, dict[str, Any]], list[Row]]:
    """What `convert --to json` says of every match file, and whether it says it as promised."""
    found, against, refused = {}, [], 0
    for path in files:
        result = run("convert", path, "--to", "json")
        lines = result.stderr.splitlines()
        if result.exit_code == 2:
            refused += 1
            if len(lines) != 1 or path.suffix != ".txt":
                against.append(f"{path.name}: {result.stderr.strip()}")
            continue
        data = json.loads(result.stdout)
        found[path] = data
        if result.exit_code or len(lines) != len(data["repairs"]) or _MATCH_KEYS - set(data):
            against.append(f"{path.name}: exit {result.exit_code}, {len(lines)} lines, keys {list(data)}")
    repairs = sum(len(data["repairs"]) for data in found.values())
    return found, [
        Row(
            "every match file is read; exit 0 with a line for each repair, else exit 2 with one line",
            f"{len(found)} read, {repairs} repairs, {refused} no match",
            against,
        )
    ]


def told_as_promised(found: dict[Path, dict[str, Any]]) -> list[Row]:
    """Scores, plays and forms of all games."""
    scores, plays, forms = [], [], []
    games = rolls = 0
    for path, data in found.items():
        games += len(data["games"])
        scores += [f"{path.name}: {each}" for each in _scores(data)]
        if data["variant"] == "backgammon":
            done, wrong = _replayed(data, variant("backgammon"))
            rolls += done
            plays += [f"{path.name}: {each}" for each in wrong]
        forms += [f"{path.name}: {each}" for each in _forms(data)]
    return [
        Row(
            "every game ends at the score that the next begins with, or a repair says why",
            f"{games} games",
            scores,
        ),
        Row(
            "every play can be replayed from its position, and leads to the next one", f"{rolls} rolls", plays
        ),
        Row("games and events have their keys", f"{games} games", forms),
        *_same_in_all_formats(found),
    ]


def _scores(data: dict[str, Any]) -> Iterator[str]:
    excused = any(
        word in each["reason"] + each["done"] for each in data["repairs"] for word in ("score", "result")
    )
    for game, after in zip(data["games"], data["games"][1:], strict=False):
        score, result = dict(game["score"]), game["result"]
        if result and result["winner"]:
            score[result["winner"]] += result["points"]
        if score != after["score"] and not excused:
            yield f"game {game['number']} ends at {score}, game {after['number']} begins at {after['score']}"


def _replayed(data: dict[str, Any], game: Variant) -> tuple[int, list[str]]:
    done, wrong = 0, []
    for number, each in enumerate(data["games"], 1):
        reached = None
        for event in each["events"]:
            if event["type"] == "setposition":
                reached = None
            if event["type"] != "play":
                continue
            told = parse_xgid(event["position"], game)
            where = f"game {number}, {event['dice']} {event['play']!r}"
            if told.position.turn.value != event["side"]:
                wrong.append(f"{where}: the other side is on turn")
            if reached is not None and told.position.board() != reached.board():
                wrong.append(f"{where}: the position is not the one that was reached")
            reached, roll = None, Roll(*event["dice"])
            if event["play"] is None or not event["legal"]:
                continue
            done += 1
            if event["play"] == "":
                legal = told.position.legal_plays(roll)
                wrong += [f"{where}: no dance"] if any(play.steps for play in legal) else []
                continue
            play = told.position.parse_play(event["play"], roll)
            reached = play.result
            if play.notation != event["play"]:
                wrong.append(f"{where}: canonical is {play.notation!r}")
    return done, wrong


def _forms(data: dict[str, Any]) -> Iterator[str]:
    for game in data["games"]:
        if set(game) != {"number", "score", "crawford", "events", "result"}:
            yield f"keys of a game: {sorted(game)}"
        for event in game["events"]:
            if event["type"] == "play" and set(event) != _PLAY_KEYS:
                yield f"keys of a play: {sorted(event)}"


def _same_in_all_formats(found: dict[Path, dict[str, Any]]) -> list[Row]:
    """Files of one name in a folder hold one match: the same games, but for comments."""
    groups: dict[tuple[Path, str], list[Path]] = {}
    for path in found:
        groups.setdefault((path.parent, path.stem), []).append(path)
    against, several = [], [paths for paths in groups.values() if len(paths) > 1]
    for first, *others in several:
        for other in others:
            here, there = _without_comments(found[first]), _without_comments(found[other])
            against += [f"{other.name} differs from {first.name}"] if here != there else []
    return [
        Row(
            "a match has the same games in every format",
            f"{len(several)} matches in several formats",
            against,
        )
    ]


def _without_comments(data: dict[str, Any]) -> list[Any]:
    return [
        {**game, "events": [each for each in game["events"] if each["type"] != "comment"]}
        for game in data["games"]
    ]


def judged(files: Sequence[Path], plies: str) -> list[Row]:
    """What `review --json` says of every match, and what `statistics` says where there is no analysis."""
    against, bare, sums, decisions = [], [], 0.0, 0
    for path in files:
        result = run("review", path, "--plies", plies, "--json", "--workers", "1", "--no-keep")
        if result.exit_code:
            against.append(f"{path.name}: {result.stderr.strip()}")
            continue
        data = json.loads(result.stdout)
        decisions += len(data["decisions"])
        against += [f"{path.name}: {each}" for each in _decisions(data)]
        sums = max([sums, *_differences(data)])
        told = run("statistics", path, "--json")
        if not read_match(path).analysis and (told.exit_code != 2 or len(told.stderr.splitlines()) != 1):
            bare.append(path.name)
    return [
        Row(
            f"review --json at {plies} plies has the promised form",
            f"{len(files)} matches, {decisions} decisions",
            against,
        ),
        Row(
            "losses of counted decisions add up to error_emg, luck to luck.emg",
            f"largest difference {sums:.1e}",
            ["too large"] if sums > 1e-9 else [],
        ),
        Row("statistics of a file without analysis: exit 2, one line", f"{len(files)} files", bare),
    ]


def _decisions(data: dict[str, Any]) -> Iterator[str]:
    for each in data["decisions"]:
        where = f"game {each['game']}, {each['number']}"
        if set(each) != _DECISION_KEYS:
            yield f"{where}: keys {sorted(each)}"
        if each["verdict"] not in _VERDICTS or each["type"] not in _KINDS:
            yield f"{where}: {each['verdict']} {each['type']}"
        if (each["loss"] is None) == each["counted"] or (each["loss"] or 0) < 0:
            yield f"{where}: counted {each['counted']}, loss {each['loss']}"
        if each["type"] != "play" and not {each["played"], each["best"]} <= _CUBE_ACTIONS:
            yield f"{where}: played {each['played']}, best {each['best']}"


def _differences(data: dict[str, Any]) -> Iterator[float]:
    for side, player in zip(("white", "black"), data["statistics"]["players"], strict=True):
        own = [each for each in data["decisions"] if each["side"] == side]
        for part in ("moves", "cube"):
            of_part = [each for each in own if (each["type"] == "play") == (part == "moves")]
            lost = fsum(each["loss"] for each in of_part if each["counted"])
            yield abs(lost - player[part]["error_emg"])
        yield abs(fsum(each["luck"] or 0 for each in own) - player["luck"]["emg"])


def against_gnubg(files: Sequence[Path]) -> list[Row]:
    """Our judgement at 2 plies beside that of the files which gnubg analysed as deep."""
    found: list[Comparison] = []
    for path in files:
        match = _read(path)
        if match is None or match.format != "sgf" or not match.analysis:
            continue
        depths = {each.depth for decision in match.analysis for each in decision.candidates[:1]}
        if any(map(_DEEP.match, depths)):
            found.append(compared(match, review(match, plies=2)))
    return [Row(*each) for each in summary(found)] if found else []


def timed(files: Sequence[Path]) -> list[Row]:
    """Processor time of our review and of gnubg's analysis at 2 plies, of short matches."""
    program = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        return []
    ratios = []
    for path in files:
        match = _read(path)
        if match is None or match.format != "mat" or (match.length or 99) > _SHORT:
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "in.mat")
            file.write_bytes(path.read_bytes())
            deep = "".join(
                f"set analysis {each} evaluation plies 2\n" for each in ("chequerplay", "cubedecision")
            )
            script = f'set threads 1\n{deep}import mat "{file}"\nanalyse match\nquit\n'
            theirs = _spent([program, "-t", "-q"], script, folder)
        ours = _spent(
            [sys.executable, "-m", "sheshbesh", "review", str(path), "--workers", "1", "--json", "--no-keep"],
            "",
            ".",
        )
        ratios.append(ours / theirs)
    if not ratios:
        return []
    mean = fsum(ratios) / len(ratios)
    return [
        Row(
            "matches of up to 5 points at 2 plies in at most twice gnubg's processor time",
            f"{len(ratios)} matches, ratio {mean:.2f} on average, {max(ratios):.2f} at most",
            ["slower"] if mean > _SLOWER else [],
        )
    ]


def _spent(command: list[str], script: str, home: str) -> float:
    """Seconds of processor time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {"HOME": home, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    subprocess.run(command, input=script, capture_output=True, text=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _read(path: Path) -> Match | None:
    try:
        return read_match(path)
    except RecordError:
        return None


def main() -> None:
    """Go through the folders; exit code 1 where a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, nargs="+", default=[DATA])
    parser.add_argument("--plies", default="0", choices=("0", "1", "2"))
    options = parser.parse_args()
    every = sorted(path for folder in options.files for path in folder.rglob("*") if path.is_file())
    files = [path for path in every if path.suffix.lower() in _SUFFIXES]
    found, rows = converted(files)
    texts = [path for path, data in found.items() if data["format"] in ("mat", "xg")]
    rows += told_as_promised(found)
    rows += judged(texts, options.plies)
    rows += against_gnubg(files)
    rows += timed(texts)
    for row in rows:
        print(f"{'DEVIATES' if row.against else 'holds   '}  {row.promise}: {row.measured}")
        for each in row.against:
            print(f"          {each}")
    sys.exit(1 if any(row.against for row in rows) else 0)


if __name__ == "__main__":
    main()
