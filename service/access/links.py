"""Share links: an address that shows one game from one point of view to everybody who has it."""

from __future__ import annotations

import re
import secrets as chance
from typing import TYPE_CHECKING

from flask import g

from events.errors import GameUnknownError
from events.event import now_ms
from service.access import secrets
from service.access.principals import permissions_of_link
from service.current import current_request
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from service.access.gate import Gate
    from service.access.principals import Permissions
    from service.access.store import Link

HEADER = "Kifu-Share"
"""The header in which a page that was opened by a link names it."""

LENGTH = 22
"""Letters and digits of a link: 131 bits."""

_FORM = re.compile(rf"[0-9A-Za-z]{{{LENGTH}}}")


def make() -> str:
    """A new link: the part of its address after `/s/`."""
    return "".join(chance.choice(secrets.DIGITS) for _ in range(LENGTH))


def find(gate: Gate, text: str) -> Link:
    """The share link of a text. Raises `not-found` for an unknown or ended one, and `quota-exceeded`."""
    if _FORM.fullmatch(text):
        with gate.limit_guessing():
            found = gate.store.find_link(secrets.digest(text))
            if found is not None and found.is_valid(now_ms()):
                return found
            raise ProblemError("not-found", gettext("this link does not exist or no longer works"))
    raise ProblemError("not-found", gettext("this link does not exist or no longer works"))


def permissions_of_named_link(gate: Gate, game: str) -> Permissions | None:
    """The permissions of the share link in a request; None without a link.

    A link to one moment opens that moment only, and no route of the API. Raises `GameUnknownError`.
    """
    text = current_request().headers.get(HEADER)
    if text is None:
        return None
    try:
        found = find(gate, text)
    except ProblemError as error:
        if error.kind.name != "not-found":
            raise
        raise GameUnknownError(game) from None
    if found.game != game or found.at is not None:
        raise GameUnknownError(game)
    g.link = found
    return permissions_of_link(found)
