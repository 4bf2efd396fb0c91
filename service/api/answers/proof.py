"""Proof: entries in the tree, and the trail of access."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class EntryProof(msgspec.Struct, frozen=True, kw_only=True):
    """The proof that an entry is in the tree over the log: at `index`, in the tree of `size` with this `root`.

    `proof` are the hashes beside its way up, from the leaf on (RFC 9162); `checkpoint` is the signed note that says so.
    """

    game: str
    version: int
    hash: str
    index: int
    size: int
    root: str
    proof: list[str]
    checkpoint: str


class Consistency(msgspec.Struct, frozen=True, rename={"older": "from", "newer": "to"}):
    """The proof (RFC 9162) that the tree of `to` entries begins with the tree of `from` entries."""

    older: int
    newer: int
    proof: list[str]


class TrailEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the trail: who did what, when, and to whom or with what."""

    number: int
    at: str
    by: str
    what: str
    person: str | None = None
    game: str | None = None
    credential: str | None = None
    more: Mapping[str, Any] = {}


class Trail(msgspec.Struct, frozen=True):
    """The trail, the oldest first, the names of those in it, and the `after` of the next page."""

    steps: list[TrailEntry]
    people: dict[str, str]
    next: int | None
