"""No English in Japanese: what people read is read through, and what nobody translated is found."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from games import transcript
from games.rulesets import SHIPPED
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from games.sketch import as_text
from service import languages
from service.api.rulebooks import examples
from service.drawing import pictures, sketches
from service.languages import plain, sentences
from service.languages.forms import PLACE
from service.languages.sentences import catalogs
from service.problems.early import encode_problem
from service.problems.kinds import KINDS, REFUSALS
from tests import goldens
from tests import languages as catalogues
from tests.cases import cases
from tests.english import english, visible_texts
from tests.languages import ROOT
from tests.plain import error_texts
from tests.service.api import test_bad_input as bad_input
from tests.service.conftest import DEAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

JA = {"Accept-Language": "ja"}


def page_paths(api: Api) -> Iterator[str]:
    """An address of every page that there is."""
    for name in SHIPPED:
        yield f"/rulesets/{name}"
    yield from (f"/problems/{name}" for name in KINDS)
    game = api.open(title="日曜", seats=[{"name": "愛子"}, {"name": "譲二"}])
    api.record(game, DEAL, "a-d")
    link, still = (api.post(f"/v1/games/{game}/links", body).get_json()["path"] for body in ({}, {"at": 2}))
    sheet = api.open(ruleset="scoresheet", options={"template": "azul"}, seats=[{"name": "愛子"}, {"name": "譲二"}])
    yield from (link, still, f"{link}/scoreboard")
    for each in (game, sheet):
        yield from (f"/games/{each}", f"/games/{each}/scoreboard")
    yield from (
        "/",
        "/draft",
        "/rulesets",
        "/rulesets/scoresheet/template",
        "/problems",
        "/device",
        "/login",
        "/access",
    )
    yield from ("/join", "/nowhere", "/authorize", f"/games/{uuid7()}", "/device?user_code=WDJB-MJHT")


@cache
def typed() -> re.Pattern[str]:
    """What is typed in English in every language: words of notations, and names of cards, lands and sheets."""
    content = [text for ruleset in SHIPPED.values() for each in examples(ruleset.notation_help) for text in each.texts]
    names = [term for ruleset in SHIPPED.values() for term in ruleset.terms if term[:1].isupper()]
    words = {word for text in (*content, *names, SHORTHAND) for word in re.findall("[A-Za-z]{3,}", text)}
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![A-Za-z])", re.IGNORECASE)


SHORTHAND = """bde bef bcd eri rvi eci toll null board deck fire water wind earth cost count points commerce
strength hand tournament trade brigands plenty event gain ore road left start strike win loss result
rulebook and or not true false none missing playing finished recorded played adjudicated abandoned ndjson text html
report name ruleset https scoring seafarer unreadable kahuna verraeter manapani scoresheet Black Knight the The
Swift"""
"""What the help of notations and of components gives as examples within its sentences."""
RULEBOOKS = re.compile("/(rulesets|games|draft)")
"""Pages with the help of a notation, or with the rules."""


@pytest.mark.slow
def test_no_page_has_english_in_japanese(api: Api) -> None:
    found: dict[str, list[str]] = {}
    for path in page_paths(api):
        answer = api.get(path, headers=JA | {"Accept": "text/html"})
        assert answer.mimetype == "text/html", path
        known = typed() if RULEBOOKS.match(path) else None
        if runs := [run for text in visible_texts(answer.text, "ja") for run in english(text, known)]:
            found[path] = runs
    assert found == {}


@pytest.mark.slow
def test_no_table_or_drawing_of_one_has_english_in_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "locale", lambda: "ja")
    for module in (pictures, sketches, sentences):
        monkeypatch.setattr(module, "locale", lambda: "ja")
    found = {}
    for ruleset in DRAWN:
        for name, game in list(goldens.games(ruleset).items())[::4]:
            *_, last = steps = list(transcript.replay(ruleset, game))
            for step in (steps[len(steps) // 3], last):
                seen = re.findall(">([^<]+)<", pictures.translated_picture(step.state))
                drawn = as_text(sketches.translated_sketch(step.state)).splitlines()
                if runs := [run for text in (*seen, *drawn) for run in english(text, LEVELS)]:
                    found[f"{ruleset.name}/{name}"] = runs
    assert found == {}


LEVELS = re.compile("o+")
"""How high a land is, in a drawing."""
DRAWN = [ruleset for ruleset in SHIPPED.values() if ruleset.name != "scoresheet"]
"""Rulesets with words of their own: a sheet shows the column names that somebody gave."""


@cases("name", sorted(READY))
def test_no_ready_sheet_has_english_in_japanese(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its tables and pictures; what is typed, in drawings for a terminal, too, are the ids of columns."""
    for module in (plain, pictures, sentences):
        monkeypatch.setattr(module, "locale", lambda: "ja")
    *_, last = transcript.replay(SCORESHEET, goldens.games(SCORESHEET)[name])
    template = last.state.template
    found = [sentences.translated_text(text, "ja", "scoresheet") for text in (template.about, template.checked) if text]
    for table in sentences.localized_state(last.state).tables():
        found += [
            sentences.translated_sentence(text, "ja", "scoresheet")
            for text in (table.caption, *table.columns, *chain(*table.rows))
        ]
    found += re.findall(">([^<]+)<", pictures.translated_picture(last.state))
    reasons = {word for given in last.state.credits for word in re.findall(r"\w+", given.reason)}
    typed = re.compile("|".join(sorted(reasons, key=len, reverse=True)) or "(?!)")
    assert [run for text in found for run in english(text, typed)] == []
    for column in sentences.localized_state(last.state).template.columns:
        assert len(column.labels) == len(template.by_id[column.id].labels), "two labels of one name"


