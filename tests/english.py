"""Finds English in texts of another language: words that are not names, code or notation."""

from __future__ import annotations

import re
from html.parser import HTMLParser

SPOKEN = frozenset({"aria-label", "alt", "placeholder", "title", "label"})
"""Attributes that people read or hear."""
CODE = frozenset({"code", "style", "script", "svg", "samp", "kbd", "bdi"})
"""Elements that hold code, a picture, or the input of a person."""
VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "source", "wbr"})
NAMES = re.compile(
    r"(?<![A-Za-z])(?:Kifu|kifu_…|Kahuna|API|JSON|UUID|URL|HTTPS?|QR|SHA-256|RFC|UTF-8|UTC|PNG|SVG|CSV|NDJSON|BGG|BoardGameGeek"
    r"|BG Stats|Redis|Valkey"
    r"|PostgreSQL|SQLite|OpenSkill|iPhone|iPad|Android|Windows|macOS|Linux|Firefox|Chrome|Safari|Python|ASCII|OAuth"
    r"|Bearer|Authorization|Accept|Retry-After|Content-Type|Host|Allow|ETag|If-Match|Idempotency-Key|English|Ed25519"
    r"|Base64|Wi-Fi|MIT|JavaScript|Merkle|Transfer-Encoding|Content-Length|chunked)(?![A-Za-z])"
)
"""Names of things and people, and words of protocols, which are the same in all languages."""
CODED = re.compile(
    r"`[^`]*`|(?<![\w/])[\w-]+/[\w.+-]+|\"[^\"]*\"|'[^']*'|https?://\S+|(?<![\w.])/[\w./{}<>?=&-]+|--[\w-]+|\b\w+[._]\w[\w.]*|\b[\w-]*\d[\w-]*\b|#[\w-]+"
)
"""Code by its form: text in backticks or quotes, paths, options, file names, ids, digests."""
WORDS = re.compile(r"(?<![\w-])[A-Za-z][a-z]{2,}(?:[ ,’'-]+[A-Za-z]+)*")


def english(text: str, known: re.Pattern[str] | None = None) -> list[str]:
    """The runs of English words in a text. The `known` ones count as names."""
    rest = NAMES.sub("", CODED.sub("", text))
    return WORDS.findall(known.sub("", rest) if known else rest)


class VisibleTexts(HTMLParser):
    """Collects the texts of a page in its own language, and the attributes that people read or hear."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language, self.said = language, list[str]()
        self._hushed: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        other = given.get("lang", self.language) != self.language and tag != "html"
        hushed = other or tag in CODE or any(self._hushed[-1:])
        if not hushed:
            self.said += [value for name, value in attrs if name in SPOKEN and value]
        if tag not in VOID:
            self._hushed.append(hushed)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self._hushed:
            self._hushed.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._hushed[-1:]):
            self.said.append(data.strip())


def visible_texts(html: str, language: str) -> list[str]:
    """The texts of a page in its language."""
    page = VisibleTexts(language)
    page.feed(html)
    page.close()
    return [text for text in page.said if text]
