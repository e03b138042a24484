"""The codes for lines that cannot be served: those of the draft, `stopped` and `internal`."""

from __future__ import annotations

from sheshbesh.errors import CubeError, NetError, ProtocolError, SheshbeshError, StoppedError


class UnknownCommandError(ProtocolError):
    """A word that is no command."""


class MissingContextError(ProtocolError):
    """Something has to be said before this can be asked."""


class UnsupportedError(ProtocolError):
    """Something the draft knows and this engine does not do."""


_CODES: tuple[tuple[type[Exception], str], ...] = (
    (UnknownCommandError, "unknown_command"),
    (MissingContextError, "missing_context"),
    (UnsupportedError, "unsupported_feature"),
    (CubeError, "unsupported_feature"),
    (NetError, "unsupported_feature"),
    (StoppedError, "stopped"),
    (SheshbeshError, "bad_argument"),
)


def error_line(error: Exception, about: str) -> str:
    """`error CODE COMMAND: what is wrong`, always one line."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "internal")
    text = " ".join(str(error).split()) or type(error).__name__
    if code == "internal":
        text = f"{type(error).__name__}: {text}"
    return f"error {code} {about}: {text}" if about else f"error {code} {text}"
