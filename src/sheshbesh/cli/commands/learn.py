"""`sheshbesh learn`: the courses, and the lessons of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.i18n import Text, translate

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.learn import Course, Judgement, Lesson, Progress

_FILE = "learned.json"
_FIRST = "first"
_LEAVE = ("q", "quit", "exit")
_SKIP, _SHOW = "skip", "show"


def _complete_courses(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    from sheshbesh.learn import courses

    return [name for name in courses() if name.startswith(begun)]


@click.command("learn")
@click.argument("course", metavar="GAME", required=False, shell_complete=_complete_courses)
@click.option("--anew", is_flag=True, help="Begin the course anew.")
@language_option
def command(course: str | None, *, anew: bool, lang: str) -> None:
    """List the courses, or go through the lessons of GAME that are not answered yet.

    Each lesson shows a board and asks for a play or an answer; the referee says why something is refused.
    Besides the games there are two courses of worked examples: khalili and texts. Who has never played a
    game begins with first-GAME, such as first-tapa, which ends in a game against a gentle opponent.
    """
    from sheshbesh.cli.terminal.console import Console
    from sheshbesh.cli.terminal.record_files import data_folder
    from sheshbesh.learn import Progress

    console, progress = Console(lang), Progress(data_folder() / _FILE)
    if course is None:
        if anew:
            raise click.UsageError(Text("--anew belongs to a course: sheshbesh learn GAME --anew"))
        _list(console, progress)
        return
    found = _course(course)
    if anew:
        progress.forget(found)
    _go_through(console, progress, found)


def _course(name: str) -> Course:
    """A course by its own name, or by any name of its game; so also its first steps."""
    from sheshbesh.learn import course, courses, first_course
    from sheshbesh.rules import variant

    prefix, dash, game = name.partition("-")
    if dash and prefix == _FIRST:
        return first_course(variant(game).name)
    return course(name if name in courses() else variant(name).name)


def _list(console: Console, progress: Progress) -> None:
    from sheshbesh.learn import course, courses

    for name in courses():
        found = course(name)
        done = len(progress.done(found))
        console.show(
            [
                Text(
                    "  {name}  {done} of {n}  {title}",
                    name=f"{name:<12}",
                    done=done,
                    n=len(found.lessons),
                    title=Text(found.title),
                )
            ]
        )
    console.say()
    console.say(Text("sheshbesh learn GAME goes through the lessons of one."))
    console.say(
        Text(
            "Never played before? {command} begins with the first checker.",
            command="sheshbesh learn first-GAME",
        )
    )


def _go_through(console: Console, progress: Progress, course: Course) -> None:
    from sheshbesh.cli.terminal.console import LeaveError

    done = progress.done(course)
    left = [(n, each) for n, each in enumerate(course.lessons, 1) if each.id not in done]
    console.say(course.title if isinstance(course.title, Text) else Text(course.title))
    console.say(Text(course.about))
    if not done and course.name == course.game.name:
        command = f"sheshbesh learn {_FIRST}-{course.name}"
        console.say(Text("Never played before? {command} begins with the first checker.", command=command))
    if not left:
        name = course.name
        console.say(Text("All is answered; {again} begins anew.", again=f"sheshbesh learn {name} --anew"))
        return
    if course.is_first:
        console.say(Text("You are {mine}, the other side is {theirs}.", mine="O", theirs="X"))
    console.say(Text("Type an answer; show gives it, skip leaves it for later, q leaves."))
    try:
        for n, lesson in left:
            if _ask(console, course, lesson, n):
                progress.add(course, lesson.id)
    except LeaveError:
        pass
    console.say()
    count = len(progress.done(course))
    console.say(Text("{done} of {n} answered.", done=count, n=len(course.lessons)))
    if course.is_first and count == len(course.lessons):
        _play(console, course)


def _play(console: Console, course: Course) -> None:
    """Offer the game at the end of the first steps, against the weakest level and with the tutor."""
    from sheshbesh.cli.terminal import session_setup
    from sheshbesh.cli.terminal.card_options import CardOptions
    from sheshbesh.cli.terminal.console import LeaveError
    from sheshbesh.engines.strength.levels import LEVELS

    game, level = course.game.name, LEVELS[0].name
    words = (game, "--match", "1", "--level", level)
    console.say(
        Text("Now a real game, against a gentle opponent; the tutor helps. Press Enter to begin, q leaves.")
    )
    try:
        if console.ask("> ").casefold() in _LEAVE:
            return
    except LeaveError:
        return
    session_setup.start(
        console,
        session_setup.PlaySettings(
            card=session_setup.find_card(game, None, CardOptions(match=1), None, seeded=False),
            opponent="bot",
            level=level,
            side="white",
            tutor=True,
            seed=None,
            position=None,
            roll=None,
            record=None,
            is_recorded=True,
            words=words,
        ),
    )


def _ask(console: Console, course: Course, lesson: Lesson, n: int) -> bool:
    """Ask until the answer is right, or left for later: whether it was right. LeaveError when they leave."""
    from sheshbesh.cli.terminal.console import LeaveError, Line
    from sheshbesh.learn.lesson import without_marks

    console.say()
    console.say(Text("Lesson {n} of {total}", n=n, total=len(course.lessons)))
    text, _ = without_marks(
        translate(Text(lesson.text), console.lang),
        lambda term: translate(Text("“{term}”", term=Text(term)), console.lang),
    )
    console.say(Line(text))
    console.show(_board_lines(lesson, with_trays=not course.is_first))
    for line in _task_lines(lesson):
        console.say(line)
    while True:
        typed = console.ask("> ").strip()
        word = typed.casefold()
        if word in _LEAVE:
            raise LeaveError
        if not word:
            console.say(_how_to_answer(lesson), indent="  ")
            continue
        if word == _SKIP:
            return False
        if word == _SHOW:
            _show_answer(console, lesson)
            continue
        judgement = _judgement(console, lesson, typed)
        if judgement is None:
            continue
        _say(console, judgement)
        if judgement.is_right:
            _explain(console, lesson)
            return True


def _board_lines(lesson: Lesson, *, with_trays: bool) -> list[str]:
    """The board; the trays beside it, with words of their own, are left out of the first steps."""
    from sheshbesh.rules.drawing import Picture

    picture, side = Picture.of(lesson.position), lesson.side
    if not with_trays:
        return list(picture.lines(side))
    return [picture.tray(side.other), *picture.lines(side), picture.tray(side)]


def _task_lines(lesson: Lesson) -> list[Text]:
    """The throw, the score, the question and the options, numbered."""
    from sheshbesh.i18n import DiceText

    lines: list[Text] = []
    if lesson.has_arrow:
        lines.append(Text("Type {play}.", play=lesson.shown_play))
    elif lesson.asks == "play" and lesson.dice is not None and lesson.is_one_die:
        lines.append(Text("The die shows {n}. Where nothing can be played, type pass.", n=lesson.dice.first))
    elif lesson.asks == "play" and lesson.dice is not None:
        lines.append(
            Text(
                "You have thrown {dice}. Where nothing can be played, type pass.", dice=DiceText(*lesson.dice)
            )
        )
    match = lesson.match
    if match is not None and match.length is not None:
        mine, theirs = match.score(lesson.side), match.score(lesson.side.other)
        lines.append(Text("{mine} to {theirs} in a match to {n}", mine=mine, theirs=theirs, n=match.length))
    if lesson.task:
        lines.append(lesson.task)
    if lesson.asks == "points":
        return [*lines, Text("Type one of {choices}.", choices=" ".join(_labels(lesson)))]
    shown = zip(_labels(lesson), lesson.options, strict=True)
    return [*lines, *(Text("{n}: {option}", n=label, option=each.shown) for label, each in shown)]


def _judgement(console: Console, lesson: Lesson, typed: str) -> Judgement | None:
    """The referee's judgement; None where the answer cannot be read, which is printed."""
    from sheshbesh.errors import NotationError

    if lesson.asks == "play":
        try:
            return lesson.judge(typed)
        except NotationError:
            console.say(_how_to_answer(lesson), indent="  ")
            return None
    labels = _labels(lesson)
    if typed not in labels:
        console.say(_how_to_answer(lesson), indent="  ")
        return None
    return lesson.judge_option(labels.index(typed))


