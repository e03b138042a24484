"""The nets for the engine in a visitor's browser, by their digests: a browser keeps them."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sheshbesh.engines import registry
from sheshbesh.server.http.request_limits import check_page

_LASTING: Final = "public, max-age=31536000, immutable"


@cache
def nets() -> dict[str, Path]:
    """The shipped nets by their digests."""
    return {one.sha256: one.path for one in registry.manifests(registry.shipped_folder)}


@lru_cache(maxsize=32)
def coded(path: Path, packed: Path) -> tuple[str, bytes]:
    """A net as it is sent, and its coding: as `make pack` left it, else by gzip, in a tenth of a second."""
    if packed.is_file():
        return "br", packed.read_bytes()
    return "gzip", gzip.compress(path.read_bytes(), 6, mtime=0)


async def send_net(request: Request, packed: Path) -> Response:
    """The net of the address; `packed` is the folder of those that were compressed beforehand."""
    check_page(request)
    digest = request.path_params["digest"]
    path = nets().get(digest)
    if path is None:
        raise HTTPException(404, "there is no such net")
    headers = {"ETag": f'"{digest[:20]}"', "Cache-Control": _LASTING, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    coding, body = await asyncio.to_thread(coded, path, packed / f"{digest}.net.br")
    if coding in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = coding
    else:
        body = await asyncio.to_thread(path.read_bytes)
    return Response(body, headers=headers, media_type="application/octet-stream")
