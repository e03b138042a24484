"""Actions of moderators and operators on accounts; each action is logged in the transaction that does it.

The log is also how a running server learns what was done by `sheshbesh site admin` beside it: every process
reads what is new in it, whatever the database.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, or_, select, update

from sheshbesh.i18n import Text
from sheshbesh.server.ids import CLOCK, Clock, new_id, now_ms
from sheshbesh.server.people.accounts import CALENDAR_WITHDRAWN
from sheshbesh.server.people.names import clean_claim, not_retired, retire, taken, unretire
from sheshbesh.server.people.person import Person, folded, name_values
from sheshbesh.server.people.played_names import rename_everywhere
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.people.sanctions import BAN, MUTE
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Database
from sheshbesh.server.storage.tables import (
    matches,
    moderation_log,
    reports,
    sanctions,
    seeks,
    sign_ins,
    tokens,
    users,
)

log = logging.getLogger(__name__)

LONGEST_REASON = 300
"""Characters."""

_HOUR = 3600 * 1000
_LISTED = 200
_EVERY = 2.0
"""Seconds between two polls of what was done elsewhere."""
_LOOKED_AT = 200
"""Entries that such a look takes in; times of two machines may differ, so it goes by those seen."""
_LATEST = select(moderation_log).order_by(moderation_log.c.at.desc()).limit(_LOOKED_AT)

ENDS_SIGN_INS = frozenset({"ban", "sign_out"})
"""Actions after which open connections of an account end."""
RENAMES = "rename"


@dataclass(frozen=True, slots=True)
class Actor:
    """The one who acts: a moderator on the site, or the `operator`, who has the machine and may act on
    moderators."""

    name: str
    id: str | None = None
    is_operator: bool = False

    @classmethod
    def of(cls, person: Person) -> Actor:
        """Failure 403 where a person is no moderator."""
        if not person.moderator:
            raise Failure(403, "this is for moderators only", code="moderators")
        return cls(person.name, person.id)


class Done(NamedTuple):
    """An action as the log has it; `also` are the ids of the bots that it concerns too."""

    id: str
    action: str
    target: str
    also: tuple[str, ...] = ()

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts concerned."""
        return self.target, *self.also


Work = Callable[[Connection, Row[Any], list[str]], dict[str, Any]]
"""A change of the row of an account, given the ids of its bots; returns the log's further entries."""


