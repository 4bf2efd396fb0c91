"""Every schema that was ever released keeps verifying and reading, byte for byte. These files are never made anew."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from events import ndjson
from events.canonical import exported
from events.schemas import SCHEMAS
from events.sqlite import SqliteLog
from events.types import TYPES
from events.verification import verify_export
from tests.events.stores import AT_REST, each_store

store = pytest.fixture(params=AT_REST)(each_store)

GOLDENS = sorted((Path(__file__).parents[1] / "golden" / "events").glob("*.ndjson"))

DIGESTS = {
    "erased-1.ndjson": "f302e06f514d2d2f42f18cb0843b4aa7fa4437fd0da8ea4f21bcb8778fb19362",
    "adopted-1.ndjson": "f6fe9be370f83800837dc4a110377132973665f899c57f936cc760fa763200d9",
    "schema-1.ndjson": "ecc6ddeccae8668537ee28264c98ddeb9b811c0c7101824b60898d1669ac98e3",
    "schema-2.ndjson": "ffc029a82d0de837a24262cb3823c8df030004c3efdf4eb977b5947e5e0c1333",
    "schema-3.ndjson": "df58bd6ac7b5d86768b95a4f7406c761a4e6069466ffd42e18d457c36aa2eb3f",
    "signed-1.ndjson": "489b100ef426c285bbedb43c9354a413d0f7dd6824f1a7195b500b3dc18211f6",
}
"""The SHA-256 of every file, so that none is changed by mistake."""


@pytest.fixture(params=GOLDENS, ids=lambda path: path.name)
def golden(request):
    return request.param


def test_the_corpus_is_as_it_was_released(golden):
    assert hashlib.sha256(golden.read_bytes()).hexdigest() == DIGESTS[golden.name]


def test_a_released_record_still_proves(golden):
    with golden.open("rb") as lines:
        report = verify_export(lines)
    assert report.problems == ()
    assert report.events > 0


def test_a_released_event_still_reads(golden):
    for line in golden.read_bytes().splitlines()[1:]:
        event = ndjson.parse_event(line)
        assert exported(event) == line
        assert SCHEMAS.upcast(event).schema == SCHEMAS.current(event.type)
        assert isinstance(SCHEMAS.read(event), TYPES[event.type])


def test_a_released_record_is_stored_and_exported_byte_for_byte(golden, log):
    lines = golden.read_bytes().splitlines(keepends=True)
    events = [ndjson.parse_event(line) for line in lines[1:]]
    log.adopt(events)
    assert list(log.read(events[0].game)) == events
    assert [exported(event) + b"\n" for event in log.read(events[0].game)] == lines[1:]


def test_every_schema_of_every_type_is_in_the_corpus():
    seen = {
        (event.type, event.schema)
        for golden in GOLDENS
        for event in map(ndjson.parse_event, golden.read_bytes().splitlines()[1:])
    }
    assert seen == {(name, schema) for name in TYPES for schema in range(1, SCHEMAS.current(name) + 1)}


@pytest.mark.parametrize("version", range(1, 10))
def test_a_record_taken_in_in_parts_goes_on(version, tmp_path):
    golden = next(path for path in GOLDENS if path.name == "schema-1.ndjson")
    events = [ndjson.parse_event(line) for line in golden.read_bytes().splitlines()[1:]]
    with SqliteLog(tmp_path / "kifu.db") as log:
        log.adopt(events[:version])
        assert log.adopt(events).new == len(events) - version
