"""The review of a match: every decision judged, with what it adds up to, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from sheshbesh.bounded import read_text
from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.notebook import brief, frame, html_table
from sheshbesh.records import Decision, GameOutcome, Match, Statistics, outcomes_of, statistics, uncounted
from sheshbesh.records.statistics import Rule, StatisticsData
from sheshbesh.reviews.judged import Judged, JudgedData
from sheshbesh.reviews.page import page
from sheshbesh.reviews.text import MOST, error_line, report_lines, rows, title

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = "sheshbesh-review"
VERSION = 1


class EngineData(TypedDict):
    """The engine that judged a match: its depth in plies, or "rollout"; the checksum of its net."""

    plies: int | str
    net: str
    approximate: bool


class ReportData(TypedDict):
    """A reviewed match as `sheshbesh review --json` prints it."""

    file: str
    engine: EngineData
    statistics: StatisticsData
    decisions: list[JudgedData]


@dataclass(frozen=True, slots=True)
class Report:
    """A reviewed match.

    Parameters
    ----------
    file : str
        Where the match came from.
    players : tuple[str, str]
        The names of White and Black.
    length : int or None
        The points to win; None for money play.
    variant : str
        The name of the game.
    plies : int or str
        How deep decisions were looked at; "rollout" where the close ones were rolled out.
    net : str
        The checksum of the net that judged.
    decisions : tuple[Judged, ...]
        The judged decisions, in their order.
    outcomes : tuple[GameOutcome, ...]
        What each finished game changed.
    approximate : bool
        Whether the net was made for other rules.
    complete : bool
        False while only a part has been judged at that depth.
    repairs : tuple[str, ...]
        How unclear places of the file were read.
    card : str, optional
        The code of the house-rule card of a match played here.
    left_out : tuple[int, int]
        The decisions of White and of Black of which nothing is said: the board is not known, or the play was
        against the rules.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[-1]) if game.roll() else None
    >>> sb.review(game.to_match(), plies=0, workers=1).plies
    0
    """

    file: str
    players: tuple[str, str]
    length: int | None
    variant: str
    plies: int | str
    net: str
    decisions: tuple[Judged, ...]
    outcomes: tuple[GameOutcome, ...]
    approximate: bool = False
    complete: bool = True
    repairs: tuple[str, ...] = field(default=())
    card: str | None = None
    left_out: tuple[int, int] = (0, 0)

    @classmethod
    def of(
        cls,
        match: Match,
        decisions: Sequence[Judged],
        *,
        file: str,
        plies: int | str,
        net: str,
        approximate: bool,
        complete: bool,
    ) -> Report:
        """Make the report of a match.

        Parameters
        ----------
        match : Match
            The match.
        decisions : Sequence[Judged]
            The judged decisions, in their order.
        file : str
            Where the match came from.
        plies : int or str
            How deep decisions were looked at.
        net : str
            The checksum of the net.
        approximate : bool
            Whether it was made for other rules.
        complete : bool
            Whether all decisions were looked at so deeply.

        Returns
        -------
        Report
            The report.
        """
        return cls(
            file,
            (match.players["white"], match.players["black"]),
            match.length,
            match.variant,
            plies,
            net,
            tuple(decisions),
            outcomes_of(match),
            approximate,
            complete,
            tuple(str(repair) for repair in match.repairs),
            match.card,
            uncounted(match),
        )

    def statistics(self, rule: str = "gnubg", *, bars: bool = True) -> Statistics:
        """Add the decisions up.

        Parameters
        ----------
        rule : str
            By whose rules: "gnubg", "xg" or "snowie".
        bars : bool
            Whether to give standard errors.

        Returns
        -------
        Statistics
            The numbers of both players.

        Raises
        ------
        RecordError
            There is no such rule.
        """
        return statistics(
            [each.decision for each in self.decisions],
            self.outcomes,
            names=self.players,
            length=self.length,
            game=self.variant,
            rule=rule,
            bars=bars,
            left_out=self.left_out,
        )

    def __repr__(self) -> str:
        names = " - ".join(repr(name[:40]) for name in self.players)
        return brief("Report", f"{self.variant} {names}, {len(self.decisions)} decisions, plies={self.plies}")

    def _repr_html_(self) -> str:
        """The numbers of both players and the costliest errors, as a notebook shows them."""
        head, *numbers = rows(self, "en")
        costly = [(error_line(each, players=self.players), "", "") for each in self.errors()[:MOST]]
        return html_table(title(self, "en"), head, [*numbers, *costly])

    def errors(self) -> list[Judged]:
        """List the decisions that lost something, the largest loss first.

        Returns
        -------
        list[Judged]
            The decisions.
        """
        lost = [each for each in self.decisions if each.loss > 0 and each.decision.counted]
        return sorted(lost, key=lambda each: (-each.loss, each.game, each.number))

    def to_data(self, rule: str = "gnubg", lang: str = "en") -> ReportData:
        """Give the report as `sheshbesh review --json` prints it.

        Parameters
        ----------
        rule : str
            By whose rules errors count.
        lang : str
            The language of the reasons.

        Returns
        -------
        ReportData
            Plain data.
        """
        return {
            "file": self.file,
            "engine": {"plies": self.plies, "net": self.net, "approximate": self.approximate},
            "statistics": self.statistics(rule, bars=True).to_data(),
            "decisions": [each.to_data(cast("Rule", rule), lang) for each in self.decisions],
        }

    def to_frame(self, rule: str = "gnubg") -> DataFrame:
        """Return the decisions as a pandas DataFrame.

        Parameters
        ----------
        rule : str
            By whose rules losses count.

        Returns
        -------
        DataFrame
            A row for each decision, with the keys of `to_data` as columns; losses and luck in EMG.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        return frame(self.to_data(rule)["decisions"])

    def to_text(self, lang: str = "en") -> str:
        """Give the report as plain lines.

        Parameters
        ----------
        lang : str
            The language.

        Returns
        -------
        str
            The text.
        """
        return "\n".join(report_lines(self, lang)) + "\n"

    def annotated(self, match: Match) -> Match:
        """Put this analysis in the place of what stood in the file.

        Parameters
        ----------
        match : Match
            The match that was reviewed.

        Returns
        -------
        Match
            The match, which `write_match` writes into an SGF file as GNU Backgammon does.
        """
        return replace(
            match,
            analysis=tuple(_named_depths(each) for each in self.decisions if not each.tried),
            analysed_by=f"Sheshbesh, net {self.net[:8]}, {self._depth}",
        )

    @property
    def _depth(self) -> str:
        return "2 plies and rollouts" if self.plies == "rollout" else f"{self.plies} plies"

    def to_html(self, path: str | PathLike[str], lang: str = "en") -> None:
        """Write the report as one page that needs no network.

        Parameters
        ----------
        path : str or PathLike[str]
            The file.
        lang : str
            The language.

        Raises
        ------
        OSError
            It cannot be written.
        """
        Path(path).write_text(page(self, lang), encoding="utf-8")

    # On disk

    def kept(self) -> dict[str, object]:
        """Give everything of it as plain data, exactly.

        Returns
        -------
        dict[str, object]
            What `report_from_data` reads.
        """
        return {
            "format": FORMAT,
            "version": VERSION,
            **{name: getattr(self, name) for name in _PLAIN},
            "outcomes": [asdict(each) for each in self.outcomes],
            "decisions": [each.kept() for each in self.decisions],
        }

    def save(self, path: str | PathLike[str]) -> None:
        """Write the review to a file, as a whole or not at all.

        Parameters
        ----------
        path : str or PathLike[str]
            The file, which `read_review` reads again.

        Raises
        ------
        OSError
            It cannot be written.
        """
        file = Path(path)
        draft = file.with_name(f"{file.name}.part")
        draft.write_text(json.dumps(self.kept(), ensure_ascii=False), encoding="utf-8")
        draft.replace(file)


