"""`sheshbesh site`: what an operator does: backups, engine workers, moderation without a browser."""

from __future__ import annotations

import asyncio
import getpass
import os
import re
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sheshbesh.cli.commands.serve import own_database
from sheshbesh.cli.terminal.console import UserError
from sheshbesh.cli.terminal.server_output import errors_in_the_log, say
from sheshbesh.rules.safe_text import escaped

if TYPE_CHECKING:
    from sheshbesh.server.engine.remote import EngineHost
    from sheshbesh.server.people.moderation import Actor, Moderation
    from sheshbesh.server.people.reports import Reports

Answer = TypeVar("Answer")

_FOR = re.compile(r"(\d+)\s*([hd])")
_HOURS = {"h": 1, "d": 24}


@click.group("site")
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.pass_context
def command(ctx: click.Context, *, database: str | None) -> None:
    """Look after a site: backups, engine workers, reports, bans.

    The database is that of `sheshbesh serve`: --database, else SHESHBESH_DATABASE, else the file in your
    data folder. The site may run meanwhile, unless a backup is restored.
    """
    if find_spec("fastapi") is None or find_spec("sqlalchemy") is None:
        raise UserError("the site needs some more packages: pip install 'sheshbesh[site]'")
    from sheshbesh.server.settings import database_url

    ctx.obj = database_url(database, own_database)


# Backups


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.pass_obj
def backup_command(url: str, file: Path, *, force: bool) -> None:
    """Write all that the site has into FILE, while it runs.

    The file is a database of SQLite, whatever the site runs on. It holds the secrets of dice and the hashes
    of passwords: keep it as you keep the database.
    """
    from sheshbesh.server.storage.backup import backup

    content = asyncio.run(backup(url, file, replace=force))
    size = file.stat().st_size
    click.echo(
        f"{file}: {content.rows['users']:,} accounts, {content.rows['matches']:,} matches; "
        f"{size / 1e6:,.1f} MB, checked."
    )


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace a database that has accounts or matches.")
@click.pass_obj
def restore_command(url: str, file: Path, *, force: bool) -> None:
    """Put the site of FILE in the place of the database, which no server may use.

    The file is checked, and brought up to date if an older version made it, before anything is replaced.
    A file of SQLite that is replaced is kept beside the new one.
    """
    from sheshbesh.server.storage.restore import restore

    content, before = asyncio.run(restore(file, url, replace=force))
    click.echo(f"Restored: {content.rows['users']:,} accounts, {content.rows['matches']:,} matches.")
    if before is not None:
        click.echo(f"What was there before is now {before}.")


# Engine work


