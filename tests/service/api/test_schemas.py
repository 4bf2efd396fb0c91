"""The JSON Schemas of records: independent validators take every export by them, and nothing that is none."""

from __future__ import annotations

import io
import json
import random
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from events import seals
from events.ndjson import parse_event
from games.rulesets import SHIPPED
from service.cli.proof.records import prove_records
from service.exchange import schemas
from tests import goldens, tiers
from tests import schemas as written
from tests.cases import cases
from tests.service.exchange.test_hostile_imports import forged
from tests.service.exchange.test_transfers import bring, export

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "vectors").glob("game.*.ndjson")), *sorted((ROOT / "golden" / "events").glob("*.ndjson"))]
NAMES = [name for name, _ in schemas.described()]
WORDS = {"move": "move", "adjustments": "adjustment"}
"""The fields in the words of a ruleset, and which schema those have."""


@cache
def validator(name: str) -> Any:
    return jsonschema_rs.Draft202012Validator(schemas.schema(name))


HEADER, ENTRY, DATA = map(validator, ("header", "entry", "data"))


def lines(content: bytes) -> list[bytes]:
    return content.removesuffix(b"\n").split(b"\n")


@cases("path", FILES, ids=lambda path: path.stem)
def test_every_line_of_an_export_has_its_schema(path: Path) -> None:
    """From the record, from seats and from the public, sealed, erased, signed, and of every older schema."""
    first, *rest = lines(path.read_bytes())
    HEADER.validate(json.loads(first))
    for line in rest:
        ENTRY.validate(json.loads(line))


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.slow
def test_recorded_games_of_each_ruleset_have_the_schemas(api: Api, name: str) -> None:
    for path in goldens.sample_of(name, 6):
        game = bring(api, path.read_text(encoding="utf-8"), "text/plain").get_json()["game"]
        first, *rest = lines(export(api, game))
        HEADER.validate(json.loads(first))
        for line in rest:
            ENTRY.validate(json.loads(line))
            check_whole(line, name)


def check_whole(line: bytes, ruleset: str) -> None:
    event = parse_event(line)
    data = json.loads(seals.opened_data(event.body, event.sealed))
    DATA.validate({"type": event.type, "data": data})
    for field, kind in WORDS.items():
        given = data.get(field, [])
        for word in given if isinstance(given, list) else [given]:
            validator(f"{kind}-{ruleset}").validate(word)


@cases("field", ["game", "version", "id", "type", "recorded_at", "data", "prev", "hash"])
def test_an_entry_without_a_field_or_with_another_kind_of_value_is_none(field: str) -> None:
    entry = json.loads(lines(FILES[0].read_bytes())[1])
    assert ENTRY.is_valid(entry)
    for wrong in (None, [], True, "\n", -1):
        assert not ENTRY.is_valid({**entry, field: wrong})
    del entry[field]
    assert not ENTRY.is_valid(entry)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("recorder", ("\x00", "a\nb", "x" * 201)),
        ("happened_at", ("", "yesterday", "2026-11-30", "2026-11-30T12:00:00")),
        ("sealed.text", ("", "x", "A" * 64, "0" * 63, None)),
        ("opened.text.salt", ("", "x", "0" * 31, "0" * 33, None)),
        ("erased.text.by", ("", "\x00", "x" * 201, None)),
        ("erased.text.at", ("", "2026-11-30T12:00:00Z", "2026-11-30 12:00:00.000Z", None)),
    ],
)
def test_what_a_line_says_of_seals_people_and_times_has_its_form(path: str, wrong: tuple[str | None, ...]) -> None:
    head, *_ = names = path.split(".")
    entries = (json.loads(line) for file in FILES for line in lines(file.read_bytes())[1:])
    entry = next(each for each in entries if each.get(head) and (len(names) == 1 or "text" in each[head]))
    assert ENTRY.is_valid(entry)
    for value in wrong:
        part = other = deepcopy(entry)
        for name in names[:-1]:
            part = part[name]
        part[names[-1]] = value
        assert not ENTRY.is_valid(other), value


