"""Tournaments that are to come as a feed (RSS 2.0): one item each, by its address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from sqlalchemy import Row

from sheshbesh.i18n import Text, translate
from sheshbesh.match.timing import SECOND
from sheshbesh.server.tournaments.series import title_of
from sheshbesh.tournaments.settings import card_of, read_settings

_TITLE = Text("Tournaments")
_STARTS = Text("starts on {time} UTC", time="")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that no document may have by XML 1.0: readers refuse the whole feed for one of them."""


def feed(rows: Iterable[Row[Any]], origin: str, lang: str) -> bytes:
    """Return tournaments as a feed in a language; `origin` is the address of the site."""
    root = Element("rss", {"version": "2.0"})
    channel = SubElement(root, "channel")
    _add(channel, title=f"{translate('Sheshbesh', lang)} · {translate(_TITLE, lang)}")
    _add(channel, link=f"{origin}/tournaments", description=translate(_TITLE, lang), language=lang)
    for row in rows:
        settings = read_settings(row.amended or row.settings)
        about = [translate(Text(card_of(settings.card).rules.title), lang)]
        if row.starts is not None:
            at = f"{_time(row.starts):%Y-%m-%d %H:%M}"
            about.append(translate(Text(_STARTS.template, time=at), lang))
        about += [settings.text] if settings.text else []
        link = f"{origin}/t/{row.id}"
        item = SubElement(channel, "item")
        title = translate(title_of(row.title, row.series_id), lang)
        _add(item, title=title, link=link, guid=link, description=" · ".join(about))
        _add(item, pubDate=format_datetime(_time(row.created), usegmt=True))
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _add(parent: Element, **texts: str) -> None:
    for name, text in texts.items():
        SubElement(parent, name).text = _NOT_XML.sub("", text)


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / SECOND, tz=UTC)
