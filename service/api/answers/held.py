"""What is held about a person."""

from __future__ import annotations

from typing import Any

import msgspec

from service.api.answers.people import MergeInfo


class PersonData(msgspec.Struct, frozen=True, kw_only=True):
    """What is held about a person with these `ids`. `names` are those that were entered for each id.

    `roles` say what the person may do, in a game or on the service. `access` are sessions, devices and tokens, and
    `trail` the lines by or about the person.
    """

    person: str
    ids: list[str]
    names: dict[str, str]
    merged: list[MergeInfo]
    listed: bool
    games: list[dict[str, Any]]
    clubs: list[dict[str, Any]]
    tournaments: list[dict[str, Any]]
    seasons: list[dict[str, Any]]
    roles: list[dict[str, Any]]
    access: list[dict[str, Any]]
    webhooks: list[dict[str, Any]]
    trail: list[dict[str, Any]]