def test_a_line_lacks_of_its_data_only_what_can_be_sealed() -> None:
    """A move is hidden from the public, and texts are erased. What can never be hidden is always there."""
    always = {"game.opened": "seats", "record.signed": "hash", "entry.erased": "what"}
    entries = [json.loads(line) for file in FILES for line in lines(file.read_bytes())[1:]]
    for kind, field in always.items():
        entry = next(each for each in entries if each["type"] == kind)
        del entry["data"][field]
        assert not ENTRY.is_valid(entry), kind
    move = next(each for each in entries if each["type"] == "move.made")
    assert ENTRY.is_valid(move | {"data": {}})


def test_data_of_another_type_or_with_a_stranger_is_none() -> None:
    entry = json.loads(lines(FILES[0].read_bytes())[1])
    assert not ENTRY.is_valid({**entry, "type": "note.added"})
    assert not ENTRY.is_valid({**entry, "extra": 1})
    stranger = deepcopy(entry)
    stranger["data"]["extra"] = 1
    assert not ENTRY.is_valid(stranger)
    assert not DATA.is_valid({"type": "note.added", "data": {}}), "a note has a text"
    assert not validator("move-kahuna").is_valid({"type": "take", "seat": 0, "count": 2})


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_stands_in_the_repository_and_at_the_service(api: Api, name: str) -> None:
    jsonschema_rs.meta.validate(schemas.schema(name))
    assert (written.FOLDER / f"{name}.json").read_text(encoding="utf-8") == written.text(name)
    answer = api.get(f"/v1/schemas/{name}")
    assert (answer.status_code, answer.mimetype) == (200, "application/schema+json")
    assert json.loads(answer.data) == schemas.schema(name)
    assert answer.get_json(force=True)["$id"] == f"/v1/schemas/{name}"


def test_the_list_names_every_schema_and_another_name_is_refused_with_the_list(api: Api) -> None:
    listed = api.get("/v1/schemas").get_json()["schemas"]
    assert [each["name"] for each in listed] == NAMES
    assert all(api.get(each["path"]).status_code == 200 for each in listed)
    assert sorted(path.stem for path in written.FOLDER.glob("*.json")) == sorted(NAMES)
    answer = api.get("/v1/schemas/move-chess")
    assert answer.status_code == 404
    assert "move-kahuna" in answer.get_json()["detail"]


# Lines at random

SHORT = [path for path in FILES if path.stat().st_size < 60_000]
ANYTHING: tuple[Any, ...] = (None, True, -1, 0, 1.5, "", "x", "\n", [], {}, 2**53, 10**20, ["x"], {"x": 1}, "move.made")


def places(found: Any) -> Iterator[tuple[Any, Any]]:
    """Each object or list in a line, with each of its names or places."""
    inside = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for name, each in inside:
        yield found, name
        yield from places(each)


def mutated(line: dict[str, Any], chance: random.Random) -> None:
    """Change a line somewhere: put another value there, take it away, or put something beside it."""
    within, name = chance.choice([each for each in places(line) if each[1] not in {"hash", "prev"}])
    how = chance.random()
    if how < 0.6 or within is line or isinstance(within, list):
        within[name] = deepcopy(chance.choice(ANYTHING))
    elif how < 0.8:
        del within[name]
    else:
        within["strange"] = deepcopy(chance.choice(ANYTHING))


@pytest.mark.parametrize("seed", range(100 if tiers.SOAK else 4))
def test_a_line_that_the_schema_refuses_is_refused_with_its_number(seed: int) -> None:
    """With every hash made anew. What the schema allows can break a rule, and is refused with its number, too."""
    chance = random.Random(seed)
    for _ in range(20):
        content = chance.choice(SHORT).read_bytes()
        at = chance.randrange(1, len(lines(content)))
        content = forged(content, lambda found, at=at: mutated(found[at], chance))  # type: ignore[misc]
        report = prove_records(io.BytesIO(content))
        if not report.sound:
            assert all(problem.why and (problem.line or problem.game) for problem in report.problems)
        elif not ENTRY.is_valid(json.loads(lines(content)[at])):
            raise AssertionError(lines(content)[at])


@pytest.mark.parametrize("happened_at", ["move.made", "", "2026-13-01T00:00:00Z"])
def test_an_opening_at_no_time_is_refused(api: Api, happened_at: str) -> None:
    def change(found: list[dict[str, Any]]) -> None:
        found[1]["happened_at"] = happened_at

    for path in SHORT:
        content = forged(path.read_bytes(), change)
        assert not prove_records(io.BytesIO(content)).sound
        assert bring(api, content).status_code in {400, 409}, path
