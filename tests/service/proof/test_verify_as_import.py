"""A file that an import refuses is refused by `kifu verify`, too, with the same words and line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from events.canonical import GENESIS, canonical, digest, exported
from events.encoding import encode_data
from service.app import create_app
from service.cli.commands import kifu
from service.settings import Settings
from tests.service.conftest import UNLIMITED, Api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from events.event import Event

    Change = Callable[[list[Event]], list[Event]]

replace = msgspec.structs.replace


class Source:
    """A service with a game of each kind, and the entries of their exports."""

    def __init__(self, api: Api) -> None:
        self.api, log = api, api.app.context.archive.log
        sheet = api.open(ruleset="scoresheet", seats=[{}, {}])
        club = str(uuid7())
        assert api.post("/v1/clubs", {"id": club, "name": "Friday"}).status_code == 201
        ids = {"game": api.play("+?gola", "-"), "sheet": sheet, "club": club}
        self.records = {name: list(log.read(id_)) for name, id_ in ids.items()}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("source"), **UNLIMITED))
    yield Source(Api(app))
    app.close()


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("target"), **UNLIMITED))
    yield Api(app)
    app.close()


def second(**members: Any) -> Change:
    """The record with other members of its second entry."""
    return lambda events: [events[0], replace(events[1], **members), *events[2:]]


def longer(type_: str, data: dict[str, Any], schema: int = 1) -> Change:
    """The record with one more entry, without seals."""

    def change(events: list[Event]) -> list[Event]:
        end = {"id": str(uuid7()), "type": type_, "schema": schema, "body": encode_data(data), "sealed": None}
        return [*events, replace(events[-1], **end)]

    return change


CASES: dict[str, tuple[str, Change, str]] = {
    "no time": ("game", second(happened_at="yesterday"), "line 3: unreadable: happened_at: not a time"),
    "no such day": (
        "game",
        second(happened_at="2026-02-30T10:00:00Z"),
        "line 3: unreadable: happened_at: there is no such",
    ),
    "an id in capitals": (
        "game",
        lambda events: [events[0], replace(events[1], id=str(uuid7()).upper()), *events[2:]],
        "line 3: unreadable: id: not a UUID",
    ),
    "an id twice": (
        "game",
        lambda events: [events[0], replace(events[1], id=events[0].id), *events[2:]],
        "line 2: unreadable: id: an id appears twice",
    ),
    "a long name": ("game", second(recorder="x" * 5000), "line 3: unreadable: recorder: longer than"),
    "a newer schema": ("game", second(schema=99), "line 2: unreplayable: version 2 of game"),
    "an unknown type": ("game", second(type="move.dreamt"), "line 2: unreplayable: version 2 of game"),
    "a text in the open": ("game", longer("note.added", {"text": "hello"}, 3), "line 6: unsealed: its line is not"),
    "NUL": ("sheet", longer("note.added", {"text": "a\0"}, 3), "line 3: unreplayable: version 2 of game"),
    "older rules": (
        "game",
        longer("revision.adopted", {"revision": 1, "from": 1}),
        "line 6: unreplayable: it moves the game to revision 1",
    ),
    "no opening": ("game", lambda events: events[1:], "line 2: unreadable: what opens a record is its first entry"),
    "two openings": (
        "sheet",
        lambda events: [*events, replace(events[0], id=str(uuid7()))],
        "line 3: unreadable: what opens a record is its first entry",
    ),
    "a club with another id": (
        "club",
        lambda events: [replace(events[0], id=str(uuid7())), *events[1:]],
        "line 2: unreadable: id: the record has the id",
    ),
    "a missing ruleset": (
        "sheet",
        lambda events: longer("note.added", {"txt": 1}, 3)(
            [replace(events[0], body=events[0].body.replace(b'"scoresheet"', b'"mahjong"')), *events[1:]]
        ),
        "line 3: unreadable: version 2 of game",
    ),
}
"""By name: a record, what was changed of it before all hashes were made anew, and how both begin what they say."""


def written(events: list[Event]) -> bytes:
    """An export of these entries, with versions and hashes that fit."""
    lines, prev = list[bytes](), GENESIS
    for version, event in enumerate(events, 1):
        made = replace(event, version=version, prev=prev)
        prev = digest(canonical(made))
        lines.append(exported(replace(made, hash=prev)))
    about = {"exported_at": "2026-01-01T00:00:00.000Z", "produced_by": "kifu", "events": len(lines), "head": prev}
    header = msgspec.json.encode({"format": "kifu.game", "format_version": 2, "game": events[0].game} | about)
    return b"\n".join([header, *lines, b""])


@pytest.mark.parametrize("name", CASES)
def test_verify_and_import_refuse_a_file_with_the_same_words(
    source: Source, target: Api, tmp_path: Path, name: str
) -> None:
    record, change, expected = CASES[name]
    file = tmp_path / "forged.ndjson"
    file.write_bytes(content := written(change(source.records[record])))
    answer = target.request("POST", "/v1/imports", data=content, content_type="application/x-ndjson")
    assert answer.status_code == 400, answer.text
    problem = answer.get_json()
    assert problem["detail"].startswith(expected)
    verified = CliRunner().invoke(kifu, ["verify", str(file), "--json"], env={"KIFU_DATA": str(tmp_path / "none")})
    assert verified.exit_code == 1, verified.output
    (found,) = msgspec.json.decode(verified.stdout)["problems"]
    said = f"line {found['line']}: {found['kind']}: {found['why']}"
    assert (problem["line"], problem["detail"]) == (found["line"], said)


@pytest.mark.parametrize("record", ["game", "sheet", "club"])
def test_a_file_with_hashes_made_anew_from_the_same_entries_is_sound(
    source: Source, target: Api, tmp_path: Path, record: str
) -> None:
    file = tmp_path / "same.ndjson"
    file.write_bytes(content := written(source.records[record]))
    answer = target.request("POST", "/v1/imports", data=content, content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    verified = CliRunner().invoke(kifu, ["verify", str(file)], env={"KIFU_DATA": str(tmp_path / "none")})
    assert verified.exit_code == 0, verified.output