@command.command("worker")
@click.argument("url", envvar="SHESHBESH_SITE", required=False)
@click.option(
    "--processes", type=click.IntRange(1, 1024), help="Engine processes.  [default: one for each core]"
)
@click.option("--name", help="What this host is called in the log of the site.  [default: its name]")
@click.option("--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def worker_command(url: str | None, processes: int | None, name: str | None, log_format: str) -> None:
    """Run engine work of the site at URL on this host: plays, cube decisions, the tutor, analysis, reviews.

    URL is how this host reaches a process of the site, such as http://10.0.0.2:8000; without it
    SHESHBESH_SITE is. The environment has the key of workers, SHESHBESH_WORKER_KEY, which is that of the
    site. Nothing else of the site is needed. Any number of workers may run, on as many hosts. Ctrl-C or
    SIGTERM ends it; others answer what it had taken.
    """
    from sheshbesh.server.engine.remote import EngineHost
    from sheshbesh.server.monitoring.logs import configure

    with errors_in_the_log(log_format):
        key = os.environ.get("SHESHBESH_WORKER_KEY", "")
        if not url or not url.startswith(("http://", "https://")) or not key:
            raise UserError(
                "a worker needs the address of the site and its key, and no database any more: "
                "SHESHBESH_WORKER_KEY=… sheshbesh site worker http://10.0.0.2:8000 (docs/guide/upgrading.md)"
            )
        configure(log_format, "")
        size = processes or os.cpu_count() or 1
        host = EngineHost(url, key, size, name=name or socket.gethostname())
        with suppress(KeyboardInterrupt):
            asyncio.run(_until_ended(host, log_format))
        say(f"Goodbye. {host.answered:,} questions answered.", log_format)


async def _until_ended(host: EngineHost, log_format: str) -> None:
    """Run a worker until SIGTERM."""

    def begun() -> None:
        text = f"Worker {host.name} serves the site; engine processes: {host.slots} (Ctrl-C ends it)."
        say(text, log_format)

    task = asyncio.create_task(host.run(begun))
    with suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


# Moderation


def _operator(by: str | None) -> Actor:
    from sheshbesh.server.people.moderation import Actor

    if by is None:
        try:
            by = getpass.getuser()
        except (KeyError, OSError):  # a container whose user has no name
            by = "operator"
    return Actor(f"{by} (operator)", is_operator=True)


def _with_site(
    url: str, work: Callable[[Moderation, Reports], Awaitable[Answer]], *, about: str | None = None
) -> Answer:
    """Do something with the database of a site; a failure is a sentence that begins with what it is `about`.

    The database is taken as it is: a site of another version may run on it.
    """
    from sheshbesh.server.people.moderation import Moderation
    from sheshbesh.server.people.reports import Reports
    from sheshbesh.server.refusals import Failure
    from sheshbesh.server.storage import Database
    from sheshbesh.server.storage.check import check, in_words

    async def run() -> Answer:
        await check(url, as_it_is=True)
        database = Database(url)
        await database.open(as_it_is=True)
        try:
            with in_words(url, "used"):
                return await work(Moderation(database), Reports(database))
        finally:
            await database.close()

    try:
        return asyncio.run(run())
    except Failure as failure:
        said = str(failure.detail)
        raise UserError(said if about is None else f"{escaped(about)}: {said}") from failure


def _hours(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    found = _FOR.fullmatch(value.strip().lower())
    if found is None or not 0 < (hours := int(found[1]) * _HOURS[found[2]]) < 10**6:
        raise click.BadParameter("a time is a number of hours or days, such as 12h or 7d")
    return hours


_reason = click.option("--reason", required=True, help="Why; the account's owner is told it.")
_by = click.option("--by", metavar="NAME", help="Who does it, for the log.  [default: your login]")
_for = click.option("--for", "hours", callback=_hours, metavar="TIME", help="12h or 7d.  [default: for ever]")


@command.group("admin")
def admin() -> None:
    """Reports, mutes, bans, names and moderators.

    Everything is logged with who did it, when and why: `sheshbesh site admin log`. A running site follows
    within seconds.
    """


@admin.command("reports")
@click.option("--resolved", is_flag=True, help="Those that were answered.")
@click.pass_obj
def reports_command(url: str, *, resolved: bool) -> None:
    """List the reports that are open."""

    async def work(_: Moderation, reports: Reports) -> list[dict[str, Any]]:
        return await (reports.resolved() if resolved else reports.open())

    found = _with_site(url, work)
    if not found:
        click.echo("There are none.")
    for report in found:
        match = f", match {report['match']}" if report["match"] else ""
        click.echo(
            f"{report['id']}  {_date(report['at'])}  {report['user']['name']}: {report['kind']}{match}"
        )
        click.echo(
            f"    by {report['by'] or 'a deleted account'}: {_one_line(report['text']) or '(no words)'}"
        )
        for line in report["talk"]:
            click.echo(f"    | {line['by']}: {line['text'] or line['phrase']}")
        if report["resolved"]:
            click.echo(f"    {report['resolved_by']}, {_date(report['resolved'])}: {report['answer']}")


@admin.command("resolve")
@click.argument("report")
@click.option("--answer", required=True, help="What was made of it.")
@_by
@click.pass_obj
def resolve_command(url: str, report: str, *, answer: str, by: str | None) -> None:
    """Close a report with an answer."""
    _with_site(url, lambda moderation, _: moderation.resolve(_operator(by), report, answer), about=report)
    click.echo("The report is closed.")


def _sanction(name: str, kind: str, done: str, text: str) -> click.Command:
    @admin.command(name, help=text)
    @click.argument("account")
    @_for
    @_reason
    @_by
    @click.pass_obj
    def made(url: str, account: str, *, hours: int | None, reason: str, by: str | None) -> None:
        actor = _operator(by)
        _with_site(
            url,
            lambda moderation, _: moderation.sanction(actor, account, kind, reason, hours),
            about=account,
        )
        click.echo(f"{account} is {done}.")

    return made


def _lift(name: str, kind: str, done: str, text: str) -> click.Command:
    @admin.command(name, help=text)
    @click.argument("account")
    @_reason
    @_by
    @click.pass_obj
    def made(url: str, account: str, *, reason: str, by: str | None) -> None:
        actor = _operator(by)
        _with_site(url, lambda moderation, _: moderation.lift(actor, account, kind, reason), about=account)
        click.echo(f"{account} is {done}.")

    return made


_sanction("mute", "mute", "muted", "Let an account say nothing at matches.")
_lift("unmute", "mute", "muted no longer", "Let a muted account speak again.")
_sanction(
    "ban", "ban", "banned and signed out", "Let an account and its bots not sign in; they are signed out."
)
_lift("unban", "ban", "banned no longer", "Let a banned account sign in again.")


@admin.command("rename")
@click.argument("account")
@click.argument("new")
@_reason
@_by
@click.pass_obj
def rename_command(url: str, account: str, new: str, *, reason: str, by: str | None) -> None:
    """Give an account another name, in its matches too."""
    _with_site(
        url, lambda moderation, _: moderation.rename(_operator(by), account, new, reason), about=account
    )
    click.echo(f"{account} is called {new} now.")


@admin.command("sign-out")
@click.argument("account")
@_reason
@_by
@click.pass_obj
def sign_out_command(url: str, account: str, *, reason: str, by: str | None) -> None:
    """End all sign-ins and tokens of an account and its bots."""
    _with_site(url, lambda moderation, _: moderation.sign_out(_operator(by), account, reason), about=account)
    click.echo(f"{account} is signed out everywhere.")


@admin.command("moderator")
@click.argument("account")
@click.option("--remove", is_flag=True, help="They are one no longer.")
@click.option("--reason", default="appointed by the operator", help="Why, for the log.")
@_by
@click.pass_obj
def moderator_command(url: str, account: str, *, remove: bool, reason: str, by: str | None) -> None:
    """Make an account a moderator, who finds the reports at /moderation."""
    actor = _operator(by)
    _with_site(
        url,
        lambda moderation, _: moderation.appoint(actor, account, reason, moderator=not remove),
        about=account,
    )
    click.echo(f"{account} is {'no longer ' if remove else ''}a moderator.")


@admin.command("log")
@click.argument("account", required=False)
@click.pass_obj
def log_command(url: str, account: str | None) -> None:
    """Show what was done, the newest first; to one ACCOUNT where it is named."""
    found = _with_site(url, lambda moderation, _: moderation.log(account))
    if not found:
        click.echo(
            "Nothing has been done yet." if account is None else f"{escaped(account)}: nothing is logged."
        )
    for entry in found:
        until = entry["detail"].get("until")
        more = f" until {_date(until)}" if until else ""
        new = f" to {entry['detail']['new']}" if "new" in entry["detail"] else ""
        click.echo(
            f"{_date(entry['at'])}  {entry['actor']}: {entry['action']} {entry['name']}{new}{more}: "
            f"{_one_line(entry['reason'])}"
        )


def _date(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M}"


def _one_line(text: str) -> str:
    return escaped(" ".join(text.split()))
