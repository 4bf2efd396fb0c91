"""One limit at every door: what one part of the service takes, no other refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from uuid_utils import uuid7

from events import limits
from games import adjustments
from games.rulesets import RULESETS
from service.pages.templating import FIELDS
from service.settings import Settings
from tests.service.entries import entry, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.conftest import Api

    TLSListener = Callable[[Api, str], int]

pytestmark = pytest.mark.service("file")

ROOT = Path(__file__).parents[3]
TEXT = '[Ruleset "kahuna"]\n[Black "{}"]\n\ndeal black BARI COCO DUDA\n'


def _opening(api: Api, name: str) -> int:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": name}, {}]}
    return api.post("/v1/games", body).status_code


def _seat(api: Api, name: str) -> int:
    return send(api, api.play(), entry("seat.changed", seat=0, name=name)).status_code


def _referee(api: Api, name: str) -> int:
    return send(api, api.play(), entry("ruling.given", reason="so", adjustments=[], referee_name=name)).status_code


def _renaming(api: Api, name: str) -> int:
    api.open(seats=[{"name": "Anna"}, {}])
    known = api.get("/v1/players").get_json()["players"][0]
    return api.request("PUT", f"/v1/players/{known['id']}", json={"name": name}).status_code


def _text(api: Api, name: str) -> int:
    content = TEXT.format(name)
    return api.request("POST", f"/v1/imports?id={uuid7()}", data=content, content_type="text/plain").status_code


def _export(api: Api, name: str) -> int:
    game = api.open(seats=[{"name": "Anna"}, {}])
    content = api.get(f"/v1/games/{game}/export?names=true").data.replace(b'"Anna"', f'"{name}"'.encode())
    return api.request("POST", "/v1/imports", data=content, content_type="application/x-ndjson").status_code


@pytest.mark.parametrize("door", [_opening, _seat, _referee, _renaming, _text, _export])
@pytest.mark.slow
def test_a_name_of_any_length_that_one_door_takes_is_taken_at_all(api: Api, door: TLSListener) -> None:
    assert door(api, "x" * 150) < 300
    assert door(api, "x" * limits.NAME) < 300
    assert 400 <= door(api, "x" * (limits.NAME + 1)) < 500


@pytest.mark.service("test")
def test_a_person_is_found_by_the_whole_name(api: Api) -> None:
    name = "x" * limits.NAME
    api.open(seats=[{"name": name}, {}])
    api.catch_up()
    assert [player["name"] for player in api.get(f"/v1/players?q={name}").get_json()["players"]] == [name]
    assert len(api.get(f"/v1/games?q={name}").get_json()["games"]) == 1


@pytest.mark.parametrize(("field", "most"), [("title", limits.LINE), ("place", limits.LINE)])
def test_a_title_is_as_long_in_a_text_as_in_a_request(api: Api, field: str, most: int) -> None:
    for length, fits in ((most, True), (most + 1, False)):
        body = {"id": str(uuid7()), "ruleset": "kahuna", field: "x" * length}
        text = f'[Ruleset "kahuna"]\n[{field.capitalize()} "{"x" * length}"]\n\ndeal black\n'
        brought = api.request("POST", f"/v1/imports?id={uuid7()}", data=text, content_type="text/plain")
        assert [api.post("/v1/games", body).status_code < 300, brought.status_code < 300] == [fits, fits]


def test_rulesets_have_no_more_seats_than_a_record() -> None:
    assert adjustments.SEATS == limits.SEATS
    assert max(max(ruleset.seats) for ruleset in RULESETS.values()) <= limits.SEATS


def test_fields_of_pages_take_their_lengths_from_the_limits(api: Api) -> None:
    sources = [*(ROOT / "service/pages/static/js").rglob("*.js"), *(ROOT / "service/pages/templates").glob("*.html")]
    written = {
        path.name: re.findall(r"""maxlength["=: ]+(\d+)""", path.read_text(encoding="utf-8")) for path in sources
    }
    # of digits, of sums, of quick buttons, and of a short code
    numbers = {
        "fields.js": ["14"],
        "blank-fields.js": ["40"],
        "quick-keys.js": ["80"],
        "device.html": ["20"],
        "join.html": ["20"],
    }
    assert {name: found for name, found in written.items() if found} == numbers
    named = {name for path in sources for name in re.findall(r"\bLIMITS\.(\w+)", path.read_text(encoding="utf-8"))}
    assert named <= set(FIELDS)
    page = api.get("/", headers={"Accept": "text/html"}).text
    assert f"&#34;name&#34;:{limits.NAME}" in page.replace(" ", "").replace("&quot;", "&#34;")


@pytest.mark.slow
def test_the_description_has_the_limits() -> None:
    described = yaml.load((ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["components"][
        "schemas"
    ]
    assert described["Name"]["properties"]["name"]["maxLength"] == limits.NAME
    assert described["Seat"]["properties"]["name"]["maxLength"] == limits.NAME
    assert described["Opening"]["properties"]["title"]["maxLength"] == limits.LINE
    assert described["Entries"]["properties"]["events"]["maxItems"] == limits.BATCH


def test_the_documents_have_the_limits() -> None:
    readme = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    table = readme[readme.index("| at most | limit |") :].partition("\n\n")[0]
    found = [
        int(number.replace(",", ""))
        for number in re.findall(r"\b\d[\d,]*", "".join(re.findall(r"\| [\d,; ]+ \|", table)))
    ]
    assert found == [
        limits.NAME, limits.LINE, limits.REASON, limits.TEXT, limits.SEATS, limits.ADJUSTMENTS, limits.LINES,
        limits.CHOSEN, limits.BATCH, limits.GAME, limits.DATA, limits.DEPTH, limits.BODY, limits.IMPORT,
    ]  # fmt: skip
    assert (Settings(data=Path()).max_body, Settings(data=Path()).max_import) == (limits.BODY, limits.IMPORT)
