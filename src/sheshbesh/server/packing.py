"""JSON sent compressed to those who understand it: public answers that are large and seldom change."""

from __future__ import annotations

import gzip
import json
from typing import Any, NamedTuple

from fastapi import Request, Response

_WORTH = 1024
"""Bytes from which on compressing saves something."""


class Packed(NamedTuple):
    """JSON as bytes, plain and, where that is shorter, compressed."""

    plain: bytes
    gzipped: bytes | None

    @classmethod
    def of(cls, data: Any) -> Packed:
        """Encode `data`, which must be JSON."""
        plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        return cls(plain, gzip.compress(plain, 6, mtime=0) if len(plain) >= _WORTH else None)

    def answer(self, request: Request) -> Response:
        """The form that `request` accepts."""
        headers = {"Vary": "Accept-Encoding"}
        if self.gzipped is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, headers=headers, media_type="application/json")
        headers["Content-Encoding"] = "gzip"
        return Response(self.gzipped, headers=headers, media_type="application/json")
