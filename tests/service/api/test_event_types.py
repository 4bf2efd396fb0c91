"""The table of event types, as pages get it."""

from __future__ import annotations

import json
import re

import pytest

from events.types import CORRECTIONS, MOVES, TYPES
from service.pages import assets

TABLE = re.compile(r'<script type="application/json" id="event-types">(.*?)</script>')
LIST = re.compile(r'new Set\(\[\s*"(?:{})"'.format("|".join(map(re.escape, TYPES))))


def table(page: str) -> dict[str, dict[str, str | bool]]:
    found = TABLE.search(page)
    assert found
    types: dict[str, dict[str, str | bool]] = json.loads(found[1])
    return types


@pytest.mark.parametrize("path", ["/games/{}", "/games/{}/scoreboard", "/draft"])
def test_a_page_with_entries_says_what_their_types_do(api, path: str) -> None:
    types = table(api.get(path.format(api.open())).text)
    assert types.keys() == TYPES.keys()
    assert {name for name, told in types.items() if told.get("corrects")} == CORRECTIONS
    assert {name for name, told in types.items() if told.get("plays")} == MOVES
    assert {name for name, told in types.items() if told.get("takes_back")} == {"entry.withdrawn", "ruling.revoked"}
    assert {name for name, told in types.items() if told.get("changes_all")} == {"revision.adopted"}
    assert {name for name, told in types.items() if told.get("allowed_when_closed")} == {
        name for name, form in TYPES.items() if form.allowed_when_closed
    }
    assert all(told["label"] for told in types.values())


def test_the_labels_are_in_the_language_of_the_page(api) -> None:
    page = api.get(f"/games/{api.open()}", headers={"Accept-Language": "ja"}).text
    assert table(page)["entry.withdrawn"]["label"] == "取り消し"


def test_the_code_of_pages_keeps_no_list_of_types() -> None:
    for path in assets.SCRIPTS.rglob("*.js"):
        assert not LIST.search(path.read_text(encoding="utf-8")), path.name
