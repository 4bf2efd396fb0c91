"""Rulesets, components, templates, and what can be played."""

from __future__ import annotations

from typing import Any

import msgspec

from games.contract import Option, Title
from games.rulebook import Rule
from games.scoresheet.template import Source


class RulesetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset, for lists."""

    name: str
    title: Title
    revision: int
    min_seats: int
    max_seats: int
    options: list[Option]


class AdjustmentInfo(msgspec.Struct, frozen=True):
    """Something that a ruling can change: its name, what it does, and a JSON Schema of its fields.

    A field with `x-seat` names a seat.
    """

    name: str
    help: str
    schema: dict[str, Any]


class RulesetDetail(RulesetSummary, frozen=True, kw_only=True):
    """A ruleset with everything that an entry screen needs; `moves` is a JSON Schema of its moves.

    `components_help` says how to enter a box; it is empty if all boxes are the same. `terms` maps English
    names in small letters, the longest first, to names in the language of the answer. `{}` stands for a number, and
    `{0}` for it in the translation. It is empty in English.
    """

    changes: list[str]
    seat_names: list[Title]
    endings: list[str]
    notation_help: str
    components_help: str
    rules: list[Rule]
    effects: dict[str, str]
    terms: dict[str, str]
    moves: dict[str, Any]
    adjustments: list[AdjustmentInfo]


class RulesetList(msgspec.Struct, frozen=True):
    """Every ruleset that this service knows."""

    rulesets: list[RulesetSummary]


class SchemaInfo(msgspec.Struct, frozen=True):
    """A JSON Schema: its name, what it describes, and its path."""

    name: str
    describes: str
    path: str


class SchemaList(msgspec.Struct, frozen=True):
    """Every JSON Schema of exported records."""

    schemas: list[SchemaInfo]


class ComponentsInfo(msgspec.Struct, frozen=True):
    """The components of a box, under a name. `invented` ones are made up for trying out; nobody entered them.

    These, and those of a dry run, have no time of creation.
    """

    ruleset: str
    name: str
    data: dict[str, Any]
    created_at: str | None
    invented: bool


class ComponentsList(msgspec.Struct, frozen=True):
    """Components of a ruleset, by name."""

    components: list[ComponentsInfo]


class TemplateInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The name and the description of a score sheet's template.

    `name` is what a game is opened with: the option `template`, or `components_name` for one that is `kept` here. At
    `path` lies the template. `sources` are the public rules that it was held against, and `checked` says more about
    that. `options` can be added to the name of a ready one: `spades+minus`.
    """

    name: str
    kept: bool
    title: str
    ja: str | None
    aliases: list[str]
    about: str | None
    checked: str | None
    sources: list[Source]
    options: list[TemplateChoice]
    columns: int
    path: str


class TemplateChoice(msgspec.Struct, frozen=True):
    """A house rule or an expansion of a template: the addition to the template's name, and its own name.

    At most one of a `group` is chosen.
    """

    id: str
    title: Title
    group: str | None = None


class TemplateList(msgspec.Struct, frozen=True):
    """Templates that were found, the best first, and how many there are in all."""

    templates: list[TemplateInfo]
    found: int


class Playable(msgspec.Struct, frozen=True):
    """Something to play, and how to open it: a ruleset, and for a score sheet its `template` or its `components`.

    `fits` is `name`, or `near` for a similar name, or `any` for the sheet that fits any game. `played_at` is when it
    was last played, as far as the caller sees games.
    """

    title: Title
    ruleset: str
    template: str | None
    components: str | None
    fits: str
    played_at: str | None


class PlayableList(msgspec.Struct, frozen=True):
    """Things to play, the best match first, and their number in all."""

    playable: list[Playable]
    found: int


class TemplateData(msgspec.Struct, frozen=True):
    """A ready template, as it is embedded into a game."""

    name: str
    data: dict[str, Any]
