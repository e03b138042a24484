"""Reviews and uploaded match files in the database.

A finished review holds the JSON that `Report.save` writes, by zlib: `report_of` reads it.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, case, delete, func, insert, literal, select, update

from sheshbesh.errors import RecordError
from sheshbesh.i18n import Text
from sheshbesh.reviews import Report, report_from_data
from sheshbesh.server.ids import new_id, new_secret, now_ms
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.database import Conflict
from sheshbesh.server.storage.review_tables import positions, practice_cards, reviews, uploads
from sheshbesh.server.storage.tables import processes

MATCH, UPLOAD = "match", "upload"
WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"

MOST_UPLOADS = 500
"""Match files that one person may keep."""
MOST_WAITING = 50
"""Reviews of one person that may wait at once."""

_LISTED = 500
_BIG = {"report", "partial"}
_SHORT = [column for column in reviews.c if column.name not in _BIG]
"""All columns of a review but those that hold its content."""

# Asked every few seconds, and made once: to make a query costs more than to find that nothing waits.
_PUT_BACK = update(reviews).where(reviews.c.state == RUNNING).values(state=WAITING, process=None)
_PUT_BACK_OF_GONE = _PUT_BACK.where(reviews.c.process.not_in(select(processes.c.id)))
_TURNS = (
    select(reviews.c.owner, func.max(func.coalesce(reviews.c.started, 0)).label("last"))
    .group_by(reviews.c.owner)
    .subquery()
)
_NEXT = (
    select(reviews)
    .join(_TURNS, _TURNS.c.owner == reviews.c.owner)
    .where(reviews.c.state == WAITING)
    .order_by(_TURNS.c.last, reviews.c.created, reviews.c.id)
    .limit(1)
)


def report_of(row: Row[Any]) -> Report:
    """The report of a finished review; RecordError where its content is damaged."""
    try:
        return report_from_data(json.loads(zlib.decompress(row.report)))
    except (TypeError, ValueError, zlib.error) as error:
        raise RecordError(f"review {row.id}: {error}") from error


class ReviewStore:
    """Reads and writes reviews. An owner is the id of a person; nobody else is shown what is theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Uploads

    async def keep_upload(self, owner: str, name: str, form: str, content: bytes) -> str:
        """Keep a match file; its id. Failure 409 where a person has too many."""
        count = select(func.count()).select_from(uploads).where(uploads.c.owner == owner)
        row = await self._database.first(count)
        if row is not None and row[0] >= MOST_UPLOADS:
            raise Failure(409, Text("you can keep at most {most} match files", most=MOST_UPLOADS))
        made = new_id()
        await self._database.write(
            insert(uploads).values(
                id=made,
                owner=owner,
                name=name,
                format=form,
                content=zlib.compress(content),
                created=now_ms(),
            )
        )
        return made

    async def upload(self, owner: str, upload: str) -> tuple[str, bytes] | None:
        """The name and the content of a file of this person's."""
        query = select(uploads).where(uploads.c.id == upload, uploads.c.owner == owner)
        row = await self._database.first(query)
        return None if row is None else (row.name, zlib.decompress(row.content))

    # Reviews

    async def ask(
        self,
        owner: str,
        kind: str,
        source: str,
        variant: str,
        *,
        plies: int,
        about: Mapping[str, Any],
        podium: bool = False,
    ) -> str:
        """Let a review wait for its turn; its id. One that exists is not made again, but for a failed one.

        One for the `podium` of a tournament has a link that shows both names, from the start. Failure 429
        where too many of this person's wait.
        """
        if (found := await self.find(owner, kind, source)) is not None:
            if found.state == FAILED:
                again: dict[str, Any] = {"state": WAITING, "error": "", "partial": None, "plies": plies}
                again["created"] = _after_all("created")
                await self._database.write(update(reviews).where(reviews.c.id == found.id).values(**again))
            return str(found.id)
        waiting = select(func.count()).where(reviews.c.owner == owner, reviews.c.state == WAITING)
        row = await self._database.first(waiting)
        if row is not None and row[0] >= MOST_WAITING:
            raise Failure(
                429, Text("at most {most} of your reviews can wait at once", most=MOST_WAITING), wait=60
            )
        made, link = new_id(), new_secret() if podium else None
        values = {
            "id": made,
            "owner": owner,
            "source": kind,
            "source_id": source,
            "variant": variant,
            "created": _after_all("created"),
            "state": WAITING,
            "progress": {},
            "summary": {},
            "plies": plies,
            "about": {**about, "podium": link} if podium else dict(about),
            "share": link,
            "names": podium,
        }
        try:
            await self._database.write(insert(reviews).values(**values))
        except Conflict:  # asked for twice at once
            found = await self.find(owner, kind, source)
            if found is None:
                raise
            return str(found.id)
        return made

    async def find(self, owner: str, kind: str, source: str) -> Row[Any] | None:
        """This person's review of a match or an upload, without its content."""
        return await self._database.first(
            select(*_SHORT).where(
                reviews.c.owner == owner, reviews.c.source == kind, reviews.c.source_id == source
            )
        )

    async def on_podium(self, owners: Mapping[str, str]) -> Sequence[Row[Any]]:
        """The reviews of these matches for the podium, by match whose each is, without their content.

        One whose link its owner has closed is none any more, though they have opened it again for others.
        """
        query = select(*_SHORT).where(reviews.c.source == MATCH, reviews.c.source_id.in_(owners))
        rows = await self._database.all(query.where(reviews.c.share.is_not(None), reviews.c.names))
        return [
            row for row in rows if row.owner == owners[row.source_id] and row.about.get("podium") == row.share
        ]

    async def of(self, owner: str, *, state: str | None = None) -> Sequence[Row[Any]]:
        """A person's reviews, the latest first, without their content."""
        query = select(*_SHORT).where(reviews.c.owner == owner)
        if state is not None:
            query = query.where(reviews.c.state == state)
        return await self._database.all(query.order_by(reviews.c.created.desc(), reviews.c.id).limit(_LISTED))

    async def one(self, owner: str, review: str) -> Row[Any] | None:
        """A review of this person's, with its content."""
        query = select(reviews).where(reviews.c.id == review, reviews.c.owner == owner)
        return await self._database.first(query)

    async def shared(self, secret: str) -> Row[Any] | None:
        """The finished review behind a link, with its content."""
        query = select(reviews).where(reviews.c.share == secret, reviews.c.state == DONE)
        return await self._database.first(query)

    async def share(self, owner: str, review: str, *, names: bool) -> str | None:
        """Open a finished review to those who have the link: its secret; None where there is no such review.

        `names` shows the other player's name too. The secret stays the same until it is withdrawn.
        """
        row = await self.one(owner, review)
        if row is None or row.state != DONE:
            return None
        secret = row.share or new_secret()
        change = update(reviews).where(reviews.c.id == review).values(share=secret, names=names)
        await self._database.write(change)
        return str(secret)

    async def unshare(self, owner: str, review: str) -> None:
        """Close the link."""
        change = update(reviews).where(reviews.c.id == review, reviews.c.owner == owner)
        await self._database.write(change.values(share=None, names=False))

    async def remove(self, owner: str, review: str) -> bool:
        """Delete a review and, where it was made of one, the upload; whether there was such a review.

        Its cards and the positions by which it is found go with it.
        """
        row = await self.one(owner, review)
        if row is None:
            return False
        steps = [delete(reviews).where(reviews.c.id == review)]
        if row.source == UPLOAD:
            steps.append(delete(uploads).where(uploads.c.id == row.source_id, uploads.c.owner == owner))
        await self._database.write(*steps)
        return True

    async def belongs(self, owner: str, review: str, side: str) -> bool:
        """Return which side of an upload its owner played, so that their errors become cards; whether it is
        theirs.

        Cards that were made of the other side's errors go.
        """
        row = await self.one(owner, review)
        if row is None or row.source != UPLOAD:
            return False
        change = update(reviews).where(reviews.c.id == review)
        await self._database.write(
            delete(practice_cards).where(practice_cards.c.review_id == review),
            change.values(about={**row.about, "you": side}, indexed=0),
        )
        return True

    async def own_names(self, owner: str) -> frozenset[str]:
        """The names by which a person was known in files they uploaded, in lower case."""
        names = set()
        for row in await self.of(owner):
            side, players = row.about.get("you"), row.about.get("players")
            if row.source == UPLOAD and side and players:
                names.add(str(players[side == "black"]).casefold())
        return frozenset(names - {""})

    async def publish(self, owner: str, review: str, *, public: bool) -> bool:
        """Let others find the positions of a review, or no longer; whether there is such a review."""
        mine = update(reviews).where(reviews.c.id == review, reviews.c.owner == owner)
        done, _ = await self._database.write(
            mine.values(public=public),
            update(positions)
            .where(positions.c.review_id == review, positions.c.owner == owner)
            .values(public=public),
        )
        return bool(done.count)

    # The queue

    async def take(self, process: str) -> Row[Any] | None:
        """The review that is to be worked on next, which is now this process's; None where none waits.

        Everybody's next one comes before anybody's one after that: of those who wait, the person comes whose
        last review was begun longest ago.
        """
        while (row := await self._database.first(_NEXT)) is not None:
            claim = update(reviews).where(reviews.c.id == row.id, reviews.c.state == WAITING)
            (done,) = await self._database.write(
                claim.values(state=RUNNING, process=process, started=_after_all("started"))
            )
            if done.count:
                return row
        return None

    async def waiting_before(self, row: Row[Any]) -> int:
        """Return the number of reviews that were asked for earlier and still wait or run."""
        query = select(func.count()).where(
            reviews.c.state.in_((WAITING, RUNNING)), reviews.c.created < row.created
        )
        found = await self._database.first(query)
        return int(found[0]) if found is not None else 0

    async def progress(self, review: str, progress: Mapping[str, int], partial: bytes | None) -> bool:
        """Keep how far a review is, and what it can go on from; whether it still is to be made."""
        values: dict[str, Any] = {"progress": dict(progress)}
        if partial is not None:
            values["partial"] = await asyncio.to_thread(zlib.compress, partial, 1)
        change = update(reviews).where(reviews.c.id == review, reviews.c.state == RUNNING)
        (done,) = await self._database.write(change.values(**values))
        return bool(done.count)

    async def finish(self, review: str, report: bytes, *, net: str, summary: Mapping[str, Any]) -> None:
        """Keep a finished review: the JSON of its report, and what lists show of it."""
        values = {
            "state": DONE,
            "report": await asyncio.to_thread(zlib.compress, report),
            "partial": None,
            "process": None,
            "net": net,
            "summary": dict(summary),
            "indexed": 0,
        }
        await self._database.write(update(reviews).where(reviews.c.id == review).values(**values))

    async def fail(self, review: str, error: Text) -> None:
        """A review cannot be made; `error` says why, and is kept so that it can be said in any language."""
        said = json.dumps([error.template, dict(error.values)])
        values = {"state": FAILED, "error": said, "partial": None, "process": None}
        await self._database.write(update(reviews).where(reviews.c.id == review).values(**values))

    async def put_back(self, process: str | None = None) -> None:
        """Let wait again what `process` worked on or, without one, what processes did that are gone."""
        await self._database.write(
            _PUT_BACK.where(reviews.c.process == process) if process is not None else _PUT_BACK_OF_GONE
        )


def _after_all(column: str) -> ColumnElement[int]:
    """The time now in ms, or a later one than all in a column: reviews of one millisecond have an order."""
    now, last = literal(now_ms()), func.coalesce(func.max(reviews.alias().c[column]) + 1, 0)
    return select(case((last > now, last), else_=now)).scalar_subquery()
