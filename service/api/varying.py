"""The `Vary` header: what of a request an answer depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from werkzeug.datastructures import Headers


def vary(headers: Headers, *names: str) -> None:
    """Say that an answer depends on these headers of its request, too.

    Flask's `Response.vary` does the same, and reads and writes the whole header for each name.
    """
    before = headers.get("Vary")
    if before is None:
        headers.add("Vary", ", ".join(names))
        return
    known = before.lower()
    missing = [name for name in names if name.lower() not in known]
    if missing:
        headers["Vary"] = ", ".join([before, *missing])