class Moderation:
    """Does what is done to accounts, and keeps the log."""

    def __init__(self, database: Database, clock: Clock = CLOCK) -> None:
        self._database, self._clock = database, clock
        self._seen: deque[str] = deque(maxlen=4 * _LOOKED_AT)

    # Actions: each by an actor, to the account of a name, for a reason. Failure 404 where there is none.

    async def sanction(self, actor: Actor, name: str, kind: str, reason: str, hours: int | None) -> Done:
        """Ban or mute somebody, for ever where `hours` is None; one that is in force is replaced."""

        def work(connection: Connection, row: Row[Any], bots: list[str]) -> dict[str, Any]:
            until = None if hours is None else now_ms() + hours * _HOUR
            values = {"at": now_ms(), "until": until, "reason": reason}
            put = insert_for(connection, sanctions).values(user_id=row.id, kind=kind, **values)
            connection.execute(put.on_conflict_do_update(index_elements=["user_id", "kind"], set_=values))
            if kind == BAN:
                _end_sign_ins(connection, [row.id, *bots])
                _withdraw(connection, [row.id, *bots])
            return {"until": until}

        return await self._do(actor, name, {BAN: "ban", MUTE: "mute"}[kind], reason, work)

    async def lift(self, actor: Actor, name: str, kind: str, reason: str) -> Done:
        """End a ban or a mute. Failure 409 where there is none."""

        def work(connection: Connection, row: Row[Any], _: list[str]) -> dict[str, Any]:
            mine = sanctions.c.user_id == row.id, sanctions.c.kind == kind
            if not connection.execute(delete(sanctions).where(*mine)).rowcount:
                text = Text("{name} is not banned", name=row.name)
                if kind == MUTE:
                    text = Text("{name} is not muted", name=row.name)
                raise Failure(409, text, code="no_sanction")
            return {}

        return await self._do(actor, name, {BAN: "unban", MUTE: "unmute"}[kind], reason, work)

    async def sign_out(self, actor: Actor, name: str, reason: str) -> Done:
        """End all sign-ins of a person, and the tokens of them and their bots."""

        def work(connection: Connection, row: Row[Any], bots: list[str]) -> dict[str, Any]:
            return {"ended": _end_sign_ins(connection, [row.id, *bots])}

        return await self._do(actor, name, "sign_out", reason, work)

    async def rename(self, actor: Actor, name: str, new: str, reason: str) -> Done:
        """Give an account another name, in all it has played; nobody else takes the old one for a while.

        Failure 409 where the new name is taken, 422 where it is none.
        """
        cleaned = clean_claim(new)

        def work(connection: Connection, row: Row[Any], _: list[str]) -> dict[str, Any]:
            if row.kind == "guest":
                raise Failure(409, "a guest has no name of their own", code="guest")
            named = update(users).where(users.c.id == row.id).values(**name_values(cleaned))
            connection.execute(named)
            if _had(connection, row.id, cleaned):
                unretire(connection, cleaned)
            not_retired(cleaned)(connection)
            if folded(cleaned) != row.folded:
                retire(connection, [row.name])
            rename_everywhere(connection, row.id, row.name, cleaned)
            return {"new": cleaned}

        try:
            return await self._do(actor, name, RENAMES, reason, work)
        except Conflict as error:
            raise taken(cleaned) from error

    async def appoint(self, actor: Actor, name: str, reason: str, *, moderator: bool) -> Done:
        """Make somebody a moderator, or no longer one: the operator alone does that."""
        if not actor.is_operator:
            raise Failure(403, "only the operator of the site appoints moderators", code="operator")

        def work(connection: Connection, row: Row[Any], _: list[str]) -> dict[str, Any]:
            if row.kind != "user":
                raise Failure(409, "a moderator has an account of their own", code="guest")
            connection.execute(update(users).where(users.c.id == row.id).values(moderator=moderator))
            return {}

        return await self._do(actor, name, "appoint" if moderator else "dismiss", reason, work)

    async def resolve(self, actor: Actor, report: str, answer: str) -> Done:
        """Answer a report, which closes it. Failure 404 where there is no open one of this id."""
        found = await self._database.first(
            select(users.c.folded)
            .join(reports, reports.c.reported == users.c.id)
            .where(reports.c.id == report)
        )

        def work(connection: Connection, _row: Row[Any], _bots: list[str]) -> dict[str, Any]:
            closed = update(reports).where(reports.c.id == report, reports.c.resolved.is_(None))
            values = {"answer": answer, "resolved": now_ms(), "resolved_by": actor.name}
            if not connection.execute(closed.values(**values)).rowcount:
                raise _no_report()
            return {"report": report}

        if found is None:
            raise _no_report()
        return await self._do(actor, found.folded, "resolve", answer, work, judged=False)

    # The log

    async def log(self, name: str | None = None) -> list[dict[str, Any]]:
        """Return what was done, the newest first; to one account where a name is given."""
        query = select(moderation_log).order_by(moderation_log.c.at.desc()).limit(_LISTED)
        if name is not None:
            known = select(users.c.id).where(users.c.folded == folded(name))
            query = query.where(or_(moderation_log.c.target.in_(known), moderation_log.c.name == name))
        return [
            {
                "at": row.at,
                "actor": row.actor,
                "action": row.action,
                "name": row.name,
                "reason": row.reason,
                "detail": row.detail,
            }
            for row in await self._database.all(query)
        ]

    async def in_force(self, name: str) -> list[dict[str, Any]]:
        """The sanctions of an account that are in force."""
        query = (
            select(sanctions.c.kind, sanctions.c.at, sanctions.c.until, sanctions.c.reason)
            .join(users, users.c.id == sanctions.c.user_id)
            .where(users.c.folded == folded(name))
            .where(or_(sanctions.c.until.is_(None), sanctions.c.until > now_ms()))
        )
        return [dict(row._mapping) for row in await self._database.all(query)]

    async def run(self, tell: Callable[[Done], None]) -> None:
        """Tell of every action that is new in the log, by whichever process, until cancelled."""
        await self._news()
        while True:
            await self._clock.sleep(_EVERY)
            try:
                for done in await self._news():
                    tell(done)
            except Exception:
                log.exception("the log of moderation could not be read")

    async def _news(self) -> list[Done]:
        rows = reversed(await self._database.all(_LATEST))
        new = [row for row in rows if row.id not in self._seen]
        self._seen.extend(row.id for row in new)
        return [Done(row.id, row.action, row.target, tuple(row.detail.get("bots", ()))) for row in new]

    async def _do(
        self, actor: Actor, name: str, action: str, reason: str, work: Work, *, judged: bool = True
    ) -> Done:
        """Do something to the account of a name and log it; `judged` where it may not be a moderator's."""
        why = " ".join(reason.split())
        if not 1 <= len(why) <= LONGEST_REASON:
            text = Text("a reason has 1 to {most} characters", most=LONGEST_REASON)
            raise Failure(422, text, where="reason")
        made = new_id()

        def step(connection: Connection) -> Done:
            mine = select(users).where(users.c.folded == folded(name)).with_for_update()
            row = connection.execute(mine).first()
            if row is None:
                raise Failure(404, "there is no user of this name")
            if judged and not actor.is_operator:
                _may_judge(actor, row)
            owned = connection.execute(select(users.c.id).where(users.c.owner == row.id))
            bots = [bot.id for bot in owned.all()]
            detail = work(connection, row, bots)
            connection.execute(
                insert(moderation_log).values(
                    id=made,
                    at=now_ms(),
                    actor=actor.name,
                    action=action,
                    target=row.id,
                    name=row.name,
                    reason=why,
                    detail=detail | {"bots": bots},
                )
            )
            return Done(made, action, row.id, tuple(bots))

        (done,) = await self._database.write(step)
        assert isinstance(done, Done)
        log.info("moderation: %s does %s to %s: %s", actor.name, action, done.target, why)
        return done


