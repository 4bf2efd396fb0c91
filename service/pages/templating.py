"""What templates have at hand: what every page shows, filters, and tests."""

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
from projections.catalogue import find_game
from service import __version__
from service.access.gate import browser_tag, current_principal
from service.access.names import OWNER
from service.api.endpoints import context
from service.api.routes.games import believed
from service.api.rulebooks import inline
from service.languages import cldr, gettext, locale, localized
from service.languages.plain import translated
from service.languages.sentences import said_in, translated_text, words
from service.pages import assets, fields
from service.pages.blueprint import PERSON
from service.pages.event_types import event_types

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask

    from games.contract import Option, Ruleset
    from projections.catalogue import Listed
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
"""How many characters the fields of pages take."""


def _surroundings() -> dict[str, Any]:
    who = g.get("principal")
    known = {"known": who is not None, "may": who.service if who else frozenset(), "acts": False}
    more = {"stale_token": g.get("stale_token", False), "limits": FIELDS, "back": _back()}
    return known | more | {"release": __version__, "pages": assets.digest(), "event_types": event_types}


def _person_tag() -> str:
    """The tag of the person that a page is made for; nothing for a stranger."""
    return browser_tag(g.get("principal"))


def _person_field() -> Markup:
    """The field of a form that says for whom its page was made."""
    tag = _person_tag()
    return Markup('<input type="hidden" name="{}" value="{}">').format(PERSON, tag) if tag else Markup()


class FormsOfPerson(Extension):
    """Each form that is sent says for whom its page was made: somebody else may have logged in since."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  of Jinja
        """Put the field into each form that is posted."""
        return _POSTED.sub(r"\g<0>{{ person_field() }}", source)


def _back() -> str:
    """The address of this page, without the language in which it was asked for."""
    asked = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    return f"{quote(request.path)}?{asked}" if asked else quote(request.path)


def _short_rule(rule: str) -> str:
    """`kahuna:CTRL-2` as `CTRL-2`."""
    return rule.partition(":")[2]


def _ruleset_text(text: str, ruleset: Ruleset) -> str:
    """A text that a ruleset wrote for people in the reader's language."""
    return translated_text(text, locale(), ruleset.name)


def played(game: Listed | GameListed) -> str:
    """What was played, in the reader's language: a score sheet goes by the name of its game."""
    ruleset = RULESETS.get(game.ruleset)
    return localized(game.game_name or ruleset.title) if ruleset else game.ruleset


def called_games(games: Iterable[str]) -> dict[str, str]:
    """What games are called: what was played, their titles, and when."""
    found = believed(lambda db: {game: find_game(db, game) for game in games})
    return {
        game: " · ".join(filter(None, (played(listed), listed.title, listed.day))) if listed else gettext("Game")
        for game, listed in found.items()
    }


def _choice_name(option: Option, choice: bool | int | str) -> str:
    """What a choice of an option is called in the reader's language; a ready sheet goes by its own name."""
    base, added = option.parts(choice)
    if option.name == "template" and base in READY:
        sheet = read_template(READY[str(base)]).called(locale(), words(locale(), SCORESHEET.name)).name
        return " + ".join([sheet, *(localized(option.additions[str(base)][word]) for word in added)])
    return gettext(option.choice_name(choice))


def _ranked(game: GameListed) -> list[SeatInfo]:
    """The seats of a listed game, those first that came first."""
    return sorted(game.seats, key=lambda seat: game.ranks[seat.seat]) if game.ranks else game.seats


def _moment(timestamp: str) -> str:
    """A time of the API's form as the reader's language has it; the page's script turns it into their own time."""
    time = datetime.fromisoformat(timestamp)
    return f"{cldr.language(locale()).day(time)} {time:%H:%M} UTC"


def _size(count: int) -> str:
    """A number of bytes for people: `812 B`, `41 kB`, `1.3 MB`."""
    units = ("B", "kB", "MB", "GB")
    power = min(len(units) - 1, max(0, len(str(count)) - 1) // 3)
    amount = count / 1000**power
    written = f"{amount:,.1f}".removesuffix(".0") if amount < 10 else f"{amount:,.0f}"
    return f"{cldr.language(locale()).number(written)} {units[power]}"


def _inlined_script(script: str) -> str:
    """A script to stand in a page, in the reader's language."""
    return assets.inlined(script, locale())


def _inlined_style(name: str) -> str:
    """A style to stand in a page."""
    return assets.content(f"{name}.css").decode()


def _digest(content: str) -> str:
    """What a policy names a script or a style by that stands in the page."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def person_name(player: str, name: str | None) -> str:
    """How a page calls a person. Those who may list people read of the owner without a name that it is the owner."""
    who = current_principal()
    lists = who is not None and "people:read" in who.service
    return name or gettext(OWNER if lists and player == context().access.owner else "somebody")


def install(app: Flask) -> None:
    """Give all this to the templates of `app`."""
    app.context_processor(_surroundings)
    app.jinja_env.add_extension(FormsOfPerson)
    app.jinja_env.filters |= {
        "inline_markdown": inline,
        "translated": translated,
        "said_in": said_in,
        "short_rule": _short_rule,
        "ruleset_text": _ruleset_text,
        "choice_name": _choice_name,
        "ranked": _ranked,
        "played": played,
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
