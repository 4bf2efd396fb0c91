"""The headers of an answer, read once; and `Vary`, which names the request headers that it depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from werkzeug.datastructures import Headers


def by_name(headers: Headers) -> dict[str, str]:
    """The headers by their names in lower case. `Headers` goes through all of them for each question."""
    return {name.lower(): value for name, value in headers}


def vary(headers: Headers, *names: str) -> None:
    """Add request headers to the `Vary` of an answer.

    Flask's `Response.vary` does the same, and reads and writes the whole header for each name.
    """
    before = by_name(headers).get("vary")
    if before is None:
        headers.add("Vary", ", ".join(names))
        return
    known = before.lower()
    missing = [name for name in names if name.lower() not in known]
    if missing:
        headers["Vary"] = ", ".join([before, *missing])
