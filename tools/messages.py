"""Collect the texts that players read, and keep the catalogues of all languages up to date.

    python tools/messages.py              write new texts into the .po files; list what is missing
    python tools/messages.py --check      exit with 1 if anything is missing or wrong; write nothing
    python tools/messages.py --prune      also remove texts that the program no longer has
    python tools/messages.py --add eo     begin a language

`--root DIR` reads the program's files from another checkout as well. What has a translation stays in
a catalogue until it is pruned, so that branches of work do not undo each other.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from sheshbesh.i18n.catalogue import CALLS, CATALOGUES, DICE, DIGITS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src/sheshbesh")
ISOLATES = re.compile("[\u2066-\u2069]")
NOTATION = re.compile(r"\d[-/]\d|\bbar/|/off\b")
CODE_WITH_NATIVE_DIGITS = re.compile("[A-Za-z][۰-۹٠-٩]")

_CALLS = {
    "Text": slice(1),
    "PluralText": slice(2),
    "translate": slice(1),
    "ntranslate": slice(2),
    "Failure": slice(1, 2),
}
"""The calls of Python that carry texts, with which of their arguments are some."""

_STRING = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)"
_JOINED = rf"{_STRING}(?:\s*\+\s*{_STRING})*"
_JS_SINGLE = re.compile(rf"(?<![\w$])(?:t|msg)\(\s*({_JOINED})")
_JS_PLURAL = re.compile(rf"(?<![\w$])tn\(\s*({_JOINED})\s*,\s*({_JOINED})")
_JS_ENTRY = re.compile(rf"^\s+\w+:\s*({_JOINED}),$", re.MULTILINE)
_JS_COMMENT = re.compile(rf"({_STRING})|/\*.*?\*/|(?<![:\\])//[^\n]*", re.DOTALL)
_JS_STRING = re.compile(_STRING)


_NOT_OURS = {"vendor", "packed"}
"""Folders of the page with what others wrote, and with what `make pack` made of its own modules."""


@dataclass
class Found:
    """One text: its context, its plural if it has one, and the files that say it."""

    text: str
    context: str = ""
    plural: str | None = None
    files: set[str] = field(default_factory=set)


Key = tuple[str, str]


def collect(roots: Iterable[Path]) -> dict[Key, Found]:
    """All texts of the program by context and text, in the order of their files."""
    found: dict[Key, Found] = {}

    def add(text: str, file: str, *, context: str = "", plural: str | None = None) -> None:
        if text.strip():
            entry = found.setdefault((context, text), Found(text, context))
            entry.plural = entry.plural or plural
            entry.files.add(file)

    for text, file in table_texts():
        add(text, file)
    for call in CALLS.values():
        add(call, "i18n/dice.py", context=DICE)
    add("0123456789", "i18n/catalogue.py", context=DIGITS)
    for root in roots:
        package = root / PACKAGE
        scripts = (path for path in (package / "web").rglob("*.js") if not _NOT_OURS & set(path.parts))
        for path in sorted((*package.rglob("*.py"), *scripts)):
            source = path.read_text(encoding="utf-8")
            is_python = path.suffix == ".py"
            texts = python_texts(source) if is_python else js_texts(source, words=path.name == "words.js")
            for text, plural in texts:
                add(text, path.relative_to(package).as_posix(), plural=plural)
    return found


def table_texts() -> Iterator[tuple[str, str]]:
    """The texts that stand in tables, with their files: the rules, the refusals, the games, the levels."""
    import sheshbesh as sb
    from sheshbesh.customs.data import texts
    from sheshbesh.engines.explain.wording import PHRASES
    from sheshbesh.engines.strength.levels import LEVELS
    from sheshbesh.engines.strength.styles import STYLES
    from sheshbesh.fairdice import DICE_RULES
    from sheshbesh.learn.course import texts as lesson_texts
    from sheshbesh.match import CUBE_RULES
    from sheshbesh.match.state import CLASS_POINTS
    from sheshbesh.rules.wording import CARD, TOPIC_OPTIONS, TOPIC_SETUP
    from sheshbesh.server.refusals import SITE_RULES
    from sheshbesh.session import SESSION_RULES
    from sheshbesh.tournaments import TOURNAMENT_RULES

    for topic in (TOPIC_SETUP, *(rule.topic for rule in CARD), TOPIC_OPTIONS):
        yield topic, "rules/wording.py"
    for rule in CARD:
        yield from ((sentence, "rules/wording.py") for sentence in rule.sentences.values())
    for text in sb.RULES.values():
        yield from ((sentence, "rules/refusal.py") for sentence in text.wording.values())
        if text.stricter:
            yield from ((sentence, "rules/refusal.py") for sentence in text.stricter.wording.values())
    for name in sb.variants():
        data = sb.variant(name)._data
        file = f"rules/variants/{name}.toml"
        yield from ((text, file) for text in (data.title, data.region, data.description))
        yield from ((spec.doc, "rules/options.py") for spec in data.options.values())
    for sentence, _ in CUBE_RULES.values():
        yield getattr(sentence, "template", sentence), "match/state.py"
    yield from ((sentence, "session/refusals.py") for sentence, _ in SESSION_RULES.values())
    yield from ((sentence, "tournaments/refusals.py") for sentence in TOURNAMENT_RULES.values())
    yield from ((sentence, "fairdice/refusals.py") for sentence in DICE_RULES.values())
    yield from ((sentence, "server/refusals.py") for sentence in SITE_RULES.values())
    yield from texts()
    yield from ((kind.replace("_", " "), "match/state.py") for kind in CLASS_POINTS)
    for pair in PHRASES.values():
        yield from ((phrase, "engines/explain/wording.py") for phrase in pair)
    yield from lesson_texts()
    for level in LEVELS:
        yield from ((text, "engines/strength/levels.py") for text in (level.name, level.description))
    for style in STYLES:
        yield from ((text, "engines/strength/styles.py") for text in (style.name, style.description))


def python_texts(source: str) -> Iterator[tuple[str, str | None]]:
    """The texts in calls such as `Text("...")`, with their plurals."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        given = node.args[_CALLS.get(name, slice(0))]
        texts = [arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if texts and len(texts) == len(given):
            yield texts[0], texts[1] if len(texts) > 1 else None


def js_texts(source: str, *, words: bool = False) -> Iterator[tuple[str, str | None]]:
    """The texts in `t("...")` and `tn("...", "...", n)`; of a file of words also the entries of its table."""
    source = _JS_COMMENT.sub(lambda match: match[1] or " ", source)
    yield from ((_js_value(match[1]), None) for match in _JS_SINGLE.finditer(source))
    yield from ((_js_value(match[1]), _js_value(match[2])) for match in _JS_PLURAL.finditer(source))
    if words:
        yield from ((_js_value(match[1]), None) for match in _JS_ENTRY.finditer(source))


def _js_value(joined: str) -> str:
    """The text that string literals of JavaScript joined by + stand for."""
    parts = []
    for match in _JS_STRING.finditer(joined):
        inner = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda code: chr(int(code[1], 16)), match[0][1:-1])
        inner = re.sub(r"\\(['\"`$])", r"\1", inner).replace("\\n", "\n")
        parts.append(re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), inner))
    return "".join(parts)


