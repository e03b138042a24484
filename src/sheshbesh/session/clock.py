"""A running clock as a value. It never reads the time: `now` is passed in, in whole milliseconds.

The clock of one player runs at a time, or none; where time is not measured none ever runs. Each
turn, and each answer to the cube, has an allowance of its own (the delay); what of a turn's allowance
is left when its player doubles waits until the cube has been answered. Source: Khalili (004), p. 6 and p. 12.

What a player gets back for the time of messages under way comes from a quota that fills during play.
Each turn, and each answer to the cube, gives back the lag that was measured, but no more than the quota
holds; then the quota grows by `gain`. So a connection that is bad all of a sudden wins little, and one that
is slow on purpose no more than `gain`, a second at most, in a turn. Source: the server of lichess
(scalachess, `LagTracker`), whose hundredths of a second these are.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.match.timing import SECOND, ClockKind, ClockSettings
from sheshbesh.rules import Side
from sheshbesh.session.phases import Value

LONGEST_GRACE = 2 * SECOND
"""For no longer is a move waited for whose time has run out, however much is left of the quota."""

_MOST_GAIN = SECOND
_LEAST_GAIN = 150
_GAIN_PER_SECOND = 4
"""The gain for each second that a player may have in all."""
_TURNS = 40
"""Turns of which the delay counts towards that."""
_BEYOND_LAG = 140
"""No turn adds more than the lag it had and this."""
_AT_FIRST, _MOST = 3, 7
"""The content of the quota at first and at most, in gains."""


@dataclass(frozen=True)
class LagQuota(Value):
    """One player's quota. `left` can still be given back, `given` was after the last turn, `total` so far."""

    gain: int = 0
    left: int = 0
    given: int = 0
    total: int = 0

    @classmethod
    def fresh(cls, settings: ClockSettings, length: int | None) -> LagQuota:
        """The quota before a match to `length` points (None: money)."""
        seconds = (settings.bank(length) + _TURNS * settings.delay) // SECOND
        gain = min(_MOST_GAIN, _LEAST_GAIN + _GAIN_PER_SECOND * seconds)
        return cls(gain, _AT_FIRST * gain)

    @property
    def grace(self) -> int:
        """For how long after the time has run out a move may still be on its way."""
        return min(self.left, LONGEST_GRACE)

    def after(self, lag: int, elapsed: int) -> LagQuota:
        """The quota after a turn that took `elapsed`, with this lag; `given` says what comes back."""
        given = max(min(lag, elapsed, self.left), 0)
        gain = min(self.gain, given + _BEYOND_LAG)
        left = min(self.left + gain - given, _MOST * gain)
        return self.but(left=left, given=given, total=self.total + given)


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
        """Return what is left of a player's bank at `now`; with seconds per turn, of that turn."""
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
        """Return when the running clock will have run out; None if none runs or time is not measured."""
        kind = self.settings.kind
        if self.running is None or kind is ClockKind.NONE:
            return None
        stored = 0 if kind is ClockKind.PER_TURN else self._stored(self.running)
        delay = self.allowance if kind in (ClockKind.DELAY, ClockKind.PER_TURN) else 0
        return self.since + stored + delay

    def expiry(self) -> int | None:
        """Return when the running clock runs out for good: its deadline and the grace for a move on its
        way."""
        deadline = self.deadline()
        if deadline is None or self.running is None:
            return None
        return deadline + self.quota(self.running).grace

    def fallen(self, now: int) -> Side | None:
        """Whose time has run out at `now`, if anybody's."""
        deadline = self.deadline()
        return self.running if deadline is not None and now >= deadline else None

    def quota(self, side: Side) -> LagQuota:
        """Return what a player may get back for a slow connection."""
        return self.lag[side is Side.BLACK]

    # Changes

    def give_back(self, lag: int, now: int) -> Clock:
        """The player whose clock runs ends a turn or answers; the message was under way for `lag`."""
        if self.running is None:
            return self
        white, black = self.lag
        quota = self.quota(self.running).after(lag, self.elapsed(now))
        both = (quota, black) if self.running is Side.WHITE else (white, quota)
        return self.but(since=self.since + quota.given, lag=both)

    def credit(self, ms: int) -> Clock:
        """The running clock began `ms` later than it did."""
        return self.but(since=self.since + ms)

    def hold(self, until: int, now: int) -> Clock:
        """The running clock stands still from `now` until a later time, with what is left of it."""
        side = self.running
        if side is None:
            return self
        return self.stop(now).but(running=side, since=until)

    def start_turn(self, side: Side, now: int) -> Clock:
        """Stop the running clock, its turn being over, and start `side`'s turn."""
        if self.settings.kind is ClockKind.NONE:
            return self
        return self._turn_over(now).but(running=side, since=now, allowance=self.settings.delay, waiting=None)

    def ask(self, side: Side, now: int) -> Clock:
        """The player whose clock runs turned the cube: the turn waits while `side` answers."""
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
        """The throw lacks `side`'s share (None: the server's, which costs no player time)."""
        if side is self.running:
            return self
        stopped = self.stop(now)
        waiting = stopped.allowance if self.waiting is None else self.waiting
        return stopped.but(running=side, since=now, allowance=self.settings.delay, waiting=waiting)

    def dice_shown(self, side: Side, now: int) -> Clock:
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
