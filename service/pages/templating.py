"""Values, filters and tests for all templates."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from flask import g, request
from jinja2.ext import Extension
from markupsafe import Markup

from events import limits
from games.contract import is_long_run
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET, formulas, template
from games.scoresheet.reading import read_template
from games.scoresheet.ready import READY
from projections.catalogue.lookups import find_game
from service import __version__
from service.access.gate import browser_tag, current_principal
from service.access.names import OWNER
from service.api.endpoints import context
from service.api.routes.games import read_lists
from service.api.rulebooks import inline
from service.languages import cldr, gettext, locale, localized
from service.languages.plain import translated
from service.languages.sentences import localized_sentence, translated_text, words
from service.pages import assets, fields
from service.pages.blueprint import PERSON
from service.pages.event_types import event_types

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask

    from games.contract import Option, Ruleset
    from projections.catalogue.rows import Listed
    from service.api.answers.games import GameListed, SeatInfo

_POSTED = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>')

FIELDS = {
    "line": limits.LINE,
    "text": limits.TEXT,
    "reason": limits.REASON,
    "name": limits.NAME,
    "id": template.ID,
    "label": template.LABEL,
    "about": template.TEXT,
    "word": template.WORD,
    "formula": formulas.LENGTH_LIMIT,
}
"""The most characters of fields in pages."""


def _page_context() -> dict[str, Any]:
    who = g.get("principal")
    known = {"known": who is not None, "may": who.service if who else frozenset(), "acts": False}
    more = {"stale_token": g.get("stale_token", False), "limits": FIELDS, "back": _back()}
    return known | more | {"release": __version__, "pages": assets.digest(), "event_types": event_types}


def _person_tag() -> str:
    """The tag of the person that a page is made for; empty for a stranger."""
    return browser_tag(g.get("principal"))


def _person_field() -> Markup:
    """The hidden field with the tag of the person that a page is made for."""
    tag = _person_tag()
    return Markup('<input type="hidden" name="{}" value="{}">').format(PERSON, tag) if tag else Markup()


class FormsOfPerson(Extension):
    """Adds the person's tag to every form: another person may have logged in when it is sent."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  of Jinja
        """Add the tag to every form with the method POST."""
        return _POSTED.sub(r"\g<0>{{ person_field() }}", source)


def _back() -> str:
    """The address of this page, without its language parameter."""
    asked = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    return f"{quote(request.path)}?{asked}" if asked else quote(request.path)


def _short_rule(rule: str) -> str:
    """`kahuna:CTRL-2` as `CTRL-2`."""
    return rule.partition(":")[2]


def _ruleset_text(text: str, ruleset: Ruleset) -> str:
    """Translate a text of a ruleset."""
    return translated_text(text, locale(), ruleset.name)


def name_of_play(game: Listed | GameListed) -> str:
    """The name of a game, translated: a score sheet has the name of its game."""
    ruleset = RULESETS.get(game.ruleset)
    return localized(game.game_name or ruleset.title) if ruleset else game.ruleset


def called_games(games: Iterable[str]) -> dict[str, str]:
    """The names of games: what was played, their titles, and the day."""
    found = read_lists(lambda db: {game: find_game(db, game) for game in games})
    return {
        game: " · ".join(filter(None, (name_of_play(listed), listed.title, listed.day))) if listed else gettext("Game")
        for game, listed in found.items()
    }


def _choice_name(option: Option, choice: bool | int | str) -> str:
    """The translated name of an option's choice; a ready sheet has its own name."""
    base, added = option.parts(choice)
    if option.name == "template" and base in READY:
        sheet = read_template(READY[str(base)]).in_language(locale(), words(locale(), SCORESHEET.name)).name
        return " + ".join([sheet, *(localized(option.additions[str(base)][word]) for word in added)])
    return gettext(option.choice_name(choice))


def _ranked(game: GameListed) -> list[SeatInfo]:
    """The seats of a listed game, ordered by rank."""
    return sorted(game.seats, key=lambda seat: game.ranks[seat.seat]) if game.ranks else game.seats


def _moment(timestamp: str) -> str:
    """A timestamp of the API in the reader's language. The page's script converts it to local time."""
    time = datetime.fromisoformat(timestamp)
    return f"{cldr.language(locale()).day(time)} {time:%H:%M} UTC"


def _size(count: int) -> str:
    """A size in bytes in words: `812 B`, `41 kB`, `1.3 MB`."""
    units = ("B", "kB", "MB", "GB")
    power = min(len(units) - 1, max(0, len(str(count)) - 1) // 3)
    amount = count / 1000**power
    written = f"{amount:,.1f}".removesuffix(".0") if amount < 10 else f"{amount:,.0f}"
    return f"{cldr.language(locale()).number(written)} {units[power]}"


def _inlined_script(script: str) -> str:
    """An inline script, in the reader's language."""
    return assets.inlined(script, locale())


def _inlined_style(name: str) -> str:
    """An inline style."""
    return assets.content(f"{name}.css").decode()


def _digest(content: str) -> str:
    """The hash of an inline script or style, for the content security policy."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def person_name(player: str, name: str | None) -> str:
    """The name of a person on pages. An owner without a name is shown as the owner to those who may list people."""
    who = current_principal()
    lists = who is not None and "people:read" in who.service
    return name or gettext(OWNER if lists and player == context().access.owner else "somebody")


def install(app: Flask) -> None:
    """Add the values, filters and tests to the templates of `app`."""
    app.context_processor(_page_context)
    app.jinja_env.add_extension(FormsOfPerson)
    app.jinja_env.filters |= {
        "inline_markdown": inline,
        "translated": translated,
        "said_in": localized_sentence,
        "short_rule": _short_rule,
        "ruleset_text": _ruleset_text,
        "choice_name": _choice_name,
        "ranked": _ranked,
        "played": name_of_play,
        "moment": _moment,
        "size": _size,
        "digest": _digest,
    }
    app.jinja_env.globals |= {
        "field_label": fields.label,
        "refusal": fields.reason,
        "inlined_script": _inlined_script,
        "inlined_style": _inlined_style,
        "person_field": _person_field,
        "person_tag": _person_tag,
        "person_name": person_name,
    }
    app.jinja_env.tests["long_run"] = is_long_run
