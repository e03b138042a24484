"""A record on disk that is only ever appended to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from sheshbesh.errors import RecordError
from sheshbesh.session.events import Event
from sheshbesh.session.record import Record, TableRecord, is_whole, line
from sheshbesh.session.record_header import TableHeader

AnyRecord = TypeVar("AnyRecord", bound=TableRecord[Any])


class RecordFile:
    """The file of one record. Every event is on the disk when `append` returns."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def create(self, header: TableHeader[Any]) -> None:
        """Begin a new record; FileExistsError if there is one already."""
        with self.path.open("xb") as file:
            _write(file, line(header.to_data()))
        # The name of a new file is on the disk once its folder is.
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def append(self, event: Event) -> None:
        """Add an event."""
        with self.path.open("ab") as file:
            _write(file, line(event.to_data()))

    def load(self) -> Record:
        """Read the record of a match; RecordError if it cannot be read at all."""
        return self.load_as(Record)

    def load_as(self, kind: type[AnyRecord]) -> AnyRecord:
        """Read a record of this kind; RecordError if it cannot be read at all."""
        try:
            head, tail = _parts(self.path.read_bytes())
            return kind.from_text(head.decode("utf-8") + tail.decode("utf-8", errors="replace"))
        except OSError as error:
            raise RecordError(f"{self.path}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise RecordError(f"{self.path}: this is not text in UTF-8, so it is no match record") from None
        except RecordError as error:
            raise RecordError(f"{self.path}: {error}") from None

    def mend(self, record: TableRecord[Any]) -> None:
        """Put right the end of a damaged record, so that events can be appended again."""
        if record.damage is None:
            return
        head, tail = _parts(self.path.read_bytes())
        if is_whole(tail.decode("utf-8", errors="replace")):
            with self.path.open("ab") as file:
                _write(file, "\n")
            return
        with self.path.open("r+b") as file:
            file.truncate(len(head))
            os.fsync(file.fileno())


def _parts(data: bytes) -> tuple[bytes, bytes]:
    """The whole lines, and what follows them. A cut may fall into the middle of a character."""
    end = data.rfind(b"\n") + 1
    return data[:end], data[end:]


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8"))
    file.flush()
    os.fsync(file.fileno())
