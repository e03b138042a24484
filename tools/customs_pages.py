"""The generated pages about customs: traditional and modern, conduct, and what a game's page tells of it."""

from __future__ import annotations

from collections.abc import Iterator

import sheshbesh as sb
from sheshbesh import customs


def differences_page() -> Iterator[str]:
    """The table of the booklet, each line with what can be tried."""
    yield "# Traditional and modern"
    yield ""
    yield "How the game of Iran as it was handed down differs from tournament backgammon, after the table"
    yield "of Khalili (004), p. 4, and the pages that explain it. On the site, `/customs/differences` lets"
    yield "you try the lines that a board can show; in the terminal, `sheshbesh customs differences` names"
    yield "the positions."
    for line in customs.differences():
        yield from (
            "",
            f"## {line.title}",
            "",
            f"* **Traditional** {line.traditional}",
            f"* **Modern** {line.modern}",
        )
        if line.trial is not None:
            for way, game in customs.WAYS.items():
                yield f"* **Try, {way}** {line.trial.task[way]}"
                dice = "-".join(map(str, line.trial.dice[way]))
                yield f"  `sheshbesh play {game} --position {line.trial.position(way).id} --roll {dice}`"
        yield from (f"* {said}" for said in (line.table, line.reading) if said)
        yield from ("", f"*{line.source}*")


def conduct_page() -> Iterator[str]:
    """The topics of conduct."""
    yield "# Conduct at a real board"
    yield ""
    yield "For those who play on wood: what the source texts say about throwing, touching and where"
    yield "checkers lie. On the site it stands at `/customs/conduct`, with drawings; in the terminal,"
    yield "`sheshbesh customs conduct` prints it."
    for topic in customs.conduct():
        yield from ("", f"## {topic.title}", "", topic.text, "")
        if topic.traditional:
            yield from (f"* **Traditional** {topic.traditional}", f"* **Modern** {topic.modern}", "")
        yield f"*{'; '.join(topic.sources)}*"


def referee_page() -> Iterator[str]:
    """Yield the referee's guide: the questions with where each answer leads, then the rulings."""
    guide = customs.disputes()
    yield "# Referee’s guide"
    yield ""
    yield "For two people in a dispute at a real board: at most four questions lead to the ruling. On the"
    yield "site it stands at `/customs/referee`; in the terminal, `sheshbesh customs disputes` prints the"
    yield "rulings."
    yield from ("", "## Questions")
    for question in guide.questions.values():
        yield from ("", f'<a id="{question.id}"></a>**{question.text}**', "")
        for answer in question.answers:
            further = guide.questions.get(answer.then)
            said = further.text if further else guide.rulings[answer.then].title
            place = answer.then if further else f"ruling-{answer.then}"
            yield f"* {answer.text}: [{said}](#{place})"
    yield from ("", "## Rulings")
    for ruling in guide.rulings.values():
        yield from ("", f'<a id="ruling-{ruling.id}"></a>**{ruling.title}**', "")
        ways = (("", ruling.text), ("**Traditional** ", ruling.traditional), ("**Modern** ", ruling.modern))
        yield from (f"* {label}{text}" for label, text in ways if text)
        yield from ("", f"*{'; '.join(ruling.sources)}*")


def about_lines(game: sb.Variant) -> Iterator[str]:
    """What a game's page tells before its rules: history, words, playing time, one position."""
    about = customs.games()[game.name]
    yield from ("## History and names", "", about.history, "")
    yield from (f"* **{term}** {means}" for term, means in about.words)
    if about.minutes:
        yield f"* **Playing time** {about.minutes[0]} to {about.minutes[1]} minutes"
    if about.difficulty:
        yield f"* **Difficulty** {about.difficulty}"
    yield from ("", f"*{about.source}*", "", "## What is special", "", about.picture.says, "", "```text")
    position = about.picture.board.position(game)
    yield from str(position).splitlines()
    refusal = position.refusal(about.picture.play, about.picture.dice)
    dice = "-".join(map(str, about.picture.dice))
    verdict = f"not allowed: {refusal.text}" if refusal else "allowed"
    yield from ("```", "", f"Throw {dice}, `{about.picture.play}`: {verdict}.")
