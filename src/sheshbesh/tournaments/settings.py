"""The settings of a tournament, the limits that hold for all, and the local hours of a series.

Times are milliseconds since 1970 in UTC, spans too where a field's name has no unit. What players rely on
is frozen once the tournament is announced; `AMENDABLE` lists what may change afterwards.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

from sheshbesh.errors import ProtocolError, SheshbeshError
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card, Contest, DiceSource
from sheshbesh.match.timing import DAY, MINUTE, SECOND, ClockKind
from sheshbesh.rules.safe_text import unfit_character
from sheshbesh.tournaments.refusals import refused

BRACKETS = ("knockout", "double")
MOST_ENTRANTS = {"knockout": 1024, "double": 1024, "swiss": 2048, "losses": 2048, "arena": 2048}
MOST_IN_ROUND_ROBIN = 16
MOST_ROUNDS = 30
MOST_GROUPS = 64
MOST_DIRECTORS = 8
LONGEST_TEXT = 2000
FARTHEST_START = 400 * DAY
ARENA_MINUTES = (30, 180)
LONGEST_DELAY = 10
SWISS_TIE_BREAKS = ("head_to_head", "buchholz_cut1", "buchholz", "sonneborn_berger", "shared")
TIE_BREAKS = {
    "swiss": SWISS_TIE_BREAKS,
    "round_robin": ("head_to_head", "sonneborn_berger", "point_difference", "shared"),
}
"""The order of tie-breaks of each system that has any, where the settings do not say another."""

AMENDABLE = frozenset(
    {"text", "limit", "directors", "referees", "starts", "round_limit", "minutes", "rounds"}
)
"""The settings that `amend` may change once the tournament is announced; of these deadlines and limits only
upwards.

