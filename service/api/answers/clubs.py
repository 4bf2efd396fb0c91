"""Clubs."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class ClubMember(msgspec.Struct, frozen=True):
    """A member of a club. The name is null if it was erased."""

    player: str
    name: str | None
    role: Literal["member", "organiser"]


class HouseRules(msgspec.Struct, frozen=True):
    """How a club plays a ruleset."""

    ruleset: str
    options: dict[str, Any]
    text: str


class ClubListed(msgspec.Struct, frozen=True, kw_only=True):
    """A club in the list of clubs. A `member` is one of its people."""

    club: str
    name: str
    description: str
    public: bool
    members: int
    member: bool
    founded_at: str
    version: int


class ClubList(msgspec.Struct, frozen=True):
    """Clubs, by name."""

    clubs: list[ClubListed]


class ClubInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A club as it is now. `games` are those that you may see; `organises` says whether you may change it."""

    club: str
    name: str
    description: str
    public: bool
    founded_at: str
    version: int
    members: list[ClubMember]
    rules: list[HouseRules]
    games: list[str]
    organises: bool


class ClubEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a club, tournament or season. One that does not `count` was withdrawn."""

    version: int
    id: str
    type: str
    data: dict[str, Any]
    recorded_at: str
    hash: str
    counts: bool


class ClubHistory(msgspec.Struct, frozen=True):
    """The entries of a club, tournament or season, the oldest first, and the names of people in them."""

    entries: list[ClubEntry]
    names: dict[str, str]
