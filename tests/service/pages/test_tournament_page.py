"""The page of a tournament: pairing, results, and the explained table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from tests.service.conftest import Guest

if TYPE_CHECKING:
    from tests.service.conftest import Api


def test_an_organiser_runs_a_tournament_on_its_page(api: Api) -> None:
    form = {"id": str(uuid7()), "name": "Autumn Cup", "format": "swiss", "rounds": "1", "tie_breaks": ["buchholz"]}
    made = api.request("POST", "/tournaments", data=form)
    assert made.status_code == 303
    address = made.headers["Location"]
    for name in ("Aiko", "Ben"):
        sent = {"id": str(uuid7()), "type": "tournament.player_entered", "name": name}
        assert api.request("POST", address, data=sent).status_code == 303
    sent = {"id": str(uuid7()), "type": "tournament.round_paired"}
    assert api.request("POST", address, data=sent).status_code == 303
    assert "Enter result" in api.get(address).text
    result = {"id": str(uuid7()), "type": "tournament.result_entered", "round": "1", "table": "1", "score": ["7", "4"]}
    assert api.request("POST", address, data=result).status_code == 303
    shown = api.get(address).text
    assert "Enter result" not in shown
    assert "Table after round 1" in shown
    assert re.search(r"<h3>Buchholz: 0</h3>", shown)
    assert "第1回戦終了時の順位表" in api.get(address, headers={"Accept-Language": "ja"}).text
    api.catch_up()
    assert "Autumn Cup" in api.get("/tournaments").text
    assert Guest(api.app, "", None).get(address).status_code in {302, 303, 404}


def test_bad_forms_are_refused(api: Api) -> None:
    made = api.request("POST", "/tournaments", data={"id": str(uuid7()), "name": "Cup", "format": "ladder"})
    assert made.status_code == 400
    made = api.request("POST", "/tournaments", data={"id": str(uuid7()), "name": "Cup", "format": "swiss"})
    address = made.headers["Location"]
    for sent in ({"type": "tournament.withdrawn"}, {"type": "tournament.result_entered", "round": "x", "score": "y"}):
        assert api.request("POST", address, data={"id": str(uuid7())} | sent).status_code == 400
    assert api.get(f"{address}?after=x").status_code == 400
