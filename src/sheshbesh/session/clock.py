"""A running clock as a value. It never reads the time: `now` is passed in, in whole milliseconds.

The clock of one player runs at a time, or none; where time is not measured none ever runs. Each
turn, and each answer to the cube, has an allowance of its own (the delay); what of a turn's allowance
is left when its player doubles waits until the cube has been answered. Source: Khalili (004), p. 6 and p. 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheshbesh.match.timing import ClockKind, ClockSettings
from sheshbesh.rules import Side
from sheshbesh.session.lag import LagQuota
from sheshbesh.session.value import Value


@dataclass(frozen=True)
class Clock(Value):
    """Both players' time at one moment.

    `white` and `black` are the banks as of the last change, `running` whose clock runs since
    `since`, `allowance` what is left of the running turn's delay, `waiting` what is left of a turn
    interrupted by a cube offer, or by a throw that lacks somebody else's share. `lag` holds both
    players' quotas of what they get back for slow lines, White's first.
    """

    settings: ClockSettings
    white: int
    black: int
    running: Side | None = None
    since: int = 0
    allowance: int = 0
    waiting: int | None = None
    lag: tuple[LagQuota, LagQuota] = (LagQuota(), LagQuota())

    @classmethod
    def fresh(cls, settings: ClockSettings, length: int | None) -> Clock:
        """The clock before a match to `length` points (None: money)."""
        bank, lag = settings.bank(length), LagQuota.fresh(settings, length)
        return cls(settings, bank, bank, lag=(lag, lag))

    def _stored(self, side: Side) -> int:
        return self.white if side is Side.WHITE else self.black

    def _with_bank(self, side: Side, bank: int) -> Clock:
        return self.but(white=bank) if side is Side.WHITE else self.but(black=bank)

    def elapsed(self, now: int) -> int:
        """Milliseconds since the running clock was started; time never runs backwards."""
        return max(now - self.since, 0) if self.running is not None else 0

    def bank(self, side: Side, now: int) -> int:
        """What is left of a player's bank at `now`; with seconds per turn, of his turn."""
        stored = self._stored(side)
        kind = self.settings.kind
        if side is not self.running:
            return self.settings.delay if kind is ClockKind.PER_TURN else stored
        if kind is ClockKind.NONE:
            return stored
        elapsed = self.elapsed(now)
        if kind is ClockKind.PER_TURN:
            return max(self.allowance - elapsed, 0)
        if kind is ClockKind.DELAY:
            elapsed = max(elapsed - self.allowance, 0)
        return max(stored - elapsed, 0)

    def deadline(self) -> int | None:
        """When the running clock will have run out; None if none runs or time is not measured."""
        kind = self.settings.kind
        if self.running is None or kind is ClockKind.NONE:
            return None
        stored = 0 if kind is ClockKind.PER_TURN else self._stored(self.running)
        delay = self.allowance if kind in (ClockKind.DELAY, ClockKind.PER_TURN) else 0
        return self.since + stored + delay

    def fallen(self, now: int) -> Side | None:
        """Whose time has run out at `now`, if anybody's."""
        deadline = self.deadline()
        return self.running if deadline is not None and now >= deadline else None

    def quota(self, side: Side) -> LagQuota:
        """What a player may get back for his line."""
        return self.lag[side is Side.BLACK]

    # Changes

    def give_back(self, lag: int, now: int) -> Clock:
        """The player whose clock runs ends his turn or gives his answer; on its way it was for `lag`."""
        if self.running is None:
            return self
        white, black = self.lag
        quota = self.quota(self.running).after(lag, self.elapsed(now))
        both = (quota, black) if self.running is Side.WHITE else (white, quota)
        return self.but(since=self.since + quota.given, lag=both)

    def credit(self, ms: int) -> Clock:
        """The running clock began `ms` later than it did."""
        return self.but(since=self.since + ms)

    def start_turn(self, side: Side, now: int) -> Clock:
        """Stop whatever runs, its turn being over, and start `side`'s turn."""
        if self.settings.kind is ClockKind.NONE:
            return self
        return self._turn_over(now).but(running=side, since=now, allowance=self.settings.delay, waiting=None)

    def ask(self, side: Side, now: int) -> Clock:
        """The player whose clock runs turned the cube: his turn waits while `side` answers."""
        if self.settings.kind is ClockKind.NONE:
            return self
        stopped = self.stop(now)
        return stopped.but(running=side, since=now, allowance=self.settings.delay, waiting=stopped.allowance)

    def answered(self, side: Side, now: int) -> Clock:
        """The cube was taken: `side`'s interrupted turn goes on with what was left of its delay."""
        if self.settings.kind is ClockKind.NONE:
            return self
        waiting = self.settings.delay if self.waiting is None else self.waiting
        return self._turn_over(now).but(running=side, since=now, allowance=waiting, waiting=None)

    def ask_back(self, side: Side, now: int) -> Clock:
        """The answer was a question of its own, a beaver: now `side` answers, and the turn waits on."""
        if self.settings.kind is ClockKind.NONE:
            return self
        return self._turn_over(now).but(running=side, since=now, allowance=self.settings.delay)

    def await_dice(self, side: Side | None, now: int) -> Clock:
        """The throw lacks `side`'s share (None: the server's, which is nobody's time)."""
        if side is self.running:
            return self
        stopped = self.stop(now)
        waiting = stopped.allowance if self.waiting is None else self.waiting
        return stopped.but(running=side, since=now, allowance=self.settings.delay, waiting=waiting)

    def dice_lie(self, side: Side, now: int) -> Clock:
        """The throw is complete: `side`'s interrupted turn goes on."""
        if self.waiting is None:
            return self
        return self.stop(now).but(running=side, since=now, allowance=self.waiting, waiting=None)

    def stop(self, now: int) -> Clock:
        """Stop the clock in the middle of a turn; what was used is paid."""
        side = self.running
        if side is None:
            return self
        used = min(self.elapsed(now), self.allowance)
        bank = self._stored(side) if self.settings.kind is ClockKind.PER_TURN else self.bank(side, now)
        if self.settings.kind is ClockKind.BRONSTEIN and bank > 0:
            bank += used
        return self._with_bank(side, bank).but(running=None, since=now, allowance=self.allowance - used)

    def resume(self, side: Side, now: int) -> Clock:
        """Go on with a stopped turn of `side`."""
        if self.settings.kind is ClockKind.NONE:
            return self
        return self.but(running=side, since=now)

    def _turn_over(self, now: int) -> Clock:
        """Stop the running clock at the end of a turn or an answer."""
        stopped = self.stop(now)
        if self.running is None or self.settings.kind is not ClockKind.FISCHER:
            return stopped
        return stopped._with_bank(self.running, stopped._stored(self.running) + self.settings.delay)

    def as_dict(self) -> Mapping[str, object]:
        """The clock as plain data, for a page or a snapshot."""
        return {
            "settings": self.settings.code,
            "white": self.white,
            "black": self.black,
            "running": self.running.value if self.running else None,
            "since": self.since,
            "allowance": self.allowance,
            "waiting": self.waiting,
            "lag": [{"left": quota.left, "given": quota.given, "total": quota.total} for quota in self.lag],
        }