@pytest.mark.parametrize("tag", [tag for tag in languages.locales() if tag != languages.ENGLISH])
def test_what_is_said_in_plain_english_is_known_again(tag: str) -> None:
    own = {ruleset.package: name for name, ruleset in SHIPPED.items()}
    books = [("", languages.catalog(tag)), *((own.get(each, ""), *catalogs(each, tag)) for each in catalogues.PACKAGES)]
    texts = [(ruleset, each.id, each.translation) for ruleset, book in books for each in book.messages if each.context]
    assert texts
    wrong = [
        (filled(text), told)
        for ruleset, text, said in texts
        if (told := plain.translated_to(tag, filled(text), ruleset)) != filled(said, PLACE.findall(text))
    ]
    assert wrong == []


def filled(text: str, names: list[str] | None = None) -> str:
    """A text with a number in every place: the `names` of places, or its own, have them in their order."""
    order = PLACE.findall(text) if names is None else names
    return PLACE.sub(lambda place: str(71 + order.index(place[1])), text)


LINES = (
    "?",
    "x",
    "1",
    "1 2 3 4 5 6 7 8 9",
    "BARI",
    "start",
    "start 9",
    "roll",
    "cast",
    "deal",
    "lay",
    "build",
    "p9 1",
    "-",
    "(",
)
"""What nobody types who knows a notation."""


def test_no_refusal_before_the_application_is_told_in_english_in_japanese() -> None:
    folders = (ROOT / "service/server/front", ROOT / "service/live")
    sources = [path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.glob("*.py"))]
    details = [detail for source in sources for detail in error_texts(source)]
    assert len(details) > 15
    for kind, detail in [*((kind, "71") for kind in REFUSALS), *((REFUSALS[0], filled(detail)) for detail in details)]:
        result = json.loads(encode_problem(kind, detail, "ja", 1, close=True).partition(b"\r\n\r\n")[2])
        assert [run for name in ("title", "detail", "advice") for run in english(result[name])] == [], result
        assert (
            json.loads(encode_problem(kind, detail, "en", 1, close=True).partition(b"\r\n\r\n")[2])["detail"] == detail
        )


