"""Downloads: files of known length, which can be interrupted and resumed.

The ETag of a download says when it was made, and its version. A request that goes on with it (`Range` with
`If-Range`) gets the rest of the same bytes, also if the game went on meanwhile.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from hashlib import sha256
from typing import IO, NamedTuple

from flask import Response, request
from werkzeug.http import parse_range_header
from werkzeug.wsgi import FileWrapper

from events.event import now_ms

IN_MEMORY = 1 << 20
"""Bytes of a file that are not put on disk while it is made and sent."""

_TAG = re.compile(r'"v(?P<version>[1-9][0-9]{0,15})-(?P<now>[0-9]{1,16})-(?P<digest>[0-9a-f]{32})"')
_RANGE = re.compile(r"bytes=(?:[0-9]{1,18}-[0-9]{0,18}|-[0-9]{1,18})")
"""One range of bytes."""


class Moment(NamedTuple):
    """The time of a file, in milliseconds since 1970, and the version of the game that it reaches."""

    now: int
    version: int


class _Made(NamedTuple):
    file: IO[bytes]
    size: int
    tag: str


Make = Callable[[Moment], Iterable[bytes]]


def download(media: str, version: int, make: Make) -> Response:
    """The answer with the file that `make` writes of a game at this version, or with the requested part."""
    made = _as_asked(version, make) or _made(Moment(now_ms(), version), make)
    response = Response(FileWrapper(made.file), content_type=media)
    response.call_on_close(made.file.close)
    response.content_length = made.size
    response.headers["ETag"] = made.tag
    response.make_conditional(_conditions(made.size), accept_ranges=True, complete_length=made.size)
    return response


def _as_asked(version: int, make: Make) -> _Made | None:
    """The file that a request resumes or compares; None if it cannot be made again.

    Anybody can write a tag. No file was made of a later version, or in the future.
    """
    known = _TAG.search(request.headers.get("If-Range") or request.headers.get("If-None-Match") or "")
    if not known or int(known["version"]) > version or int(known["now"]) > now_ms():
        return None
    made = _made(Moment(int(known["now"]), int(known["version"])), make)
    if made.tag == known[0]:
        return made
    made.file.close()
    return None


def _made(moment: Moment, make: Make) -> _Made:
    digest = sha256()
    with ExitStack() as unless_made:
        file = unless_made.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
        for piece in make(moment):
            file.write(piece)
            digest.update(piece)
        unless_made.pop_all()
    size = file.tell()
    file.seek(0)
    tag = f'"v{moment.version}-{moment.now}-{digest.hexdigest()[:32]}"'
    if size > IN_MEMORY:
        return _Made(file, size, tag)
    with file:
        return _Made(io.BytesIO(file.read()), size, tag)


def _conditions(size: int) -> dict[str, object]:
    """The range and conditions of a request. A HEAD has no range, and `If-Match` is for writes.

    A part that is beyond the end, or in a form that is not known, is left aside: the answer is the whole file. So it is
    for a weak tag, because only a strong one says that the bytes are the same (RFC 9110).
    """
    left_out = {"HTTP_IF_MATCH"}
    sent, weak = request.headers.get("Range", ""), request.headers.get("If-Range", "").startswith("W/")
    wanted = parse_range_header(sent) if request.method == "GET" and _RANGE.fullmatch(sent) and not weak else None
    if wanted is None or wanted.range_for_length(size) is None:
        left_out.add("HTTP_RANGE")
    return {name: value for name, value in request.environ.items() if name not in left_out}
