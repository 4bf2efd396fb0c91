"""A record of an older release: every type of event has had another form since, and nobody who reads it notices."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from events import ndjson
from events.canonical import canonical, digest, exported
from events.encoding import encode_data
from events.kinds import OTHER_TYPES
from events.schemas import SCHEMAS
from events.types import ENTRY_ERASED, RECORD_SIGNED, REVISION_ADOPTED, TYPES
from projections.fold import reader_of
from tests.service.conftest import DEAL
from tests.service.entries import entry, recorded_entry, send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.conftest import Api

OLD = "former_"


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(OLD): value for name, value in data.items()}


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every type has a newer schema than the one that was current: its fields had other names before."""
    steps = {name: (*(lambda data: data,) * (SCHEMAS.current(name) - 1), renamed) for name in [*TYPES, *OTHER_TYPES]}
    with monkeypatch.context() as patch:
        patch.setattr(SCHEMAS, "_upcasters", steps)
        patch.setattr(SCHEMAS, "_current", {name: len(each) + 1 for name, each in steps.items()})
        patch.setattr(SCHEMAS, "plain", SCHEMAS.reader(dict[str, Any], dict[str, Any]))
        reader_of.cache_clear()
        yield
    reader_of.cache_clear()


def as_it_was(lines: list[bytes]) -> bytes:
    """An exported record as an older release would have written it: other names of fields, other hashes."""
    header, events, prev = json.loads(lines[0]), [], "0" * 64
    for event in map(ndjson.parse_event, lines[1:]):
        body = encode_data({OLD + name: value for name, value in event.data.items()})
        old = msgspec.structs.replace(event, body=body, schema=event.schema - 1, prev=prev, sealed=None)
        prev = digest(canonical(old))
        events.append(exported(msgspec.structs.replace(old, hash=prev)))
    return b"\n".join([json.dumps(header | {"head": prev}).encode(), *events])


@pytest.mark.slow
def test_every_reader_reads_what_an_older_release_stored(older: None, api: Api, elsewhere: Api) -> None:
    game = api.open(seats=[{"name": "Aiko"}, {}], title="The old one")
    entries = [entry("move.made", move=move) for move in (DEAL, "b-d", "-", "+", "-")]
    entries += [
        entry("entry.inserted", after=2, move="c-g"),
        entry("entry.replaced", entry=3, move="b-c", reason="it was COCO"),
        entry("move.made", move="+", override={"reason": "nobody minded"}),
        entry("move.revealed", entry=5, move={"type": "draw", "seat": 1, "card": "HUNA"}),
        entry("ruling.given", reason="a gift", adjustments=["points seat=White points=2"], referee_name="Aiko"),
        entry("ruling.given", reason="a mistake", adjustments=["points seat=White points=9"]),
        entry("note.added", text="long ago", entry=4, bookmark=True),
        entry("score.claimed", scores=[0, 2], lines=[{"seat": 1, "category": "ruling", "points": 2}], text="a pad"),
        entry("seat.changed", seat=1, name="Mio", reason="late"),
        entry("entry.withdrawn", entry=9, withdraw="all", keep="all"),
        entry("game.closed", how="abandoned"),
        entry("game.reopened", reason="a last one"),
    ]
    for sent in entries:
        recorded_entry(send(api, game, sent))
    recorded_entry(send(api, game, entry("ruling.revoked", ruling=12)))
    lines = api.get(f"/v1/games/{game}/export?names=true").data.splitlines()
    not_here = {REVISION_ADOPTED, RECORD_SIGNED, ENTRY_ERASED}  # which name newer rules and a hash, and close a part
    assert {json.loads(line)["type"] for line in lines[1:]} == set(TYPES) - not_here

    old = elsewhere.post("/v1/imports", data=as_it_was(lines), content_type="application/x-ndjson")
    assert old.status_code == 201, old.text
    for other in (api, elsewhere):
        other.catch_up()
    fork = str(uuid7())
    for other in (api, elsewhere):
        assert other.post(f"/v1/games/{game}/forks", {"id": fork}).status_code == 201
        other.catch_up()
    paths = [f"/v1/games/{game}{part}" for part in ("", "/score", "/moves", "/timeline?limit=1000", "/claims")]
    paths += [f"/v1/games/{game}/state?{moment}" for moment in ("", "at=5", "after=4", "after=8")]
    paths += [f"/v1/games/{game}/export?format=text&names=true", f"/v1/games/{fork}/export?format=text"]
    paths += [f"/v1/games/{fork}/comparison", f"/v1/games/{game}/timeline?after=6&limit=4&seat=1", "/v1/games"]
    for path in paths:
        assert plain(elsewhere.get(path)) == plain(api.get(path)), path

    for sent in [entry("entry.withdrawn", entry=4), entry("entry.replaced", entry=3, move="b-d"), entries[5]]:
        answers = [send(other, game, sent, dry=True) for other in (api, elsewhere)]
        assert plain(answers[0]) == plain(answers[1])
    assert plain(send(elsewhere, game, entries[13])) == plain(send(api, game, entries[13]))


def plain(answer: Any) -> tuple[int, str]:
    """An answer without hashes and times: everything else in it has to be the same."""
    result = answer.get_data(as_text=True)
    return answer.status_code, re.sub(r"[0-9a-f]{64}|[0-9-]{10}T[0-9:.]{12}Z", "", result)