def _had(connection: Connection, account: str, name: str) -> bool:
    """Return True if an account had a name before it was renamed: it may get it back, after a mistake."""
    renamed = (moderation_log.c.target == account, moderation_log.c.action == RENAMES)
    before = connection.execute(select(moderation_log.c.name).where(*renamed))
    return any(folded(each.name) == folded(name) for each in before.all())


def _may_judge(actor: Actor, row: Row[Any]) -> None:
    if row.id == actor.id or row.owner == actor.id:
        raise Failure(409, "you cannot moderate yourself", code="self")
    if row.moderator:
        raise Failure(403, "only the operator of the site acts on a moderator", code="operator")


def _no_report() -> Failure:
    return Failure(404, "there is no such open report")


def _end_sign_ins(connection: Connection, accounts: Collection[str]) -> int:
    """End sign-ins and tokens, and withdraw the addresses of calendars; how many sign-ins and tokens."""
    connection.execute(update(users).where(users.c.id.in_(accounts)).values(CALENDAR_WITHDRAWN))
    ended = 0
    for table in (sign_ins, tokens):
        gone = connection.execute(delete(table).where(table.c.user_id.in_(accounts)))
        ended += gone.rowcount
    return ended


def _withdraw(connection: Connection, accounts: Collection[str]) -> None:
    """Take back what accounts have offered: seeks, challenges, and matches that wait for a second player."""
    theirs = or_(seeks.c.user_id.in_(accounts), seeks.c.invited.in_(accounts))
    connection.execute(delete(seeks).where(theirs))
    waits = matches.c.owner.in_(accounts), matches.c.state == "open"
    connection.execute(delete(matches).where(*waits))