Rounds may be made fewer before the start, where fewer have come than was hoped for.
"""

TieBreak = Literal[
    "head_to_head",
    "buchholz_cut1",
    "buchholz",
    "sonneborn_berger",
    "point_difference",
    "wins",
    "games",
    "lot",
    "playoff",
    "shared",
]
BracketName = Literal["main", "consolation", "losers", "last_chance", "third", "final"]
Length = Annotated[int, Meta(ge=1, le=99)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Id = Annotated[str, Meta(min_length=1, max_length=100)]


@lru_cache(maxsize=256)
def card_of(code: str) -> Card:
    """Return the card with this code: reading one takes long, and each pairing asks for it."""
    return Card.from_code(code)


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that is agreed on before a tournament starts.

    `card` is the code of a card, `lengths` has the lengths of its matches by bracket (main, consolation,
    losers, last_chance, third, final) and round, the last one repeating; without them all have the card's.
    `groups` above 0 plays a round robin in that many groups first, of which the best `advance` go on to the
    bracket. `rounds` is for `swiss` (None: the usual number), `losses` for `losses`, `minutes` for `arena`.
    Entries are taken from `opens` on (None: at once). `starts` is None where a director starts it by hand.
    `check_in` minutes before the start (None: 15, or 0 in an arena and at real boards) entrants confirm that
    they are there. `arrive` is how many seconds one waits for the other (None: 60 in an arena, else 300);
    `round_limit` is how long a round may take, in ms. `clubs_apart` is for how many rounds entrants of one
    club do not meet. `delay` is how many minutes later those who only watch see the boards, on the site.
    """

    title: Name
    card: str
    system: Literal["knockout", "double", "swiss", "losses", "round_robin", "arena"]
    directors: tuple[Id, ...] = ()
    referees: tuple[Id, ...] = ()
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""
    boards: Literal["site", "real"] = "site"
    opens: int | None = None
    starts: int | None = None
    zone: str = "UTC"
    start: Literal["time", "when_full"] = "time"
    limit: Annotated[int, Meta(ge=2, le=2048)] | None = None
    check_in: Annotated[int, Meta(ge=0, le=120)] | None = None
    who: Literal["accounts", "guests", "club", "invited"] = "accounts"
    club: str | None = None
    invited: tuple[Id, ...] = ()
    bots: Literal["no", "only", "with"] = "no"
    lowest: int | None = None
    highest: int | None = None
    rated: bool = False
    public: bool = True
    draw: Literal["random", "seeded", "manual"] = "random"
    lengths: dict[BracketName, Annotated[tuple[Length, ...], Meta(min_length=1)]] = {}
    consolation: Literal["progressive", "nonprogressive", "none"] = "progressive"
    last_chance: bool = False
    reset: bool = True
    third_place: bool = False
    groups: Annotated[int, Meta(ge=0, le=MOST_GROUPS)] = 0
    advance: Annotated[int, Meta(ge=1, le=MOST_IN_ROUND_ROBIN)] = 2
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    losses: Annotated[int, Meta(ge=2, le=4)] = 3
    inside: Literal["random", "halves", "close"] = "random"
    clubs_apart: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0
    late: Literal["half", "zero"] = "half"
    twice: bool = False
    unplayed: Literal["both_lose", "void", "ruling"] = "both_lose"
    tie_breaks: tuple[TieBreak, ...] = ()
    minutes: Annotated[int, Meta(ge=ARENA_MINUTES[0], le=ARENA_MINUTES[1])] = 60
    streak: bool = True
    bonus: bool = False
    arrive: Annotated[int, Meta(ge=10, le=3600)] | None = None
    round_limit: Annotated[int, Meta(ge=MINUTE, le=400 * DAY)] | None = None
    delay: Annotated[int, Meta(ge=0, le=LONGEST_DELAY)] = 0

    @property
    def is_live(self) -> bool:
        """Return whether people sit and play, on the site or at real boards, not over days."""
        return not card_of(self.card).clock.is_correspondence

    @property
    def pairs_absent(self) -> bool:
        """Return whether entrants are paired while they are away from the site."""
        return self.system != "arena"

    @property
    def playing_minutes(self) -> int | None:
        """Return how long pairings are made, in minutes; None where the play itself decides."""
        return self.minutes if self.system == "arena" else None

    @property
    def arrival(self) -> int:
        """Return how long a player waits for the other before the first throw, in ms."""
        return (self.arrive or (60 if self.system == "arena" else 300)) * SECOND

    @property
    def check_in_time(self) -> int:
        """Return how long before the start one checks in, in ms; 0 for no check-in."""
        if self.starts is None or self.start == "when_full":
            return 0
        if self.check_in is not None:
            return self.check_in * MINUTE
        has_none = self.system == "arena" or self.boards == "real"
        return 0 if has_none or not self.is_live else 15 * MINUTE

    @property
    def most_entrants(self) -> int:
        """Return how many may enter: the limit of the settings, else that of the system."""
        most = MOST_ENTRANTS.get(self.system, MOST_IN_ROUND_ROBIN)
        if self.groups:
            most = min(most, self.groups * MOST_IN_ROUND_ROBIN)
        return min(most, self.limit or most)

    @property
    def fewest_entrants(self) -> int:
        """Return how many are needed to start."""
        if self.groups:
            return self.groups * max(2, self.advance)
        return 4 if self.system in ("swiss", "losses") else 2

    @property
    def order_of_ties(self) -> tuple[str, ...]:
        """Return the tie-breaks in their order."""
        stage = "round_robin" if self.groups else self.system
        return self.tie_breaks or TIE_BREAKS.get(stage, ("shared",))

    def length(self, bracket: BracketName, number: int) -> int:
        """Return the length of the matches of a bracket in its round `number`, from 1."""
        lengths = self.lengths.get(bracket)
        if lengths:
            return lengths[min(number, len(lengths)) - 1]
        if bracket == "last_chance":
            return 1
        return card_of(self.card).length or 1


def read_settings(data: object) -> Settings:
    """Return settings from plain data; ProtocolError says which field cannot be read."""
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"settings of a tournament: {error}") from None


def check_settings(settings: Settings, now: int) -> None:
    """Raise Refused where no tournament can be played by these settings."""
    _check_texts(settings)
    _check_card(settings)
    _check_system(settings)
    zone_of(settings.zone)
    if settings.starts is not None and not now <= settings.starts <= now + FARTHEST_START:
        raise refused("starts")
    if settings.opens is not None and settings.starts is not None and settings.opens > settings.starts:
        raise refused("opens")
    if len(settings.directors) > MOST_DIRECTORS or len(settings.referees) > MOST_DIRECTORS:
        raise refused("director.last", most=MOST_DIRECTORS)


def _check_texts(settings: Settings) -> None:
    for text, lines in ((settings.title, False), (settings.text, True)):
        character = unfit_character(text, lines=lines)
        if character is not None:
            raise refused("text.characters", character=character)


def _check_card(settings: Settings) -> None:
    try:
        card = card_of(settings.card)
    except SheshbeshError as error:
        raise refused("settings.card", problem=error) from None
    is_real = settings.boards == "real"
    parts = (
        (card.contest is Contest.MONEY, Text("money play")),
        (card.allows_agreements, Text("agreements between the players")),
        (card.dice is DiceSource.SEEDED, Text("seeded dice")),
        (card.dice is DiceSource.TYPED and not is_real, Text("typed dice")),
        (card.clock.kind is ClockKind.NONE and not is_real, Text("its missing clock")),
        (card.clock.is_correspondence and settings.system == "arena", Text("its slow clock")),
    )
    for stands, part in parts:
        if stands:
            raise refused("card.event", part=part)
    if card.contest is Contest.GAMES and any(n % 2 == 0 for each in settings.lengths.values() for n in each):
        raise refused("card.event", part=Text("its length"))
    if settings.delay and is_real:
        raise refused("settings.system", setting="delay")
    if settings.bonus and (card.has_cube or card.length != 1):
        raise refused("settings.system", setting="bonus")


