"""Sheshbesh: every game of the backgammon family by its exact rules.

>>> import sheshbesh as sb
>>> game = sb.Game("tavla")
>>> game.roll(6, 5)  # the draw: White begins, and throws anew
>>> game.roll(6, 5)
Roll(first=6, second=5)
>>> [play.notation for play in game.legal][:2]
['24/13', '24/18 13/8']
>>> game.play("24/13")
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes longer to load than all of this
    from sheshbesh.engines import (
        LEVELS,
        Candidate,
        Candidates,
        Classes,
        CubeDecision,
        Engine,
        Estimate,
        Level,
        Outcome,
        ResultClass,
        RolledOutCube,
        RolledOutPlay,
        RolledOutPlays,
        Rollout,
        RolloutOptions,
    )
    from sheshbesh.engines import make_engine as engine
    from sheshbesh.errors import (
        CubeError,
        DiceError,
        IllegalPlayError,
        MatchError,
        NetError,
        NotationError,
        PlayError,
        PositionError,
        ProtocolError,
        RecordError,
        RolloutError,
        SheshbeshError,
        StoppedError,
        VariantError,
    )
    from sheshbesh.formats import (
        GnubgPosition,
        XgPosition,
        format_gnubg_id,
        format_xgid,
        parse_gnubg_id,
        parse_xgid,
    )
    from sheshbesh.game import Game
    from sheshbesh.match import Card, MatchState
    from sheshbesh.records import Match, RecordedGame, Repair, Statistics, read_match, write_match
    from sheshbesh.reviews import Job, Judged, Progress, Report, read_review, review, start_review
    from sheshbesh.rules import (
        RULES,
        GameResult,
        History,
        Opening,
        Pending,
        Play,
        Plays,
        Position,
        Refusal,
        Refused,
        Roll,
        Side,
        Stage,
        Step,
        Variant,
    )
    from sheshbesh.rules.arrays import from_rows, to_rows
    from sheshbesh.rules.lookup import variant, variant_from_file, variants
    from sheshbesh.session import Record

__version__ = "1.0.0"

__all__ = [
    "LEVELS",
    "RULES",
    "Candidate",
    "Candidates",
    "Card",
    "Classes",
    "CubeDecision",
    "CubeError",
    "DiceError",
    "Engine",
    "Estimate",
    "Game",
    "GameResult",
    "GnubgPosition",
    "History",
    "IllegalPlayError",
    "Job",
    "Judged",
    "Level",
    "Match",
    "MatchError",
    "MatchState",
    "NetError",
    "NotationError",
    "Opening",
    "Outcome",
    "Pending",
    "Play",
    "PlayError",
    "Plays",
    "Position",
    "PositionError",
    "Progress",
    "ProtocolError",
    "Record",
    "RecordError",
    "RecordedGame",
    "Refusal",
    "Refused",
    "Repair",
    "Report",
    "ResultClass",
    "Roll",
    "RolledOutCube",
    "RolledOutPlay",
    "RolledOutPlays",
    "Rollout",
    "RolloutError",
    "RolloutOptions",
    "SheshbeshError",
    "Side",
    "Stage",
    "Statistics",
    "Step",
    "StoppedError",
    "Variant",
    "VariantError",
    "XgPosition",
    "engine",
    "format_gnubg_id",
    "format_xgid",
    "from_rows",
    "parse_gnubg_id",
    "parse_xgid",
    "read_match",
    "read_review",
    "review",
    "start_review",
    "to_rows",
    "variant",
    "variant_from_file",
    "variants",
    "write_match",
]


_PLACES = {
    "sheshbesh.engines": (
        "LEVELS Candidate Candidates Classes CubeDecision Engine Estimate Level Outcome ResultClass "
        "RolledOutCube RolledOutPlay RolledOutPlays Rollout RolloutOptions"
    ),
    "sheshbesh.errors": (
        "CubeError DiceError IllegalPlayError MatchError NetError NotationError PlayError PositionError "
        "ProtocolError RecordError RolloutError SheshbeshError StoppedError VariantError"
    ),
    "sheshbesh.formats": ("GnubgPosition XgPosition format_gnubg_id format_xgid parse_gnubg_id parse_xgid"),
    "sheshbesh.game": "Game",
    "sheshbesh.match": "Card MatchState",
    "sheshbesh.records": "Match RecordedGame Repair Statistics read_match write_match",
    "sheshbesh.reviews": "Job Judged Progress Report read_review review start_review",
    "sheshbesh.rules": (
        "RULES GameResult History Opening Pending Play Plays Position Refusal Refused Roll Side Stage Step "
        "Variant variant variant_from_file variants"
    ),
    "sheshbesh.rules.arrays": "from_rows to_rows",
    "sheshbesh.session": "Record",
}
"""Module -> the names that live there, but for `engine`."""

_PACKAGES = frozenset({"engines", "errors", "formats", "match", "rules"})
"""The modules that `import sheshbesh` offers as `sheshbesh.rules` and so on, without an import of its own."""


def __getattr__(name: str) -> object:
    # Everything is loaded when it is asked for: the import stays quick, and the command can heed Ctrl-C
    # before the rest of the program is loaded.
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = next((place for place, names in _PLACES.items() if name in names.split()), "sheshbesh.engines")
    found: object = getattr(import_module(place), "make_engine" if name == "engine" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
