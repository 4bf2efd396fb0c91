"""What is sealed in a record is what its lines say: found where somebody sealed another thing than he showed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from events import seals
from events.encoding import encode_data
from events.entries import check_event
from events.event import NewEvent
from events.sqlite import SqliteLog
from games import transcript
from games.contract import as_json
from games.kahuna import KAHUNA
from games.playout import playout
from games.rulesets import SHIPPED
from projections.fold import reader_of
from projections.replaying import prove_replay
from tests import goldens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from events.entries import CheckedEvent

READER = reader_of(KAHUNA)


@dataclass
class Told:
    """A game of Kahuna with entries that are stored as given, without judgement."""

    log: SqliteLog
    game: str
    version: int = 0

    def add(self, event_type: str, **data: Any) -> None:
        event = NewEvent(id=str(uuid7()) if self.version else self.game, type=event_type, data=data)
        self.put(check_event(0, event, READER))

    def put(self, checked: CheckedEvent) -> None:
        self.log.append(self.game, [checked], expected=self.version, recorder="owner")
        self.version += 1

    def odds(self) -> list[tuple[str, int | None, int | None]]:
        return [
            (found.kind, found.version, found.line)
            for found in prove_replay(list(self.log.read(self.game)), 2).problems
        ]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    with SqliteLog(tmp_path / "kifu.db") as log:
        table = Told(log, str(uuid7()))
        table.add("game.opened", ruleset="kahuna", revision=KAHUNA.revision, seats=[{}, {}], title="Sunday")
        for move in MOVES:
            table.add("move.made", move=move)
        yield table


def up_to_a_draw() -> list[dict[str, Any]]:
    """The moves of a random game, up to the first card drawn unseen."""
    moves = list[dict[str, Any]]()
    for move, _ in playout(KAHUNA.open({}, None, 2), random.Random(1)):
        moves.append(as_json(move))
        if moves[-1]["type"] == "draw":
            return moves
    raise AssertionError


*MOVES, DRAW = up_to_a_draw()
SEAT = DRAW["seat"]
AT = len(MOVES) + 2
PUBLIC = {"move": {"type": "draw", "seat": SEAT}}
WHOLE = {"move": DRAW}
OTHER = {"move": DRAW | {"card": "BARI" if DRAW["card"] != "BARI" else "HUNA"}}


def forged(line: dict[str, Any], record: dict[str, Any], seat: dict[str, Any]) -> CheckedEvent:
    """A draw with a given line, record's seal and seat's seal, and with hashes that fit."""
    made = check_event(0, NewEvent(id=str(uuid7()), type="move.made", data=WHOLE), READER)
    packed = seals.pack([seals.seal("record", record), seals.seal(seals.seat_seal(SEAT), seat)])
    return msgspec.structs.replace(made, line=encode_data(line), sealed=packed, fragment=seals.fragment(packed))


def test_a_record_with_seals_that_match_its_lines_is_sound(told: Told) -> None:
    told.put(forged(PUBLIC, WHOLE, WHOLE))
    told.add("note.added", text="what a game")
    assert told.odds() == []
    told.log.erase(told.game, told.version, "text", "owner")
    told.log.erase(told.game, AT, "hidden", "owner")
    assert told.odds() == []


@pytest.mark.parametrize(
    ("line", "record", "seat"),
    [
        ({"move": {"type": "draw", "seat": 1 - SEAT}}, WHOLE, WHOLE),
        ({"move": {"type": "decline", "seat": SEAT}}, WHOLE, WHOLE),
        (WHOLE, WHOLE, WHOLE),
        (WHOLE, {}, {}),
        (PUBLIC, WHOLE, OTHER),
        (PUBLIC, WHOLE, {}),
        (PUBLIC, {}, WHOLE),
    ],
)
def test_a_seal_that_holds_another_thing_than_was_shown_is_found(
    told: Told, line: dict[str, Any], record: dict[str, Any], seat: dict[str, Any]
) -> None:
    told.put(forged(line, record, seat))
    assert told.odds() == [("unsealed", AT, AT + 1)]


SOME = [path for name in SHIPPED for path in goldens.sample_of(name, 9)]


@pytest.mark.parametrize("path", SOME, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.slow
def test_what_every_recorded_game_hides_is_sealed_as_it_is_read(path: Path, tmp_path: Path) -> None:
    ruleset = goldens.ruleset_of(path)
    reader = reader_of(ruleset)
    opening = {"ruleset": ruleset.name, "revision": ruleset.revision, "seats": [{}, {}]}
    written = [NewEvent(id=str(uuid7()), type="game.opened", data=opening)]
    for step in transcript.replay(ruleset, goldens.game(path)):
        if step.move is not None:
            written.append(NewEvent(id=str(uuid7()), type="move.made", data={"move": as_json(step.move)}))
        else:
            ruled = [as_json(adjustment) for adjustment in step.adjustments]
            written.append(NewEvent(id=str(uuid7()), type="ruling.given", data={"adjustments": ruled, "reason": "so"}))
    with SqliteLog(tmp_path / "kifu.db") as log:
        stored = log.append(
            written[0].id, [check_event(0, event, reader) for event in written], expected=0, recorder="owner"
        )
        assert [reader.contradiction(event) for event in stored.events] == [None] * len(written)