def refused(api: Api) -> Iterator[TestResponse]:
    """The answers to requests that are each wrong in another way."""
    game = api.play()
    yield from (api.post("/v1/games", body, headers=JA) for body, *_ in bad_input.OPENINGS.values())
    yield from (api.post(f"/v1/games/{game}/events", body, headers=JA) for body, *_ in bad_input.ENTRIES.values())
    for body, media_type, _ in bad_input.BODIES.values():
        yield api.request("POST", f"/v1/games/{game}/events", data=body, content_type=media_type, headers=JA)
    yield from (api.get(path.format(game=game), headers=JA) for path, _ in bad_input.QUERIES)
    yield from (api.get(f"{path}?{name}={bad_input.HUGE[-1]}", headers=JA) for path, name in bad_input.NUMBERS)
    yield from (api.get(f"/v1/games?cursor={text}", headers=JA) for text in bad_input.CURSORS)
    for name in SHIPPED:
        opened = api.open(ruleset=name)
        yield from (api.record(opened, line, headers=JA) for line in LINES)
        ruling = {"id": str(uuid7()), "type": "ruling.given", "data": {"adjustments": "nothing x=1", "reason": "-"}}
        yield api.post(f"/v1/games/{opened}/events", {"events": [ruling]}, headers=JA)
    for path in (
        "/v1/nothing",
        "/v1/games/none",
        f"/v1/games/{game}?at=99",
        f"/v1/players/{uuid7()}",
        "/v1/templates/x",
    ):
        yield api.get(path, headers=JA)
    yield from (api.request(method, "/v1/rulesets", headers=JA) for method in ("DELETE", "POST"))
    yield api.get("/v1/games", headers=JA | {"Accept": "image/png"})
    yield api.record(game, "a-b", headers=JA | {"If-Match": "x"})
    yield api.record(game, "a-b", headers=JA | {"If-Match": '"v1"'})
    for correction in ("entry.withdrawn", "entry.replaced", "move.revealed", "ruling.revoked"):
        for target in (1, 2, 99):
            event = {"id": str(uuid7()), "type": correction, "data": {"entry": target, "move": "a-d"}}
            yield api.post(f"/v1/games/{game}/events", {"events": [event]}, headers=JA)
    for line in ("a-h", "-", "d-a"):
        api.record(game, line)
    dealt = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 2}}
    conflict = api.post(f"/v1/games/{game}/events", {"events": [dealt]}, headers=JA)
    assert len(conflict.get_json()["conflicts"]) > 1
    yield conflict
    for url in (
        "x",
        "http://example.com",
        "https://user:word@example.com",
        "https://example.com:99",
        "https://10.0.0.1",
    ):
        yield api.post("/v1/webhooks", {"url": url}, headers=JA | {"Idempotency-Key": f'"{uuid7()}"'})
    for text in (
        "",
        "x",
        '[Ruleset "kahuna"]',
        '[Ruleset "chess"]\n\n1',
        "[x]",
        '[Ruleset "kahuna"]\n\ndeal black ! "x',
    ):
        yield api.request("POST", "/v1/imports", data=text, content_type="text/plain", headers=JA)
    yield api.request("POST", "/v1/imports", data='{"x":1}\n', content_type="application/x-ndjson", headers=JA)
    api.token = "kifu_own_nonsense"
    yield api.get("/v1/games", headers=JA)
    api.token = None
    yield api.post("/v1/games", {}, headers=JA)


@pytest.mark.slow
def test_no_problem_is_told_in_english_in_japanese(api: Api) -> None:
    found, kinds = {}, set()
    for answer in refused(api):
        if answer.status_code < 400:
            continue  # some rulesets take it
        body = answer.get_json()
        kinds.add(body["type"])
        seen = [body[name] for name in ("title", "detail", "advice", "impossible") if body.get(name)]
        seen += [each["message"] for each in body.get("errors", [])] + [
            each["why"] for each in body.get("conflicts", [])
        ]
        seen = [re.sub(r"^[\w.\[\]]+: ", "", text) for text in seen]  # without the field
        if runs := [(run, text) for text in seen for run in english(text, typed())]:
            found[answer.request.path, body["type"]] = runs
    assert found == {}
    assert len(kinds) >= 15
