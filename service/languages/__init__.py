"""Languages: the language of an answer, and the translations of texts.

The words in the code are English, and are the ids of the messages. Every other language is one file, the folder's
`<locale>/LC_MESSAGES/kifu.po`, which is read when it is first asked for. The front speaks as well, and has no Flask.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service.languages import cldr
from service.languages.po import Catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from flask import Flask
    from werkzeug import Request as AnyRequest

FOLDER = Path(__file__).parent
ENGLISH = "en"
UNSPACED = frozenset({"ja"})
"""Languages that have no blanks between words and sentences."""
COOKIE = "kifu_language"
"""Keeps the language that somebody chose. It goes before the browser's preference."""

_TERMINAL = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the environment says which language messages are in, the first that says anything."""
_language = ContextVar("spoken", default=ENGLISH)
DEPENDS_ON = ("Accept-Language", "Cookie")
"""The headers of a request that say in which language it is answered."""


@cache
def locales() -> tuple[str, ...]:
    """The available languages, as tags of BCP 47; English first."""
    found = sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/kifu.po"))
    return (ENGLISH, *(name.replace("_", "-") for name in found))


def locale_of(request: AnyRequest) -> str:
    """The language of the answer to a request, as a tag: the named one, the chosen one, or the preferred one.

    It is named by `?lang=`, was chosen with the switch of the pages, which a cookie keeps, or is preferred as
    `Accept-Language` says; else it is English.
    """
    environ = request.environ
    asked = request.args.get("lang") if environ.get("QUERY_STRING") else None
    kept = request.cookies.get(COOKIE) if "HTTP_COOKIE" in environ else None
    return negotiate((asked, kept), environ.get("HTTP_ACCEPT_LANGUAGE", ""))


@lru_cache(maxsize=1024)
def negotiate(named: tuple[str | None, ...], accepted: str) -> str:
    """The first available language among the `named` ones, or the one that `Accept-Language` prefers."""
    for tag in named:
        if tag in locales():
            return tag
    weighed = sorted(map(_language_weight, accepted.split(",")), key=lambda each: each[1], reverse=True)
    preferred = [tag for tag, quality in weighed if quality > 0]
    return _best(preferred)


def _best(preferred: Iterable[str]) -> str:
    """The first available language or parent language: Japanese for `ja-JP`. English if there is none."""
    known = {tag.lower(): tag for tag in locales()}
    tags = (name for tag in preferred for name in (tag.lower(), tag.lower().partition("-")[0]))
    return next((known[name] for name in tags if name in known), ENGLISH)


def _language_weight(language: str) -> tuple[str, float]:
    """A language of `Accept-Language` and its weight: 0 if that is not a number."""
    tag, _, quality = language.partition(";")
    quality_match = re.fullmatch(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", quality) if quality else None
    return tag.strip(), float(quality_match[1]) if quality_match else float(not quality)


def locale() -> str:
    """The language of the current request, noted for its answer; or that of the command line."""
    flask: Any = sys.modules.get("flask")  # not imported: a page asks hundreds of times
    if not hasattr(flask, "request"):  # while click is loaded and its words are translated
        return _language.get()
    answered = flask.globals._cv_request.get(None)  # see `service.current`, which imports flask
    if answered is None:
        return _language.get()
    answering = vars(flask.globals._cv_app.get().g)
    if "locale" not in answering:
        answering["locale"] = locale_of(answered.request)
    return str(answering["locale"])


def set_language(tag: str) -> None:
    """Set the language of this program outside of requests."""
    _language.set(tag)


def locale_of_terminal(environment: Mapping[str, str]) -> str:
    """The language of a terminal, as a tag; English for an unset or unavailable one."""
    setting = next(filter(None, map(environment.get, _TERMINAL)), "")
    tag = setting.partition(".")[0].partition("@")[0].replace("_", "-")
    return _best([tag])


def path_of(tag: str) -> Path:
    """The file of a language's words."""
    return FOLDER / tag.replace("-", "_") / "LC_MESSAGES" / "kifu.po"


@cache
def catalog(tag: str) -> Catalog:
    """The catalogue of a language, with the places of texts in the code. English has none."""
    return Catalog(path_of(tag).read_text(encoding="utf-8")) if tag != ENGLISH else Catalog("")


@cache
def excerpt(tag: str, files: frozenset[str]) -> Catalog:
    """The part of a catalogue for some files or folders. It is quick: the rest is not read."""
    head, *messages = path_of(tag).read_text(encoding="utf-8").split("\n\n")
    wanted = (each for each in messages if any(f" {file}" in each.partition("\nmsg")[0] for file in files))
    return Catalog("\n\n".join((head, *wanted)))


def gettext_noop(text: str) -> str:
    """Mark an English text for the catalogues. It is translated where it is used."""
    return text


def gettext(text: str, /, **values: object) -> str:
    """An English text in the current language, with `values` in the places `%(name)s`."""
    found = catalog(locale()).gettext(text) if text else ""  # a catalogue has its head under the empty text
    return found % values if values else found


def ngettext(one: str, more: str, count: int, /, **values: object) -> str:
    """The plural form of a text for a number, which is the value `count`, in the current language."""
    return catalog(locale()).ngettext(one, more, count) % {"count": count, **values}


def localized(names: Any) -> str:
    """The name in the current language, from names in several languages; the English one without it."""
    return str(getattr(names, locale(), None) or names.en)


def join_names(items: Sequence[str]) -> str:
    """Names as a list in the current language: "Anna, Ben and Chiara"."""
    *others, last = items or ("",)
    return gettext("%(names)s and %(name)s", names=commas(others), name=last) if others else last


def isolated(name: str) -> str:
    """A name in a plain text: one that is read from the right turns nothing that stands beside it."""
    reads_from_the_right = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if reads_from_the_right else name


def commas(items: Iterable[str]) -> str:
    """Items separated by the comma of the current language."""
    return gettext(", ").join(items)


def paragraph(sentences: Iterable[str]) -> str:
    """Sentences as one paragraph, with blanks between them if the language has blanks."""
    return ("" if locale() in UNSPACED else " ").join(sentences)


def language_name(tag: str) -> str:
    """The name of a language in itself."""
    return cldr.language(tag).name


def install(app: Flask) -> None:
    """Make the templates of `app` use the language of the request."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.globals |= {"locale": locale, "locales": locales}
    app.jinja_env.filters |= {
        "localized": localized,
        "commas": commas,
        "language_name": language_name,
    }