def _how_to_answer(lesson: Lesson) -> Text:
    """Return what can be typed here."""
    if lesson.asks == "play":
        return Text("Type a play such as 8/5 6/5 or bar/22; q leaves.")
    return Text("Type one of {choices}.", choices=" ".join(_labels(lesson)))


def _labels(lesson: Lesson) -> list[str]:
    """Return what is typed for each option: a number of points itself, other options by their number."""
    if lesson.asks == "points":
        return [str(option.value) for option in lesson.options]
    return [str(n) for n, _ in enumerate(lesson.options, 1)]


def _say(console: Console, judgement: Judgement) -> None:
    from sheshbesh.cli.terminal.wording import refusal_text

    console.say(judgement.said, indent="  ")
    if judgement.refusal is not None:
        console.say(refusal_text(judgement.refusal), indent="  ")


def _explain(console: Console, lesson: Lesson) -> None:
    from sheshbesh.cli.terminal.console import Line
    from sheshbesh.rules.citing import cited

    if lesson.why:
        console.say(Text(lesson.why), indent="  ")
    for play in lesson.shown_refused:
        refusal = lesson.refusal(play)
        if refusal is not None:
            console.say(Text("Refused: {play}: {why}.", play=play, why=refusal.text), indent="  ")
    for each in lesson.elsewhere:
        console.say(each.text, indent="  ")
    console.say(Line(f"[{translate(cited(lesson.source), console.lang)}]"), indent="  ")


def _show_answer(console: Console, lesson: Lesson) -> None:
    if lesson.asks == "play":
        console.say(Text("Answer: {answer}", answer=lesson.shown_play), indent="  ")
    else:
        right = next(each.shown for each in lesson.options if each.value == lesson.answer)
        console.say(Text("Answer: {answer}", answer=right), indent="  ")