_ONLY_FOR: dict[str, tuple[str, ...]] = {
    "consolation": ("knockout",),
    "last_chance": ("knockout",),
    "third_place": ("knockout",),
    "reset": ("double",),
    "draw": BRACKETS,
    "lengths": (*BRACKETS, "swiss", "losses", "round_robin"),
    "groups": BRACKETS,
    "advance": BRACKETS,
    "rounds": ("swiss",),
    "losses": ("losses",),
    "inside": ("swiss", "losses"),
    "clubs_apart": ("swiss", "losses"),
    "late": ("swiss", "losses"),
    "twice": ("round_robin",),
    "unplayed": ("round_robin", *BRACKETS),
    "minutes": ("arena",),
    "streak": ("arena",),
    "bonus": ("arena",),
}
"""The systems for which a setting means something."""


def _check_system(settings: Settings) -> None:
    if settings.rated and (settings.who == "guests" or settings.boards == "real"):
        raise refused("settings.rated")
    if settings.who == "club" and not (settings.club or "").strip():
        raise refused("settings.club")
    defaults = {field.name: field.default for field in msgspec.structs.fields(Settings)}
    for name, systems in _ONLY_FOR.items():
        default = {} if name == "lengths" else defaults[name]
        if settings.system not in systems and getattr(settings, name) != default:
            raise refused("settings.system", setting=name)
    if settings.start == "when_full" and settings.limit is None:
        raise refused("settings.limit", setting="limit", least=2, most=settings.most_entrants)
    most = msgspec.structs.replace(settings, limit=None).most_entrants
    if settings.limit is not None and not settings.fewest_entrants <= settings.limit <= most:
        raise refused("settings.limit", setting="limit", least=settings.fewest_entrants, most=most)
    if settings.last_chance and settings.consolation == "none":
        raise refused("settings.system", setting="last_chance")
    if settings.third_place and settings.consolation != "none":
        # Who lost before the final would be in two brackets at once.
        raise refused("settings.system", setting="third_place")
    if settings.rounds is not None and settings.limit is not None:
        most_rounds = (settings.limit + settings.limit % 2) // 2
        if settings.rounds > most_rounds:
            raise refused("rounds.too_many", entrants=settings.limit, most=most_rounds)
    ties = settings.tie_breaks
    if len(set(ties)) < len(ties) or "shared" in ties[:-1]:
        raise refused("settings.tie_break")


def zone_of(name: str) -> ZoneInfo:
    """Return the zone with this IANA name; Refused if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise refused("zone", zone=name) from None


class Series(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tournament that repeats at a fixed local hour, every day or on some days of the week (Monday 0)."""

    zone: str
    hour: Annotated[int, Meta(ge=0, le=23)]
    minute: Annotated[int, Meta(ge=0, le=59)] = 0
    days: tuple[Annotated[int, Meta(ge=0, le=6)], ...] = ()

    def start_on(self, day: date) -> int:
        """Return when the event of a local date starts, in ms.

        An hour that the clocks skip is counted on from the one before; of an hour that comes twice the
        first is meant.
        """
        local = datetime.combine(day, time(self.hour, self.minute), tzinfo=zone_of(self.zone))
        return int(local.timestamp()) * SECOND

    def next_date(self, now: int) -> date:
        """Return the local date of the first event that starts after `now`: one event a date, always."""
        day = datetime.fromtimestamp(now / SECOND, tz=UTC).astimezone(zone_of(self.zone)).date()
        while self.start_on(day) <= now or (self.days and day.weekday() not in self.days):
            day += timedelta(days=1)
        return day


ENOUGH = 8
"""The entrants that a weekly series needs, in the mean of `_WEEKS`."""
_WEEKS = 4


def stays_weekly(entrants: tuple[int, ...]) -> bool:
    """Return whether a series has enough entrants: 8 in the mean of four weeks, or no four weeks yet."""
    return len(entrants) < _WEEKS or sum(entrants[-_WEEKS:]) >= ENOUGH * _WEEKS


def setting_data(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain data; what has its default is left out."""
    data: dict[str, Any] = msgspec.to_builtins(settings)
    return data
