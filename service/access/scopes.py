"""Scopes (what can be allowed) and roles (the usual sets of scopes)."""

from __future__ import annotations

SCOPES: dict[str, str] = {
    "games:read": "see games as the public at the table sees them",
    "games:open": "open games, and forks of them",
    "games:record": "record moves, and correct your own entries",
    "games:correct": "correct entries of others",
    "games:rule": "give rulings and revoke them, and move games on to newer rules",
    "games:close": "close records and reopen them",
    "games:erase": "erase texts and hidden facts for good",
    "games:share": "share games, and give roles in them",
    "analyses:run": "analyse games that you may see",
    "seats:read": "see games from your own seats, with what is hidden from others, such as your hand",
    "hidden:read": "see whole records, with all hidden cards",
    "exports:read": "export records that you may see",
    "imports:write": "import records",
    "people:read": "see names of people",
    "people:write": "name people, merge them, and erase names",
    "components:write": "edit components",
    "tree:read": "read the tree over the log, and get proofs",
    "webhooks:write": "send webhooks about games that you may see",
    "tokens:write": "make and revoke tokens with your own rights or fewer",
    "admin": "administer roles, and see the state of the service",
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

A recorder gets answers that depend on hidden cards, so a recorder sees the whole record.
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
    """Scopes with their meanings, in order."""
    return {name: what for name, what in SCOPES.items() if name in scopes}
