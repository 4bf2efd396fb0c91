"""Moves as JSON: what is wrong with one is said by its field."""

from __future__ import annotations

import msgspec
import pytest

from games.errors import BadMoveError
from games.kahuna import KAHUNA
from tests.cases import cases


@cases(
    ("data", "path"),
    [
        ({"type": "build", "seat": 0, "card": "BARI"}, "line"),
        ({"type": "build", "card": "BARI", "line": "BARI-DUDA"}, "seat"),
        ({"type": "build", "seat": 2, "card": "BARI", "line": "BARI-DUDA"}, "seat"),
        ({"type": "build", "seat": True, "card": "BARI", "line": "BARI-DUDA"}, "seat"),
        ({"type": "build", "seat": "0", "card": "BARI", "line": "BARI-DUDA"}, "seat"),
        ({"type": "build", "seat": None, "card": "BARI", "line": "BARI-DUDA"}, "seat"),
        ({"type": "build", "seat": 0, "card": "Bari", "line": "BARI-DUDA"}, "card"),
        ({"type": "build", "seat": 0, "card": "BARI", "line": "DUDA-BARI"}, "line"),
        ({"type": "build", "seat": 0, "card": "BARI", "line": "BARI-DUDA", "free": True}, "free"),
        ({"type": "remove", "seat": 0, "cards": ["BARI"], "line": "BARI-DUDA"}, "cards"),
        ({"type": "remove", "seat": 0, "cards": ["BARI", None], "line": "BARI-DUDA"}, "cards[1]"),
        ({"type": "discard", "seat": 0, "count": 0}, "count"),
        ({"type": "discard", "seat": 0, "count": 2**63}, "count"),
        ({"type": "discard", "seat": 0, "count": 1.5}, "count"),
        ({"type": "discard", "seat": 0, "count": float("nan")}, "count"),
        ({"type": "deal", "seat": 0, "starts": 0}, "seat"),
        ({"type": "deal"}, "starts"),
        ({"type": "deal", "starts": 0, "row": ["BARI"]}, "row"),
        ({"type": "deal", "starts": 0, "hands": [["BARI"] * 4, []]}, "hands[0]"),
        ({"type": "row", "cards": []}, "cards"),
        ({"type": "row", "cards": ["BARI", "nonsense"]}, "cards[1]"),
        ({"type": "show", "seat": 0, "cards": []}, "cards"),
    ],
)
def test_the_field_that_is_wrong_is_named(data, path):
    with pytest.raises(BadMoveError) as error:
        KAHUNA.read_move(data)
    assert error.value.path == path


def test_the_schema_lists_the_islands_and_lines():
    schema = msgspec.json.schema(KAHUNA.moves)["$defs"]["Build"]["properties"]
    assert len(schema["card"]["enum"]) == 12
    assert len(schema["line"]["enum"]) == 27