def _named_depths(each: Judged) -> Decision:
    """The decision with its depths as `Decision` has them of other programs: the net alone is 1-ply there."""
    decision, depth = each.decision, f"{each.plies + 1}-ply"
    candidates = tuple(
        replace(candidate, depth=f"{int(candidate.depth[0]) + 1}-ply")
        if candidate.depth[:1].isdigit()
        else candidate
        for candidate in decision.candidates
    )
    cube = decision.cube
    if cube is not None and cube.depth[:1].isdigit():
        cube = replace(cube, depth=depth)
    return replace(decision, candidates=candidates, cube=cube)


_PLAIN = (
    "file",
    "players",
    "length",
    "variant",
    "plies",
    "net",
    "approximate",
    "complete",
    "repairs",
    "card",
    "left_out",
)


def read_review(path: str | PathLike[str]) -> Report:
    """Read a review from a file that `Report.save` wrote.

    Parameters
    ----------
    path : str or PathLike[str]
        The file.

    Returns
    -------
    Report
        The report.

    Raises
    ------
    RecordError
        The file holds no review.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.Game("hypergammon", dice=[(6, 5)])
    >>> game.play(game.legal[-1]) if game.roll() else None
    >>> report = sb.review(game.to_match(), plies=0, workers=1)
    >>> report.save("review.json")
    >>> sb.read_review("review.json") == report
    True
    """
    file = Path(path)
    try:
        return report_from_data(json.loads(read_text(file)))
    except (ValueError, RecursionError) as error:  # a RecordError is a ValueError
        raise RecordError(Text("{file}: {why}", file=file, why=error)) from error


def report_from_data(data: Any) -> Report:
    """The way back from `Report.kept`; RecordError for anything else."""
    try:
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise RecordError(
                Text(
                    "this is {found}, expected {expected}",
                    found=f"{data['format']} {data['version']}",
                    expected=f"{FORMAT} {VERSION}",
                )
            )
        plain = {"left_out": (0, 0), **data}
        plain = {name: plain[name] for name in _PLAIN}
        plain["players"] = (str(data["players"][0]), str(data["players"][1]))
        plain["repairs"] = tuple(data["repairs"])
        white, black = plain["left_out"]
        plain["left_out"] = (int(white), int(black))
        outcomes = tuple(GameOutcome(**each) for each in data["outcomes"])
        decisions = tuple(Judged.from_kept(each) for each in data["decisions"])
        return Report(**plain, outcomes=outcomes, decisions=decisions)
    except RecordError:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise RecordError(Text("this is no review: {why}", why=error)) from error
