"""Entries to send, and queries of a game after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from uuid_utils import uuid7

from events.canonical import GENESIS, canonical, digest, exported
from events.encoding import encode_data
from events.schemas import SCHEMAS

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from projections.fold import Fold
    from projections.folds import Folds
    from tests.service.conftest import Api


def entry(kind: str, **data: Any) -> dict[str, Any]:
    return {"id": str(uuid7()), "type": kind, "data": data}


def send(api: Api, game: str, *entries: dict[str, Any], dry: bool = False) -> TestResponse:
    return api.post(f"/v1/games/{game}/events{'?dry_run=true' if dry else ''}", {"events": list(entries)})


def recorded_entry(answer: TestResponse) -> dict[str, Any]:
    assert answer.status_code in {200, 201}, answer.text
    (recorded,) = answer.get_json()["entries"]
    assert isinstance(recorded, dict)
    return recorded


def timeline(api: Api, game: str) -> list[dict[str, Any]]:
    entries = api.get(f"/v1/games/{game}/timeline?limit=1000").get_json()["entries"]
    assert isinstance(entries, list)
    return entries


def state(api: Api, game: str, query: str = "") -> dict[str, Any]:
    found = api.get(f"/v1/games/{game}/state{query}").get_json()["state"]
    assert isinstance(found, dict)
    return found


def bridges(api: Api, game: str, query: str = "") -> set[str]:
    """The lines with a bridge of any player."""
    return {line for lines in state(api, game, query)["bridges"] for line in lines}


def info(api: Api, game: str) -> dict[str, Any]:
    found = api.get(f"/v1/games/{game}").get_json()
    assert isinstance(found, dict)
    return found


def rule(api: Api, game: str, *adjustments: Any, **more: Any) -> dict[str, Any]:
    data = {"reason": "the referee saw it"} | ({"adjustments": list(adjustments)} if adjustments else {}) | more
    return recorded_entry(send(api, game, entry("ruling.given", **data)))


def fold_before(folds: Folds, game: str, entry: int) -> Fold:
    """The state before an entry (not the first): after everything that precedes it, even inserted entries."""
    segment = folds.segment(game, entry - 1, folds.current(game).version)
    next(segment.replay_until(entry))
    return segment.fold


def unsealed(api: Api, game: str) -> str:
    """Make a game with the same entries as an older release recorded them, without seals."""
    other, prev, lines = str(uuid7()), GENESIS, []
    for event in api.app.context.archive.log.read(game):
        old = msgspec.structs.replace(
            event,
            game=other,
            id=other if event.version == 1 else str(uuid7()),
            schema=SCHEMAS.first_sealed_schema(event.type) - 1,
            body=encode_data(event.data),
            sealed=None,
            prev=prev,
        )
        prev = digest(canonical(old))
        lines.append(exported(msgspec.structs.replace(old, hash=prev)))
    about = {"exported_at": "2026-01-01T00:00:00.000Z", "produced_by": "kifu", "events": len(lines), "head": prev}
    header = msgspec.json.encode({"format": "kifu.game", "format_version": 1, "game": other} | about)
    answer = api.request("POST", "/v1/imports", data=b"\n".join([header, *lines]), content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    return other
