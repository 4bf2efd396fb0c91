"""Scopes and roles: what can be allowed, and the usual sets of it."""

from __future__ import annotations

SCOPES: dict[str, str] = {
    "games:read": "see games, as far as everybody at the table could",
    "games:open": "open games, and forks of them",
    "games:record": "record what happens, and correct what one recorded oneself",
    "games:correct": "correct what others recorded",
    "games:rule": "give rulings and revoke them, and move games on to newer rules",
    "games:close": "close records and reopen them",
    "games:erase": "erase texts, and what entries hide, for good",
    "games:share": "say who may see a game and what they may do there",
    "analyses:run": "have games analysed, as far as one may see them",
    "seats:read": "see games from your own seats, with what is hidden from others, such as your hand",
    "hidden:read": "see whole records, with what was hidden at the table",
    "exports:read": "take records along, as far as one may see them",
    "imports:write": "bring in records from elsewhere",
    "people:read": "see who the people are",
    "people:write": "name people, say who was entered twice, and erase their names",
    "components:write": "keep what was entered of boxes",
    "tree:read": "see the tree over the log, and ask it for proofs",
    "webhooks:write": "have other programs told what happens in games that one sees",
    "tokens:write": "make tokens that may do no more than oneself, and revoke them",
    "admin": "say what everybody else may do, and see how the service is",
}
"""Everything that can be allowed."""

Scopes = frozenset[str]

HIDDEN, SEATS = "hidden:read", "seats:read"
"""The scopes of what not everybody at the table sees: all of it, and what one sees from one's own seats."""

EVERYTHING: Scopes = frozenset(SCOPES)

VIEWER: Scopes = frozenset({"games:read", "exports:read", "tokens:write"})
RECORDER: Scopes = VIEWER | {
    "games:open",
    "games:record",
    "analyses:run",
    "hidden:read",
    "people:read",
    "components:write",
    "webhooks:write",
}
REFEREE: Scopes = RECORDER | {"games:correct", "games:rule", "games:close"}

ROLES: dict[str, Scopes] = {"viewer": VIEWER, "recorder": RECORDER, "referee": REFEREE, "owner": EVERYTHING}
"""What a role allows, on the service or on one game; each role all that the one before it does.

Whoever records for a table is told what its rules make of hidden cards, so a recorder sees the whole record.
"""

PLAYER: Scopes = frozenset({"games:read", "games:record", "analyses:run", "seats:read", "exports:read"})
"""What sitting in a seat allows: the game as it is seen from there, and what one does oneself."""

OF_A_SEAT: Scopes = frozenset({SEATS})
"""What it takes to see a game from one's own seat, and not only as everybody does."""

PUBLIC: Scopes = frozenset({"games:read", "exports:read"})
"""What everybody may do with a game that is open to them."""

OF_A_GAME: Scopes = frozenset(
    {
        "games:read",
        "games:record",
        "games:correct",
        "games:rule",
        "games:close",
        "games:erase",
        "games:share",
        "analyses:run",
        "seats:read",
        "hidden:read",
        "exports:read",
    }
)
"""What can be allowed on one game. All others concern the service as a whole."""


def meanings(scopes: Scopes) -> dict[str, str]:
    """Scopes with what they mean, in their order."""
    return {name: what for name, what in SCOPES.items() if name in scopes}