# --- catalogues -----------------------------------------------------------------------------------------


def load(file: Path) -> Catalog:
    """A catalogue as it stands."""
    with file.open("rb") as opened:
        return read_po(opened, locale=file.stem, abort_invalid=True)


def save(catalogue: Catalog, file: Path) -> None:
    """Write a catalogue, by files and then by texts, so that a change is a small difference."""
    ordered = sorted(
        (message for message in catalogue if message.id),
        key=lambda message: ([name for name, _ in message.locations[:1]], str(message.id)),
    )
    written = Catalog(locale=catalogue.locale)
    written.mime_headers = catalogue.mime_headers
    for message in ordered:
        written[message.id] = message
    # Not Babel's header, whose dates change with every run.
    header = (
        'msgid ""',
        'msgstr ""',
        f'"Language: {file.stem}\\n"',
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
    )
    with file.open("wb") as opened:
        opened.write("\n".join((*header, "", "")).encode())
        write_po(opened, written, width=110, include_lineno=False, omit_header=True)


def merge(catalogue: Catalog, found: dict[Key, Found], *, prune: bool) -> None:
    """Bring a catalogue up to the texts found; what has a translation keeps it."""
    for (context, text), entry in found.items():
        old = catalogue.get(text, context or None)
        said = old.string if old else ""
        locations = [(name, 0) for name in sorted(entry.files)]
        if entry.plural:
            forms = said if isinstance(said, tuple) else ("",) * catalogue.num_plurals
            new = Message((text, entry.plural), forms, locations, context=context or None)
        else:
            new = Message(text, said if isinstance(said, str) else "", locations, context=context or None)
        catalogue.delete(text, context or None)
        catalogue[new.id] = new
    if prune:
        for message in list(catalogue):
            if message.id and _key(message) not in found:
                catalogue.delete(message.id, message.context)


def _key(message: Message) -> Key:
    text = message.id[0] if isinstance(message.id, tuple | list) else message.id
    return (message.context or "", text)


def problems(catalogue: Catalog, found: dict[Key, Found]) -> Iterator[str]:
    """What is missing in a catalogue or says something else than the English text has places for."""
    for (context, text), entry in found.items():
        message = catalogue.get(text, context or None)
        said = (message and message.string) or ()
        forms = (said,) if isinstance(said, str) else tuple(said)
        if not forms or not all(forms):
            yield f"missing: {text!r}"
            continue
        if entry.plural and len(forms) != catalogue.num_plurals:
            yield f"{text!r}: {len(forms)} forms, not {catalogue.num_plurals}"
        for form in forms:
            yield from _faults(text, entry, form, str(catalogue.locale))


def _faults(text: str, entry: Found, form: str, lang: str) -> Iterator[str]:
    wanted, said = _places(entry.plural or text), _places(form)
    # A form for one or two may leave the number out, for the word says it, and what the singular has not.
    free = ({"n"} | wanted - _places(text)) if entry.plural else set()
    if not wanted - free <= said <= wanted:
        yield f"{text!r}: has {sorted(wanted)}, the translation has {sorted(said)}: {form!r}"
    if lang in ("ar", "fa") and not entry.context and NOTATION.search(text) and not ISOLATES.search(form):
        yield f"{text!r}: notation without isolates: {form!r}"
    if CODE_WITH_NATIVE_DIGITS.search(form):
        yield f"{text!r}: a code with native digits: {form!r}"


def _places(text: str) -> set[str]:
    """The places for values in a text, with how they are written."""
    try:
        return {f"{name}:{spec}" if spec else name for _, name, spec, _ in Formatter().parse(text) if name}
    except ValueError:
        return {f"unreadable {text!r}"}


def main(arguments: list[str] | None = None) -> int:
    """Run the tool; 1 if a check found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--prune", action="store_true")
    parser.add_argument("--add", metavar="LANG")
    parser.add_argument("--root", type=Path, action="append", default=[])
    chosen = parser.parse_args(arguments)
    found = collect([ROOT, *chosen.root])
    if chosen.add:
        save(Catalog(locale=chosen.add), CATALOGUES / f"{chosen.add}.po")
    faulty = False
    for file in sorted(CATALOGUES.glob("*.po")):
        catalogue = load(file)
        if not chosen.check:
            merge(catalogue, found, prune=chosen.prune)
            save(catalogue, file)
        listed = list(problems(catalogue, found))
        unused = [key[1] for message in catalogue if message.id and (key := _key(message)) not in found]
        print(f"{file.stem}: {len(found)} texts, {len(listed)} problems, {len(unused)} unused")
        for line in [*listed, *(f"unused: {text!r}" for text in unused)]:
            print(f"  {line}")
        faulty = faulty or bool(listed)
    return int(faulty and chosen.check)


if __name__ == "__main__":
    sys.exit(main())
